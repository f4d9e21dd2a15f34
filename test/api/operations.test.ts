import { createManualClock, type ManualClock } from '@sluice/core'
import { reply } from '@sluice/delivery'
import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ApiClient, basic, hashOf } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const code = `export function transformEvent(event) {
  if (event.event === 'Nothing') return null
  if (event.event === 'Broken') throw new Error('cannot "do" it')
  return event
}`
const scopes = ['read', 'write', 'operate'] as const
const theShop = shop('http://hook.test/in', {
  destinations: [
    { id: 'coded', type: 'WEBHOOK', settings: { webhookUrl: 'http://coded.test/in' }, transformation: { code } },
    { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/in' } },
  ],
  connections: ['coded', 'hook'].map((destination) => ({ source: 'web', destination })),
  accessTokens: scopes.map((scope) => ({ name: scope, token: hashOf(scope), scopes: [scope] })),
})
const neighbour = {
  ...shop('http://neighbour.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour"n"',
  accessTokens: [{ name: 'all', token: hashOf('neighbour') }],
}
const admin = basic('admin', 'password')

/** Milliseconds after which what was delivered is committed without a caller that waits for it. */
const untilCommitted = 100

let sluice: Sluice
let api: ApiClient
let clock: ManualClock
/** What the hosts respond. */
let answers: Map<string, () => number | Promise<number>>

beforeEach(async () => {
  answers = new Map()
  clock = createManualClock()
  await start()
})

const serve = serveWorkspaces({
  workspace: { workspaces: [theShop, neighbour] },
  answer: async ({ endpoint }) => reply((await answers.get(new URL(endpoint).host)?.()) ?? 200),
  admin: { user: 'admin', password: 'password' },
})

async function start(more: ServeOptions = {}): Promise<void> {
  const served = await serve({ clock, ...more })
  sluice = served.sluice
  api = await served.api('Bearer operate')
}

async function send(messageId: string, more: object = {}, writeKey = 'web-key'): Promise<void> {
  const event = { type: 'track', event: 'Seen', userId: 'u1', messageId, ...more }
  expect((await sluice.ingest(writeKey, [event])).ok).toBe(true)
}
interface Trace {
  readonly destinations: readonly (Readonly<Record<string, unknown>> & { readonly deadLetterIds: readonly string[] })[]
}
const traceOf = async (messageId: string) => (await api.get(`/v1/events/${messageId}`)).body as unknown as Trace
const suppress = (userId: string) =>
  sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId }] })

