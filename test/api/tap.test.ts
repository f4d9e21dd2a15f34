import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { basic, hashOf } from '../support/http/api-client.ts'
import { openTap, type TapReader } from '../support/http/tap-reader.ts'
import { shop } from '../support/scenes/shop.ts'

const secret = 'canary-secret'
const code = `export function transformEvent(event) {
  log('saw', event.event, event.traits?.email)
  if (event.event === 'Nothing') return null
  if (event.event === 'Broken') throw new Error('payload: ' + JSON.stringify(event.properties))
  return event
}`
const hook = {
  id: 'hook',
  type: 'WEBHOOK' as const,
  settings: { webhookUrl: 'http://hook.test/', headers: [{ from: 'x-key', to: secret }] },
  transformation: { code },
}
const theShop = shop('http://hook.test/', {
  destinations: [hook],
  accessTokens: [{ name: 'operate', token: hashOf('operate'), scopes: ['operate'] }],
})
const neighbour = {
  ...shop('http://neighbour.test/', { sources: [{ id: 'web', writeKey: 'neighbour-key' }] }),
  id: 'neighbour',
}

let sluice: Sluice
const taps: TapReader[] = []

beforeEach(async () => {
  sluice = await createSluice({
    workspace: { workspaces: [theShop, neighbour] },
    transport: createRecordingTransport(({ body }) => reply(body.JSON['event'] === 'Refused' ? 422 : 200)),
    admin: { user: 'admin', password: 'password' },
    sandbox: { mode: 'in-process' },
  })
})
afterEach(async () => {
  for (const tap of taps.splice(0)) await tap.leave()
  await sluice.stop()
})

async function tapOf(query = '', authorization?: string): Promise<TapReader> {
  const tap = await openTap(sluice, query, authorization)
  taps.push(tap)
  return tap
}
const track = (event: string, more: object = {}) => ({
  type: 'track',
  event,
  userId: 'u1',
  messageId: `m-${event}`,
  ...more,
})
async function send(events: readonly object[], writeKey = 'web-key'): Promise<void> {
  expect((await sluice.ingest(writeKey, events)).ok).toBe(true)
  await sluice.settled()
}
const linesOf = ({ entries }: TapReader) => entries.map(({ event, outcome }) => `${event} ${outcome}`)

describe('/v1/tap', () => {
  it('shows what happens to events, with stage and reason, without their payload', async () => {
    const tap = await tapOf()
    expect(tap.status).toBe(200)
    const properties = { card: 'canary-payload' }
    await send(['Seen', 'Nothing', 'Broken', 'Refused'].map((name) => track(name, { properties })))
    const shared = { at: expect.any(String), workspaceId: 'shop', sourceId: 'web', type: 'track' }
    const entry = (event: string, more: object) => ({ ...shared, event, messageId: `m-${event}`, ...more })
    const at = (event: string, more: object) =>
      entry(event, { destinationId: 'hook', tookMs: expect.any(Number), ...more })
    await eventually(() => tap.entries).toHaveLength(8)
    expect(tap.entries).toEqual([
      ...['Seen', 'Nothing', 'Broken', 'Refused'].map((event) =>
        entry(event, { outcome: 'accepted', stage: 'ingest' }),
      ),
      at('Seen', { outcome: 'delivered', stage: 'deliver' }),
      at('Nothing', { outcome: 'dropped', stage: 'user-transform', reason: expect.any(String) }),
      at('Broken', {
        outcome: 'failed',
        stage: 'user-transform',
        code: 'transform.threw',
        reason: 'User code raised an exception.',
      }),
      at('Refused', {
        outcome: 'failed',
        stage: 'deliver',
        code: 'deliver.refused',
        reason: 'The destination answered that it does not accept the request, or Sluice may not send it.',
      }),
    ])
    for (const canary of ['canary-payload', secret, 'u1']) expect(tap.text()).not.toContain(canary)
  })

  it('shows only the selected entries', async () => {
    const queries = {
      '?outcome=delivered': ['A delivered', 'B delivered'],
      '?event=A': ['A accepted', 'A delivered'],
      '?destination=hook&event=B': ['B delivered'],
      '?messageId=m-B&outcome=accepted': ['B accepted'],
      '?source=unknown': [],
      '?type=page': [],
    }
    const opened = await Promise.all(Object.keys(queries).map((query) => tapOf(query)))
    await send([track('A'), track('B')])
    await eventually(() => opened.map(linesOf)).toEqual(Object.values(queries))
    expect((await tapOf('?outcome=nonsense')).status).toBe(400)
  })

  it('shows a token only its own workspace', async () => {
    const [tap, all] = [await tapOf(), await tapOf('', basic('admin', 'password'))]
    await send([track('Theirs')], 'neighbour-key')
    await send([track('Mine')])
    await eventually(() => all.entries).toHaveLength(4)
    expect(linesOf(tap)).toEqual(['Mine accepted', 'Mine delivered'])
  })

  it('shows nothing of a suppressed event', async () => {
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u2' }] })
    const tap = await tapOf()
    await send([track('Canary', { userId: 'u2' }), track('Seen')])
    await eventually(() => tap.entries).toHaveLength(2)
    expect(tap.text()).not.toContain('Canary')
  })

  it('shows as many entries per second as requested, and how many were left out', async () => {
    const tap = await tapOf('?perSecond=3&outcome=accepted')
    await send(Array.from({ length: 10 }, (_, i) => track(`E${i}`)))
    await eventually(tap.leftOut).toBe(7)
    expect(linesOf(tap)).toEqual(['E0 accepted', 'E1 accepted', 'E2 accepted'])
  })

  it('buffers at most some hundred entries for a client that does not read', async () => {
    const request = new Request('http://x/v1/tap?perSecond=1000', { headers: { authorization: 'Bearer operate' } })
    const { body } = await sluice.fetch(request)
    for (let i = 0; i < 4; i += 1) await send(Array.from({ length: 200 }, (_, j) => track(`E${i}-${j}`)))
    const reader = body?.getReader()
    const read: string[] = []
    for (;;) {
      const next = await Promise.race([
        reader?.read(),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 40)),
      ])
      if (next === undefined) break
      read.push(new TextDecoder().decode(next.value))
    }
    // The number of those left out comes once a second, also in between.
    expect(read.filter((line) => !line.startsWith('event: leftOut'))).toHaveLength(500)
    await reader?.cancel()
  })

  it('allows sixteen watchers, refuses more, and admits new ones when some have left', async () => {
    const first = await Promise.all(Array.from({ length: 16 }, () => tapOf()))
    expect(first.map(({ status }) => status)).toEqual(Array(16).fill(200))
    expect((await tapOf()).status).toBe(503)
    await first[0]?.leave()
    expect((await tapOf()).status).toBe(200)
    // A HEAD request does not watch.
    await first[1]?.leave()
    const head = new Request('http://x/v1/tap', { method: 'HEAD', headers: { authorization: 'Bearer operate' } })
    for (let i = 0; i < 3; i += 1) expect((await sluice.fetch(head)).status).toBe(200)
    expect((await tapOf()).status).toBe(200)
  })

  it('ends when the pipeline stops, and refuses new watchers from then on', async () => {
    const tap = await tapOf()
    sluice.endTaps()
    await tap.ended
    expect((await tapOf()).status).toBe(503)
  })
})

