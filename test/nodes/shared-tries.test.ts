import type { CircuitsAnswer } from '@sluice/http'
import type { ClusterProcesses } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

let status = 503
const hourMs = 3_600_000
const nodes = useSharedNodes({
  node: () => ({
    workspace: shop(nodes.receiver.url, { accessTokens: [{ name: 'ci', token: hashOf('token') }] }),
    times: { beatMs: 200 },
    // Within a test, no circuit tries by itself.
    delivery: { circuit: { firstMs: hourMs, lastMs: hourMs } },
  }),
  statusOf: () => status,
})

const users = Array.from({ length: 60 }, (_, n) => ({
  type: 'track',
  event: 'Seen',
  userId: `user ${n}`,
  messageId: `m${n}`,
}))

describe.skipIf(noPostgres)('a destination that several processes leave alone', () => {
  it('is tried by all of them when one is asked, each for its own users', async () => {
    const [first, second] = [await nodes.start(), await nodes.start()]
    expect(await first.ingest('web-key', users)).toMatchObject({ ok: true })
    const apis = await Promise.all([first, second].map((sluice) => createApiClient(sluice, 'Bearer token')))
    for (const api of apis)
      await eventually(async () => {
        const { workspaces } = (await api.get('/v1/circuits')).body as unknown as CircuitsAnswer
        return workspaces[0]?.destinations[0]?.state
      }).toBe('open')
    status = 200
    const [asked] = apis
    expect(await asked?.post('/v1/circuits/hook/try')).toMatchObject({ status: 200 })
    await eventually(async () => {
      const [source] = await first.stats()
      return source?.destinations[0]?.delivered
    }).toBe(60)
  })
})

describe.skipIf(noPostgres)('the processes that GET /v2/cluster lists', () => {
  it('say what each of them takes and does', async () => {
    const [first] = [await nodes.start(), await nodes.start()]
    const api = await createApiClient(first, 'Bearer token')
    await eventually(async () => {
      const { processes } = (await api.get('/v2/cluster')).body as unknown as ClusterProcesses
      return processes.map(({ vitals }) => (vitals?.memoryBytes ?? 0) > 1_000_000)
    }).toEqual([true, true])
  })
})
