import type { HistoryReportAnswer } from '@sluice/http'
import { describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const nodes = useSharedNodes({
  node: () => ({
    workspace: shop(nodes.receiver.url, { accessTokens: [{ name: 'ci', token: hashOf('token') }] }),
    times: { beatMs: 200 },
  }),
  statusOf: () => 200,
})

const users = Array.from({ length: 30 }, (_, n) => ({ type: 'track', event: 'Seen', userId: `user ${n}` }))

describe.skipIf(noPostgres)('history of several processes', () => {
  it('is the same whichever answers, and has the counts of all, also of one that has ended', async () => {
    const [first, second] = [await nodes.start(), await nodes.start()]
    for (const sluice of [first, second, first])
      expect(await sluice.ingest('web-key', users)).toMatchObject({ ok: true })
    await first.settled()
    const read = async (sluice: typeof first) => {
      const api = await createApiClient(sluice, 'Bearer token')
      const { workspaces } = (await api.get('/v2/history?range=1h')).body as unknown as HistoryReportAnswer
      const series = workspaces[0]?.series.filter(({ kind }) => ['received', 'accepted', 'delivered'].includes(kind))
      const circuits = (await api.get('/v1/circuits')).body['workspaces']
      return { series: series?.map(({ kind, total }) => [kind, total]), circuits }
    }
    const wanted = ['accepted', 'received', 'accepted', 'delivered'].map((kind) => [kind, 90])
    const [ofFirst, ofSecond] = [await read(first), await read(second)]
    expect(ofFirst.series).toEqual(wanted)
    expect(ofSecond).toEqual(ofFirst)
    expect(ofFirst.circuits).toMatchObject([{ destinations: [{ health: 'works', waiting: 0, endedLately: 90 }] }])
    await nodes.stop(first)
    await eventually(async () => (await read(second)).series).toEqual(wanted)
  })
})