describe('routes for operators', () => {
  it('are open to tokens with the scope operate and to admin credentials only; /health is open to everyone', async () => {
    const rows = [
      ['Bearer operate', 200],
      [basic('anybody', 'operate'), 200],
      [admin, 200],
      ['Bearer read', 403],
      ['Bearer write', 403],
      ['Bearer password', 401],
      [basic('admin', 'passwor'), 401],
      [basic('', 'password'), 401],
      [basic('web-key', ''), 401],
      ['', 401],
    ] as const
    for (const [authorization, status] of rows)
      for (const path of [
        '/metrics',
        '/v1/stats',
        '/v1/circuits',
        '/v1/usage',
        '/v1/events/m1',
        '/v1/tap',
        '/v1/logs',
      ]) {
        const answer = await sluice.fetch(new Request(`http://x${path}`, { headers: { authorization } }))
        const wanted = status === 200 && path === '/v1/events/m1' ? 404 : status
        expect([authorization, path, answer.status]).toEqual([authorization, path, wanted])
        await answer.body?.cancel()
      }
    expect((await api.as('').get('/health')).status).toBe(200)
  })

  it('refuse requests from pages of another origin, whose browser may hold credentials', async () => {
    for (const path of ['/metrics', '/v1/stats', '/v1/events/m1']) {
      const headers = { authorization: admin, origin: 'https://elsewhere.test' }
      const answer = await sluice.fetch(new Request(`http://x${path}`, { headers }))
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('show a token its own workspace, and admin credentials all workspaces or the one they name', async () => {
    await send('m1')
    await send('m1', {}, 'neighbour-key')
    await sluice.settled()
    const idsFor = async (authorization: string, query = '') =>
      ((await api.as(authorization).get(`/v1/stats${query}`)).body['workspaces'] as { workspaceId: string }[]).map(
        ({ workspaceId }) => workspaceId,
      )
    expect(await idsFor('Bearer operate')).toEqual(['shop'])
    expect(await idsFor('Bearer neighbour')).toEqual(['neighbour"n"'])
    expect(await idsFor(admin)).toEqual(['shop', 'neighbour"n"'])
    expect(await idsFor(admin, '?workspaceId=shop')).toEqual(['shop'])
    for (const [authorization, path] of [
      ['Bearer neighbour', '/v1/stats?workspaceId=shop'],
      ['Bearer neighbour', '/v1/events/m1?workspaceId=shop'],
      ['Bearer neighbour', '/metrics?workspaceId=shop'],
      [admin, '/v1/stats?workspaceId=unknown'],
    ] as const)
      expect(await api.as(authorization).get(path)).toMatchObject({ status: 404, body: { code: 'workspaceUnknown' } })
    const mine = (await api.get('/metrics')).text
    expect(mine).toContain('workspace="shop"')
    expect(mine).not.toContain('neighbour')
    expect((await api.as('Bearer neighbour').get('/v1/events/m1')).body['workspaceId']).toBe('neighbour"n"')
  })
})

describe('/metrics', () => {
  it('is in the Prometheus text format: every metric with help and type, every histogram cumulative', async () => {
    await send('m1')
    await send('m2', {}, 'neighbour-key')
    await sluice.settled()
    const { text } = await api.as(admin).get('/metrics')
    const types = new Map<string, string>()
    const values = new Map<string, number>()
    for (const line of text.trimEnd().split('\n')) {
      const [, metric, type] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? []
      if (metric && type) types.set(metric, type)
      if (line.startsWith('#')) continue
      const [, name = '', labels = '', value] =
        /^((?:sluice|process|nodejs)_\w+)(\{(?:\w+="(?:[^"\\\n]|\\["\\n])*",?)*\})? (\d\S*)$/.exec(line) ?? []
      expect([line, types.has(name) || types.has(name.replace(/_(bucket|sum|count)$/, ''))]).toEqual([line, true])
      expect(values.has(name + labels), line).toBe(false)
      values.set(name + labels, Number(value))
    }
    expect(new Set(types.values())).toEqual(new Set(['counter', 'gauge', 'histogram']))
    expect(values.get('sluice_events_accepted_total{workspace="neighbour\\"n\\"",source="web"}')).toBe(1)
    const stage = 'workspace="shop",destination="coded",stage="user-transform"'
    expect(values.get(`sluice_stage_seconds_bucket{${stage},le="+Inf"}`)).toBe(1)
    expect(values.get(`sluice_stage_seconds_count{${stage}}`)).toBe(1)
    const buckets = [...values].filter(([name]) => name.startsWith(`sluice_stage_seconds_bucket{${stage}`))
    expect(buckets.map(([, value]) => value)).toEqual(buckets.map(([, value]) => value).sort())
  })

  it('equals the stats, by source, destination and reason, and has the outcomes of every stage', async () => {
    answers.set('hook.test', () => 422)
    await send('m1')
    await send('m2', { event: 'Nothing' })
    await send('m3', { event: 'Broken' })
    await sluice.ingest('web-key', [{ type: 'track' }])
    await suppress('u2')
    await send('m4', { userId: 'u2' })
    await sluice.settled()
    const { text } = await api.get('/metrics')
    const to = (destination: string) => `workspace="shop",source="web",destination="${destination}"`
    const [stats] = await sluice.stats('shop')
    expect(stats).toMatchObject({ received: 5, suppressed: 1, accepted: 3 })
    for (const line of [
      'sluice_events_received_total{workspace="shop",source="web"} 5',
      'sluice_events_suppressed_total{workspace="shop",source="web"} 1',
      'sluice_events_accepted_total{workspace="shop",source="web"} 3',
      `sluice_events_rejected_total{workspace="shop",source="web",reason="${Object.keys(stats?.rejected ?? {})[0]}"} 1`,
      `sluice_destination_delivered_total{${to('coded')}} 1`,
      `sluice_destination_failed_total{${to('coded')},reason="transform.threw"} 1`,
      `sluice_destination_failed_total{${to('hook')},reason="deliver.refused"} 3`,
      `sluice_destination_pending{${to('hook')}} 0`,
      'sluice_dead_letters{workspace="shop"} 4',
      'sluice_budget_used{workspace="shop",budget="deadLetters",unit="count"} 4',
      'sluice_destination_lag_seconds{workspace="shop",destination="hook"} 0',
      'sluice_stage_events_total{workspace="shop",destination="coded",stage="user-transform",outcome="dropped"} 1',
      'sluice_stage_events_total{workspace="shop",destination="coded",stage="user-transform",outcome="failed"} 1',
      'sluice_stage_events_total{workspace="shop",destination="hook",stage="deliver",outcome="failed"} 3',
    ])
      expect(text.split('\n')).toContain(line)
    const [, dropped] = text.match(/sluice_destination_dropped_total\{[^}]*destination="coded"[^}]*\} (\d)/) ?? []
    expect(dropped).toBe('1')
    expect((await api.get('/v1/stats')).body['workspaces']).toEqual([
      { workspaceId: 'shop', sources: await sluice.stats('shop') },
    ])
  })

  it('has what the process takes of the machine, under names that dashboards for Node know, for operators only', async () => {
    const names = async (path: string, as = api) =>
      [...(await as.get(path)).text.matchAll(/^# TYPE ((?:process|nodejs)_\w+)/gm)].map(([, name]) => name)
    await names('/metrics', api.as(admin))
    expect(await names('/metrics', api.as(admin))).toEqual(
      expect.arrayContaining([
        'process_cpu_seconds_total',
        'process_start_time_seconds',
        'process_resident_memory_bytes',
        'nodejs_heap_size_used_bytes',
        'nodejs_eventloop_lag_p99_seconds',
        'nodejs_version_info',
      ]),
    )
    expect(await names('/metrics')).toEqual([])
    expect(await names('/metrics?workspaceId=shop', api.as(admin))).toEqual([])
    const { text } = await api.as(admin).get('/metrics')
    const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    expect(figure('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(Math.abs(figure('process_start_time_seconds') + process.uptime() - Date.now() / 1_000)).toBeLessThan(10)
  })

  it('changes only the suppression counter, and the ingestion counters, for a suppressed event', async () => {
    await suppress('u2')
    await send('m1')
    await sluice.settled()
    const before = (await api.get('/metrics')).text.split('\n')
    await send('m2', { userId: 'u2' })
    await sluice.settled()
    const after = (await api.get('/metrics')).text.split('\n')
    expect(after.filter((line) => !before.includes(line))).toEqual([
      'sluice_events_received_total{workspace="shop",source="web"} 2',
      'sluice_events_suppressed_total{workspace="shop",source="web"} 1',
    ])
  })

  it('reports how many events wait, and for how long', async () => {
    let release = (): void => {}
    answers.set('hook.test', () => new Promise((resolve) => (release = () => resolve(200))))
    const sentAt = clock.now()
    await send('m1')
    await eventually(async () => {
      clock.advance(untilCommitted)
      return (await sluice.stats('shop'))[0]?.destinations[0]?.pending
    }).toBe(0)
    clock.advance(5_000)
    const { text } = await api.get('/metrics')
    const lag = (clock.now() - sentAt) / 1_000
    expect(text).toContain(`sluice_destination_lag_seconds{workspace="shop",destination="hook"} ${lag}\n`)
    expect(text).toContain('sluice_destination_pending{workspace="shop",source="web",destination="hook"} 1\n')
    release()
    await sluice.settled()
  })
})

describe('/v1/events/{messageId}', () => {
  const passed = (stage: string) => ({ stage, outcome: 'passed' })

  it('shows where an event went, stage by stage, and why', async () => {
    answers.set('hook.test', () => 422)
    await send('m1')
    await send('m2', { event: 'Nothing' })
    await send('m3', { event: 'Broken' })
    await sluice.settled()
    const at = new Date(clock.now()).toISOString()
    const transformed = [passed('permission'), passed('user-transform')]
    const failed = {
      destinationId: 'hook',
      outcome: 'failed',
      stages: [passed('permission'), passed('destination-transform'), { stage: 'deliver', outcome: 'failed' }],
      at,
      reason: 'hook.test refused the request. It answered 422.',
      code: 'deliver.refused',
      docs: '/docs/errors/deliver.refused',
      outputs: 0,
      tries: [{ at, status: 422, tookMs: 0 }],
      deadLetterIds: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
    }
    const versionId = expect.any(String)
    expect(await traceOf('m1')).toEqual({
      messageId: 'm1',
      workspaceId: 'shop',
      sourceId: 'web',
      acceptedAt: at,
      destinations: [
        {
          destinationId: 'coded',
          outcome: 'delivered',
          stages: [...transformed, passed('destination-transform'), { stage: 'deliver', outcome: 'delivered' }],
          at,
          outputs: 1,
          versionId,
          deadLetterIds: [],
        },
        failed,
      ],
    })
    const stopped = { at, outputs: 0, versionId }
    const ending = (outcome: string) => [passed('permission'), { stage: 'user-transform', outcome }]
    expect((await traceOf('m2')).destinations).toEqual([
      {
        ...stopped,
        destinationId: 'coded',
        outcome: 'dropped',
        stages: ending('dropped'),
        reason: expect.any(String),
        deadLetterIds: [],
      },
      failed,
    ])
    expect((await traceOf('m3')).destinations[0]).toMatchObject({
      ...stopped,
      outcome: 'failed',
      stages: ending('failed'),
      code: 'transform.threw',
      reason: expect.stringContaining('cannot "do" it'),
      deadLetterIds: [expect.any(String)],
    })
  })

  it('shows an event before its turn, one that waits with its last error, and the result of a replay', async () => {
    let release = (_status: number): void => {}
    answers.set('hook.test', () => new Promise((resolve) => (release = resolve)))
    await send('m1')
    await eventually(async () => {
      clock.advance(untilCommitted)
      return (await traceOf('m1')).destinations[0]?.['outcome']
    }).toBe('delivered')
    expect((await traceOf('m1')).destinations[1]).toEqual({
      destinationId: 'hook',
      outcome: 'pending',
      stages: [],
      outputs: 0,
      position: 1,
      deadLetterIds: [],
    })
    answers.set('hook.test', () => 503)
    release(503)
    const hook = async () => {
      clock.advance(500)
      return (await traceOf('m1')).destinations[1]
    }
    await eventually(async () => (await hook())?.['outcome']).toBe('waiting')
    expect(await hook()).toEqual({
      destinationId: 'hook',
      outcome: 'waiting',
      stages: [passed('permission'), passed('destination-transform'), { stage: 'deliver', outcome: 'waiting' }],
      outputs: 0,
      attempts: 3,
      tries: Array.from({ length: 3 }, () => ({ at: expect.any(String), status: 503, tookMs: expect.any(Number) })),
      nextTryAt: expect.stringMatching(/Z$/),
      reason: expect.stringContaining('hook.test'),
      code: 'deliver.unavailable',
      docs: '/docs/errors/deliver.unavailable',
      deadLetterIds: [],
    })
    answers.set('hook.test', () => 422)
    clock.advance(600_000)
    await eventually(async () => (await hook())?.['outcome']).toBe('failed')
    expect(await hook()).toMatchObject({ tries: [503, 503, 503, 422].map((status) => ({ status })) })
    const { deadLetterIds: [id = ''] = [] } = (await hook()) ?? {}
    answers.delete('hook.test')
    await api.post('/v2/dead-letters/replay', { ids: [id] })
    await sluice.settled()
    expect(await hook()).toMatchObject({ outcome: 'delivered', deadLetterIds: [] })
  })

  it('answers for a suppressed event, also one suppressed while it waits, exactly as for an unknown event', async () => {
    const ask = async (messageId: string) => {
      const request = new Request(`http://x/v1/events/${messageId}`, { headers: { authorization: 'Bearer operate' } })
      const answer = await sluice.fetch(request)
      return [answer.status, [...answer.headers], await answer.text()]
    }
    const never = await ask('never-seen')
    expect(never[0]).toBe(404)
    answers.set('hook.test', () => 503)
    answers.set('coded.test', () => 503)
    await send('waits', { userId: 'u2' })
    await eventually(async () => {
      clock.advance(500)
      return (await traceOf('waits')).destinations?.map(({ outcome }) => outcome)
    }).toEqual(['waiting', 'waiting'])
    await suppress('u2')
    await send('suppressed', { userId: 'u2' })
    expect(await ask('suppressed')).toEqual(never)
    expect(await ask('waits')).toEqual(never)
    clock.advance(600_000)
    await sluice.settled()
    expect(await ask('waits')).toEqual(never)
  })

  it('answers the same for an event that is suppressed before its turn', async () => {
    let release = (): void => {}
    const held = new Promise<number>((resolve) => (release = () => resolve(200)))
    for (const host of ['hook.test', 'coded.test']) answers.set(host, () => held)
    await send('first')
    await eventually(async () => (await traceOf('first')).destinations?.length).toBe(2)
    await send('next', { userId: 'u2' })
    expect((await traceOf('next')).destinations.map(({ outcome }) => outcome)).toEqual(['pending', 'pending'])
    await suppress('u2')
    expect(await api.get('/v1/events/next')).toEqual(await api.get('/v1/events/never-seen'))
    release()
    await sluice.settled()
    expect(await api.get('/v1/events/next')).toEqual(await api.get('/v1/events/never-seen'))
    expect((await traceOf('first')).destinations.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
  })

  it('with receipts off, shows only events that wait or failed', async () => {
    await sluice.stop()
    await start({ receipts: 'off' })
    answers.set('hook.test', () => 422)
    await send('m1')
    await sluice.settled()
    expect((await traceOf('m1')).destinations).toMatchObject([
      { destinationId: 'hook', outcome: 'failed', code: 'deliver.refused', deadLetterIds: [expect.any(String)] },
    ])
    answers.delete('hook.test')
    await send('m2')
    await sluice.settled()
    expect((await api.get('/v1/events/m2')).status).toBe(404)
    expect(await sluice.receipts('m2', 'shop')).toEqual([])
  })
})
