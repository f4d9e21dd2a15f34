import { createManualClock, type ManualClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import type { HistoryReportAnswer } from '@sluice/http'
import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, basic, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const minuteMs = 60_000
const tokens = ['operate', 'read'] as const
const theShop = shop('http://hook.test/in', {
  accessTokens: tokens.map((scope) => ({ name: scope, token: hashOf(scope), scopes: [scope] })),
})
const neighbour = { ...shop('http://n.test/', { sources: [{ id: 'web', writeKey: 'n-key' }] }), id: 'neighbour' }
const admin = basic('admin', 'password')

let clock: ManualClock
let sluice: Sluice
let api: ApiClient
/** What the destination answers, and how long it takes. */
let status: number
let answerMs: number

const serve = serveWorkspaces({
  workspace: { workspaces: [theShop, neighbour] },
  answer: () => {
    clock.advance(answerMs)
    return reply(status)
  },
  admin: { user: 'admin', password: 'password' },
})
beforeEach(async () => {
  clock = createManualClock()
  status = 200
  answerMs = 0
  const served = await serve({ clock })
  sluice = served.sluice
  api = await served.api('Bearer operate')
})

async function send(count = 1, writeKey = 'web-key'): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({ type: 'track', event: 'Seen', userId: `u${n}` }))
  expect((await sluice.ingest(writeKey, events)).ok).toBe(true)
}
const history = async (query = '', as = api) =>
  (await as.get(`/v2/history${query}`)).body as unknown as HistoryReportAnswer
const seriesOf = ({ workspaces }: HistoryReportAnswer, kind: string) =>
  workspaces[0]?.series.filter((series) => series.kind === kind) ?? []

describe('GET /v2/history', () => {
  it('counts the minute that has only begun, and all sums equal the counters', async () => {
    await send(3)
    await sluice.settled()
    status = 422
    await send(2)
    await sluice.settled()
    const answer = await history('?range=1h')
    expect(answer.everyMs).toBe(minuteMs)
    expect(Date.parse(answer.until) - Date.parse(answer.since)).toBe(60 * minuteMs)
    const [received] = seriesOf(answer, 'received')
    expect(received).toMatchObject({ sourceId: 'web', total: 5 })
    expect(received?.destinationId).toBeUndefined()
    expect(received?.counts).toEqual([...new Array(59).fill(0), 5])
    const [stats] = await sluice.stats('shop')
    const total = (kind: string) => seriesOf(answer, kind).reduce((sum, series) => sum + series.total, 0)
    expect([total('received'), total('delivered'), total('failed')]).toEqual([
      stats?.received,
      stats?.destinations[0]?.delivered,
      Object.values(stats?.destinations[0]?.failed ?? {}).reduce((sum, count) => sum + count, 0),
    ])
    expect(seriesOf(answer, 'failed')).toMatchObject([{ destinationId: 'hook', reason: 'deliver.refused', total: 2 }])
  })

  it('has what ended with its minute in the slot of it, with delays, answers and bytes', async () => {
    answerMs = 40
    await sluice.fetch(
      new Request('http://x/v1/track', {
        method: 'POST',
        headers: { authorization: basic('web-key', ''), 'content-type': 'application/json' },
        body: '{"userId":"u1","event":"Seen"}',
      }),
    )
    await sluice.settled()
    clock.advance(minuteMs)
    await eventually(async () => seriesOf(await history('?range=1h'), 'answered')).toMatchObject([
      { sourceId: '', destinationId: 'hook', reason: '200', total: 1 },
    ])
    const answer = await history('?range=1h')
    expect(seriesOf(answer, 'delivered')[0]?.counts.slice(-2)).toEqual([1, 0])
    expect(seriesOf(answer, 'bytes')).toMatchObject([{ sourceId: 'web', total: 30 }])
    const delays = answer.workspaces[0]?.delays ?? []
    expect(
      delays.map(({ destinationId, of, halfWithinMs, almostAllWithinMs, count }) => [
        destinationId,
        of,
        halfWithinMs,
        almostAllWithinMs,
        count,
      ]),
    ).toEqual([
      ['hook', 'answer', 50, 50, 1],
      ['hook', 'delivery', 50, 50, 1],
    ])
    expect(delays[0]?.slots.slice(-2)).toEqual([{ halfWithinMs: 50, almostAllWithinMs: 50, count: 1 }, { count: 0 }])
  })

  it('shows an earlier time, such as the day before, apart from what came later', async () => {
    await send(2)
    await sluice.settled()
    const before = clock.now()
    clock.advance(minuteMs)
    await eventually(async () => seriesOf(await history('?range=1h'), 'received')[0]?.counts.slice(-2)).toEqual([2, 0])
    clock.advance(24 * 60 * minuteMs)
    await send(1)
    const iso = (at: number) => encodeURIComponent(new Date(at).toISOString())
    const dayBefore = await history(`?since=${iso(before)}&until=${iso(before + minuteMs)}&every=1h`)
    expect(seriesOf(dayBefore, 'received')).toMatchObject([{ total: 2 }])
    expect(seriesOf(await history('?range=1h'), 'received')).toMatchObject([{ total: 1 }])
    expect(seriesOf(await history('?range=7d'), 'received')).toMatchObject([{ total: 3 }])
  })

  it('refuses what it cannot answer, and says what to ask in its place', async () => {
    const refusals = [
      ['?range=2h', 'queryInvalid', '1h'],
      ['?every=5m', 'queryInvalid', '15m'],
      ['?since=yesterday', 'queryInvalid', 'since'],
      ['?range=1h&since=2026-01-01T00:00:00Z', 'rangeInvalid', 'leave one of them out'],
      ['?range=90d&every=1h', 'rangeInvalid', 'an answer at most 1500'],
      ['?since=2025-12-01T00:00:00Z&until=2025-12-01T02:00:00Z&every=1m', 'rangeInvalid', 'every=1h'],
    ] as const
    for (const [query, code, text] of refusals) {
      const answer = await api.get(`/v2/history${query}`)
      expect([query, answer.status, answer.body['code']]).toEqual([query, 400, code])
      expect(String(answer.body['message'])).toContain(text)
    }
  })

  it('is for tokens with the scope operate, of their own workspace, and for admin credentials', async () => {
    await send(1, 'n-key')
    expect((await api.as('Bearer read').get('/v2/history')).status).toBe(403)
    expect((await api.as('').get('/v2/history')).status).toBe(401)
    expect(seriesOf(await history(), 'received')).toEqual([])
    const ids = ({ workspaces }: HistoryReportAnswer) => workspaces.map(({ workspaceId }) => workspaceId)
    expect(ids(await history())).toEqual(['shop'])
    expect(ids(await history('', api.as(admin)))).toEqual(['shop', 'neighbour'])
    expect(ids(await history('?workspaceId=neighbour', api.as(admin)))).toEqual(['neighbour'])
  })
})

