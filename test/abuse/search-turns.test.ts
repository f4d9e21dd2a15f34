import { createRecordingTransport } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiClient, hashOf } from '../support/http/api-client.ts'

let running: Sluice | undefined
afterEach(() => running?.stop())

const workspace = (id: string) => ({
  id,
  accessTokens: [{ name: 'all', token: hashOf(`${id}-all`), scopes: ['read', 'operate'] as const }],
  sources: [{ id: 's', writeKey: `${id}-key` }],
  destinations: [],
  connections: [],
})

/** Starts with many events of one workspace, and with one of the other. */
async function start() {
  const sluice = await createSluice({
    workspace: { workspaces: [workspace('a'), workspace('b')] },
    transport: createRecordingTransport(),
    sandbox: { mode: 'in-process' },
  })
  running = sluice
  const events = Array.from({ length: 6_000 }, (_, n) => ({ type: 'track', event: 'E', userId: `u${n % 7}` }))
  expect(await sluice.ingest('a-key', events)).toMatchObject({ ok: true })
  expect(await sluice.ingest('b-key', events.slice(0, 1))).toMatchObject({ ok: true })
  return sluice
}

describe('searches of one workspace', () => {
  const searches = ['/v2/users/u1/report', '/v2/users?anonymousId=a1', '/v1/events/unknown/payload']

  it.each(searches)('run one after the other, and do not delay one of another workspace: %s', async (path) => {
    const sluice = await start()
    const a = await createApiClient(sluice, 'Bearer a-all')
    const ended: string[] = []
    const flood = Array.from({ length: 16 }, () => a.get(path).then(() => ended.push('a')))
    await a.as('Bearer b-all').get(path)
    // The one under way, and the next one at most.
    expect(ended.length).toBeLessThan(3)
    await Promise.all(flood)
    expect(ended).toHaveLength(16)
  })

  it('are refused beyond twenty, with the time of another try, while another workspace searches', async () => {
    const sluice = await start()
    const a = await createApiClient(sluice, 'Bearer a-all')
    const flood = Array.from({ length: 24 }, (_, n) => a.get(searches[n % 3] ?? ''))
    expect((await a.as('Bearer b-all').get('/v2/users/u1/report')).status).toBe(200)
    const refused = (await Promise.all(flood)).filter(({ status }) => status === 429)
    expect(refused.map(({ body, headers }) => [body.code, headers.get('retry-after')])).toEqual(
      Array(4).fill(['searchesTooMany', '1']),
    )
    expect((await a.get('/v2/users/u1/report')).status).toBe(200)
  })
})
