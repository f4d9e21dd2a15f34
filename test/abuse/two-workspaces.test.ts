import { gzipSync } from 'node:zlib'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createSluice, type Sluice } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, until } from '../support/eventually.ts'
import { basic, hashOf } from '../support/http/api-client.ts'
import { pause } from '../support/pause.ts'

/** Calls of the attacker that are under way at the same time. */
const flood = 4
/** Events that the other workspace sends during each attack. */
const rounds = 4
/**
 * Longest allowed time from sending an event of the other workspace to its delivery, transformation included: three
 * seconds, or on a busy machine this many times as long as alone. Alone it takes some 10 ms; the attacks delayed it by 8
 * to 70 s.
 */
const wayMsMax = { least: 3_000, timesAlone: 300 }
let aloneMs = 0
/** How much the process may grow; the attacks made it take 2 to 6 GB. */
const grownBytesMax = 700 * 1024 * 1024

const scopes = ['read', 'write', 'operate'] as const
const loop = 'for (;;);'
const nativeLoop = 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)'
const hostileCodes: Readonly<Record<string, string>> = {
  loop,
  nativeLoop,
  memory: "const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)",
  text: "event.text = 'x'.repeat(3e6)",
  buffer: 'globalThis.b ??= new ArrayBuffer(1e6); event.b = new Uint8Array(b)',
  copies:
    "const properties = { text: 'x'.repeat(4e4) }; return Array.from({ length: 100 }, () => ({ ...event, properties }))",
  log: "for (let n = 0; n < 45000; n++) log('line')",
}
const codeOf = (body: string): string => `export function transformEvent(event) { ${body}; return event }`
const hook = (id: string, code: string) => ({
  id,
  type: 'WEBHOOK' as const,
  settings: { webhookUrl: `http://${id}.test/` },
  transformation: { code },
})
const accessTokens = (id: string) =>
  scopes.map((scope) => ({ name: scope, token: hashOf(`${scope}-${id}`), scopes: [scope] }))

/** One source and one destination per hostile transformation. */
const attacker = {
  id: 'a',
  accessTokens: [...accessTokens('a'), { name: 'all', token: hashOf('all-a') }],
  sources: [...Object.keys(hostileCodes), 'web'].map((id) => ({ id, writeKey: `key-${id}` })),
  destinations: [
    ...Object.entries(hostileCodes).map(([id, body]) => hook(id, codeOf(body))),
    { id: 'customerio', type: 'CUSTOMERIO' as const, settings: { siteID: 'site', apiKey: 'key' } },
    { id: 'slack', type: 'SLACK' as const, settings: { webhookUrl: 'https://slack.test/' } },
  ],
  connections: [
    ...Object.keys(hostileCodes).map((id) => ({ source: id, destination: id })),
    { source: 'web', destination: 'customerio' },
  ],
}
const innocent = {
  id: 'b',
  accessTokens: accessTokens('b'),
  sources: [{ id: 'web', writeKey: 'key-b' }],
  destinations: [hook('mine', codeOf('event.seen = true'))],
  connections: [{ source: 'web', destination: 'mine' }],
}

let sluice: Sluice
/** Delivered events of the innocent workspace. */
const delivered: Readonly<Record<string, unknown>>[] = []
/** Callbacks that wait for a delivery, by message id. */
const arrivals = new Map<unknown, () => void>()
let sent = 0
let loopingVersion = ''

beforeAll(async () => {
  const transport = createRecordingTransport(({ endpoint, body }) => {
    if (endpoint === 'http://mine.test/') {
      const event = body.JSON as Readonly<Record<string, unknown>>
      delivered.push(event)
      arrivals.get(event['messageId'])?.()
    }
    return reply(200)
  })
  sluice = await createSluice({
    workspace: { workspaces: [attacker, innocent] },
    transport,
    sandbox: { workers: 1, limits: { eventTimeMs: 2_000, batchTimeMs: 8_000 } },
  })
  const saved = (await (await save(codeOf(nativeLoop))).json()) as { readonly versionId: string }
  loopingVersion = saved.versionId
  // The first event loads the transformation.
  await wayMs()
  aloneMs = await slowestOf(rounds)
})
afterAll(() => sluice?.stop(0))