interface Shown {
  readonly health: string
  readonly waiting: number
  readonly oldestAt?: string
  readonly endedLately: number
  readonly failedLately: number
}
const healthOf = async (): Promise<Shown | undefined> => {
  const { body } = await api.get('/v1/circuits')
  return (body['workspaces'] as [{ destinations: readonly Shown[] }])[0].destinations[0]
}

describe('health of destinations', () => {
  it('is idle, works, and fails when more than half of at least five events lately failed', async () => {
    expect(await healthOf()).toMatchObject({ health: 'idle', waiting: 0, endedLately: 0, failedLately: 0 })
    await send(2)
    await sluice.settled()
    expect(await healthOf()).toMatchObject({ health: 'works', endedLately: 2 })
    status = 422
    await send(3)
    await sluice.settled()
    expect(await healthOf()).toMatchObject({ health: 'failing', endedLately: 5, failedLately: 3 })
    expect((await api.get('/metrics')).text).toContain(
      'sluice_destination_health{workspace="shop",destination="hook",health="failing"} 1\n',
    )
    clock.advance(7 * minuteMs)
    await eventually(async () => (await healthOf())?.health).toBe('idle')
  })

  it('says since when the oldest event waits, that it is paused, and that it is slow', async () => {
    await api.as(admin).get('/v1/circuits')
    status = 503
    const sentAt = clock.now()
    await send(1)
    await eventually(async () => (await healthOf())?.waiting).toBe(1)
    const oldestAt = new Date(sentAt).toISOString()
    clock.advance(1_000)
    expect(await healthOf()).toMatchObject({ health: 'works', oldestAt })
    status = 500
    clock.advance(2 * minuteMs)
    expect(await healthOf()).toMatchObject({ health: 'slow', waiting: 1, oldestAt })
    expect((await api.post('/v2/destinations/hook/pause')).status).toBe(200)
    expect(await healthOf()).toMatchObject({ health: 'paused', waiting: 1 })
  })
})