describe('/v1/logs', () => {
  it('shows what user code logs, detectable personal data masked, to those who watch the transformation', async () => {
    const openLogs = async (query: string, authorization?: string) => {
      const reader = await openTap(sluice, query, authorization, '/v1/logs')
      taps.push(reader)
      return reader
    }
    const { name = '', versionId = '' } = sluice.workspaces[0]?.destinations[0]?.transformation ?? {}
    const [all, own, other] = await Promise.all([
      openLogs(''),
      openLogs(`?versionId=${versionId}&transformationId=${encodeURIComponent(name)}`),
      openLogs('?versionId=none'),
    ])
    await send([track('Seen', { traits: { email: 'ann@shop.test' } }), track('Nothing')])
    await eventually(() => own?.entries).toHaveLength(2)
    expect(own?.entries).toEqual(
      ['saw Seen [email]', 'saw Nothing undefined'].map((line) => ({
        at: expect.any(String),
        workspaceId: 'shop',
        destinationId: 'hook',
        transformationId: name,
        versionId,
        line,
      })),
    )
    expect([all?.entries, other?.entries]).toEqual([own?.entries, []])
    expect((await openLogs('', basic('admin', 'wrong'))).status).toBe(401)
  })

  it('leaves out what a reader cannot follow, and says how much', async () => {
    const reader = await openTap(sluice, '?perSecond=2', undefined, '/v1/logs')
    taps.push(reader)
    await send(Array.from({ length: 5 }, (_, n) => track(`E${n}`)))
    await eventually(reader.leftOut).toBe(3)
    expect(reader.entries).toHaveLength(2)
  })
})

describe('what happened before a tap was opened', () => {
  it('is sent first, the oldest first, with the milliseconds since the event was accepted', async () => {
    await send(['Seen', 'Nothing', 'Refused'].map((name) => track(name)))
    const tap = await tapOf('?last=4')
    await eventually(() => tap.entries).toHaveLength(4)
    expect(linesOf(tap)).toEqual(['Refused accepted', 'Seen delivered', 'Nothing dropped', 'Refused failed'])
    expect(tap.entries[0]).not.toHaveProperty('tookMs')
    for (const entry of tap.entries.slice(1)) expect(entry).toHaveProperty('tookMs', expect.any(Number))
    await send([track('Later')])
    await eventually(() => linesOf(tap).slice(4)).toEqual(['Later accepted', 'Later delivered'])
  })

  it('is filtered like what happens now, and stays in its workspace', async () => {
    await send(['Seen', 'Refused'].map((name) => track(name)))
    await send([track('Other')], 'neighbour-key')
    const failed = await tapOf('?last=1000&outcome=failed')
    await eventually(() => linesOf(failed)).toEqual(['Refused failed'])
    expect((await tapOf('?last=1000&workspaceId=neighbour')).status).toBe(404)
    const ofShop = await tapOf('?last=1000')
    await eventually(() => ofShop.entries).toHaveLength(4)
    expect((await tapOf('?last=1001')).status).toBe(400)
    expect(linesOf(await tapOf())).toEqual([])
  })

  it('is forgotten when a user of the workspace is suppressed', async () => {
    await send([track('Seen')])
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'u1' }] })
    const tap = await tapOf('?last=1000')
    await send([track('Other', { userId: 'u2' })])
    await eventually(() => linesOf(tap)).toEqual(['Other accepted', 'Other delivered'])
  })
})