const send = async (path: string, authorization: string, body?: unknown, headers = {}): Promise<Response> => {
  const isBytes = body instanceof Uint8Array
  return sluice.fetch(
    new Request(`http://sluice.test${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...headers },
      body: body === undefined ? undefined : isBytes ? new Uint8Array(body) : JSON.stringify(body),
    }),
  )
}
const post = (key: string, batch: readonly object[]) => send('/v1/batch', basic(`key-${key}`, ''), { batch })
const track = (n: number, more: object = {}) => ({ type: 'track', event: 'Seen', userId: `u${n}`, ...more })
const tracks = (count: number, more: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => track(n, more(n)))

/** Sends an event of the innocent workspace and waits until it is delivered. */
async function wayMs(): Promise<number> {
  sent += 1
  const messageId = `mine-${sent}`
  const startedAt = performance.now()
  let hasArrived = false
  const arrived = new Promise<void>((resolve) => arrivals.set(messageId, resolve)).then(() => {
    hasArrived = true
  })
  expect((await post('b', [track(sent, { messageId })])).status).toBe(200)
  const failed = () => sluice.deadLetters.list('b', { limit: 1 })
  await Promise.race([arrived, until(async () => hasArrived || (await failed()).length > 0)])
  if (!hasArrived) expect(await failed()).toEqual([])
  return performance.now() - startedAt
}
async function slowestOf(count: number): Promise<number> {
  let slowest = 0
  for (let round = 0; round < count; round += 1) slowest = Math.max(slowest, await wayMs())
  return slowest
}

const tryOut = (destination: string, more: object) =>
  send(`/v0/testDestination/${destination}`, 'Bearer operate-a', {
    stage: { user_transform: true, dest_transform: true },
    message: track(0),
    ...more,
  })
const save = (code: string) => send('/transformations', 'Bearer write-a', { name: 'T', code })
const test = () =>
  send('/transformations/libraries/test', 'Bearer all-a', {
    transformations: [{ versionId: loopingVersion, testInput: tracks(5) }],
  })

const gzipped = { 'content-encoding': 'gzip' }
const tinyEvent = '{"type":"track","userId":"a","event":"e"}'
const tinyEvents = gzipSync(`{"batch":[${`${tinyEvent},`.repeat(19_999)}${tinyEvent}]}`)
const tooManyEvents = gzipSync(`{"batch":[${`${tinyEvent},`.repeat(70_000)}${tinyEvent}]}`)
const deep = gzipSync(`{"batch":[{"properties":${'['.repeat(1_900_000)}`)

/** Each attack, with the credentials that it needs. */
const attacks: readonly (readonly [owns: string, name: string, strike: (n: number) => Promise<unknown>])[] = [
  [
    'a write key',
    'e-mails of 300 KB',
    () => post('web', [{ type: 'identify', userId: 'u', traits: { email: 'a@'.repeat(15e4) } }]),
  ],
  [
    'a write key',
    'events with new names',
    (n) =>
      post(
        'web',
        tracks(2_000, (i) => ({ event: `New ${n} ${i}` })),
      ),
  ],
  [
    'a write key',
    'events with new keys',
    (n) =>
      post(
        'web',
        tracks(300, (i) => ({ properties: Object.fromEntries(tracks(50).map((_, k) => [`${n} ${i} ${k}`, 1])) })),
      ),
  ],
  ['a write key', 'gzip of zeros', () => send('/v1/batch', basic('key-web', ''), gzipSync(Buffer.alloc(3e7)), gzipped)],
  ['a write key', 'nearly empty events', () => send('/v1/batch', basic('key-web', ''), tinyEvents, gzipped)],
  ['a write key', 'too many events', () => send('/v1/batch', basic('key-web', ''), tooManyEvents, gzipped)],
  ['a write key', 'deep nesting', () => send('/v1/batch', basic('key-web', ''), deep, gzipped)],
  ...Object.keys(hostileCodes).map(
    (name) => ['scope write, and a write key', `transformations: ${name}`, () => post(name, tracks(60))] as const,
  ),
  ['scope write', 'saves that keep the type parser busy', (n) => save(`x=${'<T>('.repeat(30)} // ${n}`)],
  ['scope write', 'saves of code that loops while it loads', (n) => save(`${loop} // ${n}`)],
  ['scopes write and operate', 'tests of code that loops', test],
  ['scope read', 'lists', () => send('/transformations', 'Bearer read-a')],
  [
    'scope operate',
    'trials of patterns',
    () =>
      tryOut('slack', {
        destinationConfig: { eventChannelSettings: [{ eventName: '^(a+)+$', eventRegex: true, eventChannel: '#a' }] },
      }),
  ],
  [
    'scope operate',
    'trials of unfinished templates',
    () => tryOut('customerio', { destinationConfig: { siteID: `{{a || ${' '.repeat(9_000)}` } }),
  ],
  ['scope operate', 'trials of a transformation that loops', () => tryOut('nativeLoop', {})],
  ['no credentials', 'guesses', (n) => send('/transformations', `Bearer guess-${n}`)],
]

describe('one workspace sends and transforms as before while another workspace attacks', () => {
  for (const [owns, name, strike] of attacks)
    it(`with ${owns}: ${name}`, async () => {
      const before = process.memoryUsage.rss()
      const startedAt = performance.now()
      let isOver = false
      let strikes = 0
      const statuses = new Set<number>()
      const lines = Array.from({ length: flood }, async () => {
        while (!isOver) {
          strikes += 1
          const answer = await strike(strikes)
          if (answer instanceof Response) statuses.add(answer.status)
          // If every response were ready at once, no other work would get a turn, not even the attacker's own.
          await new Promise((resolve) => setImmediate(resolve))
        }
      })
      // The attack is under way.
      await until(() => strikes > flood || performance.now() - startedAt > 100)
      const slowest = await slowestOf(rounds)
      const grown = process.memoryUsage.rss() - before
      isOver = true
      // The next attack starts without waiting for the attacker's open calls.
      await Promise.race([Promise.all(lines), pause(200, 'an attack may last longer than its test')])
      expect(slowest).toBeLessThan(Math.max(wayMsMax.least, wayMsMax.timesAlone * aloneMs))
      expect(grown).toBeLessThan(grownBytesMax)
      expect(strikes).toBeGreaterThanOrEqual(flood)
      // Checks that the attack did reach its target and was not simply refused.
      expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([])
    })

  it('and every event of the innocent workspace arrives once, as its transformation returned it', async () => {
    expect(delivered.map(({ messageId, seen }) => [messageId, seen])).toEqual(
      Array.from({ length: sent }, (_, n) => [`mine-${n + 1}`, true]),
    )
    // The last event counts as delivered once that is stored, a moment after it has arrived.
    await eventually(() => sluice.stats('b')).toMatchObject([
      { accepted: sent, countedOnly: 0, destinations: [{ delivered: sent, failed: {}, pending: 0 }] },
    ])
  })
})
