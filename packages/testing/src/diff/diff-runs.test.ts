import type { Event, JsonObject } from '@sluice/core'
import { builtInDestinations, parseSettings } from '@sluice/destinations'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OfflineDestination } from '../run/offline-run.ts'
import { groupName } from './change-groups.ts'
import { diffRuns } from './diff-runs.ts'
import type { DiffedWay, DiffSide } from './diffed-way.ts'

const code = (body: string): DiffSide => ({
  subject: { name: 'main', code: `export function transformEvent(event, metadata) { ${body} }` },
})
const kept = 'return event'
const order = (n: number, properties: JsonObject = {}): Event => ({
  type: 'track',
  event: 'Order',
  messageId: `m${n}`,
  userId: 'u1',
  properties: { total: n, tags: ['a', 'b'], ...properties },
})
const page: Event = { type: 'page', name: 'Home', messageId: 'p1', userId: 'u2', properties: {} }
const usual = [order(1), order(2), page]

async function groupsOf(ways: readonly DiffedWay[], events: readonly Event[] = usual) {
  const { groups } = await diffRuns(ways, events, { sandbox: { mode: 'in-process' } })
  return groups.map((group) => `${group.events}× ${groupName(group)}`)
}
const webhook = (settings: JsonObject): OfflineDestination => {
  const definition = builtInDestinations.find(({ type }) => type === 'WEBHOOK')
  if (definition === undefined) throw new Error('no webhook')
  const parsed = parseSettings(definition, { webhookUrl: 'https://hook.test/in', ...settings })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed))
  return { definition, settings: parsed.settings }
}

/** What code is before and after, and which groups that makes of `usual`. */
const changes: Readonly<Record<string, readonly [before: string, after: string, groups: readonly string[]]>> = {
  nothing: [kept, kept, []],
  'other words for the same': [kept, 'return { ...event }', []],
  'another order of keys': [kept, 'const { type, ...rest } = event; return { ...rest, type }', []],
  'a member that is new': [kept, 'event.seen = 1; return event', ['3× output[].seen: absent → number']],
  'a member that is gone': [kept, 'delete event.userId; return event', ['3× output[].userId: text → absent']],
  'a member that is undefined': [kept, 'event.none = undefined; return event', []],
  'null in place of a number': [
    kept,
    'if (event.properties.total) event.properties.total = null; return event',
    ['2× output[].properties.total: number → null'],
  ],
  'a number in place of null': [
    'event.value = null; return event',
    'event.value = 2; return event',
    ['3× output[].value: null → number'],
  ],
  'another number': [
    kept,
    'if (event.properties.total) event.properties.total *= 100; return event',
    ['2× output[].properties.total: number → another number'],
  ],
  'another text': [kept, 'event.userId += "!"; return event', ['3× output[].userId: text → another text']],
  'a flag': ['event.ok = true; return event', 'event.ok = false; return event', ['3× output[].ok: true → false']],
  'a text in place of a number': [
    kept,
    'if (event.properties.total) event.properties.total += ""; return event',
    ['2× output[].properties.total: number → text'],
  ],
  'one more entry of a list': [
    kept,
    'event.properties.tags?.unshift("new"); return event',
    ['2× output[].properties.tags[]: absent → text'],
  ],
  'one entry less': [
    kept,
    'event.properties.tags?.pop(); return event',
    ['2× output[].properties.tags[]: text → absent'],
  ],
  'an object in place of a list': [
    kept,
    'if (event.properties.tags) event.properties.tags = {}; return event',
    ['2× output[].properties.tags: list → object'],
  ],
  'a key that is no name': [kept, 'event["a b"] = 1; return event', ['3× output[]["a b"]: absent → number']],
  'keys that are ids': [
    'event.map = { 11111: 1 }; return event',
    'event.map = { 22222: 1 }; return event',
    ['3× output[].map[id]: absent → number', '3× output[].map[id]: number → absent'],
  ],
  'one name of event': [
    kept,
    'if (event.event === "Order") event.seen = 1; return event',
    ['2× output[].seen: absent → number'],
  ],
  'another name of event': [
    kept,
    'event.event = "Sale"; return event',
    ['2× output[].event: text → another text', '1× output[].event: absent → text'],
  ],
  'two changes': [
    kept,
    'event.a = 1; event.b = "x"; return event',
    ['3× output[].a: absent → number', '3× output[].b: absent → text'],
  ],
  'a drop': [
    kept,
    'return event.type === "page" ? null : event',
    ['1× outcome: passed → dropped (transformation returned nothing)'],
  ],
  'a drop that is none any more': [
    'return null',
    kept,
    ['3× outcome: dropped (transformation returned nothing) → passed'],
  ],
  'an error': [kept, 'throw new Error("no")', ['3× outcome: passed → failed (Error: no)']],
  'an error for one event': [
    kept,
    'return { ...event, first: event.properties.tags[0] }',
    [
      '2× output[].first: absent → text',
      '1× outcome: passed → failed (TypeError: Cannot read properties of undefined)',
    ],
  ],
  'another error': [
    'throw new Error("one")',
    'throw new Error("two")',
    ['3× outcome: failed (Error: one) → failed (Error: two)'],
  ],
  'the same error at another line': ['throw new Error("one")', '\n\n throw new Error("one")', []],
  'an error that is mended': [
    'return event.nothing.there',
    kept,
    ["3× outcome: failed (TypeError: Cannot read properties of undefined (reading 'there')) → passed"],
  ],
  'two events of one': [kept, 'return [event, event]', ['3× output[]: absent → object']],
  'one event of two': ['return [event, event]', kept, ['3× output[]: object → absent']],
  'an empty list': [kept, 'return []', ['3× outcome: passed → dropped (transformation returned nothing)']],
  'the time, which is the same for both': [
    'event.at = Date.now(); return event',
    'event.at = new Date().getTime(); return event',
    [],
  ],
  'randomness, which is the same for both': [
    'event.r = Math.random(); return event',
    'event.r = Math.random(); return event',
    [],
  ],
  'one random number more, which changes nothing else': [
    'event.r = Math.random(); return event',
    'event.r = Math.random(); if (event.type === "track") event.s = Math.random() < 2; return event',
    ['2× output[].s: absent → boolean'],
  ],
  'a log, which does not leave': [kept, 'log("seen"); return event', []],
  'a number that is not JSON': [kept, 'event.n = NaN; return event', ['3× output[].n: absent → null']],
  'a date': [kept, 'event.d = new Date(0); return event', ['3× output[].d: absent → text']],
  'a big text': [kept, 'event.big = "x".repeat(10000); return event', ['3× output[].big: absent → text']],
  metadata: [
    kept,
    'event.source = metadata(event).sourceId !== undefined; return event',
    ['3× output[].source: absent → boolean'],
  ],
  'state that one event leaves to the next': [
    kept,
    'globalThis.n = (globalThis.n ?? 0) + 1; event.first = globalThis.n === 1; return event',
    ['3× output[].first: absent → boolean'],
  ],
  'state that drops all but the first event of a user': [
    kept,
    'globalThis.seen ??= {}; if (globalThis.seen[event.userId]) return null; globalThis.seen[event.userId] = true; return event',
    ['1× outcome: passed → dropped (transformation returned nothing)'],
  ],
  'a text in place of what is a placeholder in tests': [
    'event.x = { $any: "string" }; return event',
    'event.x = "a"; return event',
    ['3× output[].x: object → text'],
  ],
  'one random number more': [
    'event.r = Math.random(); return event',
    'if (event.type === "page") event.q = Math.random() > 2; event.r ??= Math.random(); return event',
    ['1× output[].q: absent → boolean', '1× output[].r: number → another number'],
  ],
  'a deep member': [kept, 'event.a = { b: { c: [{ d: 1 }] } }; return event', ['3× output[].a: absent → object']],
}

describe('a diff of two versions', () => {
  for (const [name, [before, after, groups]] of Object.entries(changes))
    it(`groups ${name}`, async () => {
      expect(await groupsOf([{ before: code(before), after: code(after) }])).toEqual(groups)
    })

  it('of a version with itself is empty, for any events and code that uses time and randomness', async () => {
    const side = code('event.r = Math.random(); event.at = Date.now(); return event.userId === "drop" ? null : event')
    const events = fc.array(
      fc.record({
        type: fc.constant('track'),
        userId: fc.constantFrom('a', 'drop'),
        properties: fc.dictionary(fc.string(), fc.jsonValue()),
      }),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(events, async (some) => {
        expect(await groupsOf([{ before: side, after: side }], some as Event[])).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('of settings compares the requests of the destination', async () => {
    const before = { destination: webhook({}) }
    const way = (settings: JsonObject): readonly DiffedWay[] => [
      { destination: 'hook', before, after: { destination: webhook(settings) } },
    ]
    expect(await groupsOf(way({}))).toEqual([])
    expect(await groupsOf(way({ webhookMethod: 'PUT' }))).toEqual(['3× hook: requests[].method: text → another text'])
    expect(await groupsOf(way({ headers: [{ from: 'x-team', to: 'a' }] }))).toEqual([
      '3× hook: requests[].headers["x-team"]: absent → text',
    ])
  })

  it('shows destinations that are new or gone, and counts what became of events on both sides', async () => {
    const hook = { destination: webhook({}) }
    const report = await diffRuns(
      [
        { destination: 'new', before: undefined, after: hook },
        { destination: 'gone', before: hook, after: undefined },
      ],
      usual,
      { sandbox: { mode: 'in-process' } },
    )
    expect(report.groups.map(groupName)).toEqual([
      'gone: outcome: passed → not there',
      'new: outcome: not there → passed',
    ])
    expect(report).toMatchObject({
      events: 3,
      changed: 3,
      before: { passed: 3, dropped: 0, failed: 0, requests: 3 },
      after: { passed: 3, dropped: 0, failed: 0, requests: 3 },
    })
  })

  it('names the events of a group, and shows the smallest as its example', async () => {
    const events = [order(1, { note: 'x'.repeat(500) }), order(2), page]
    const ways = [{ before: code(kept), after: code('event.seen = event.messageId; return event') }]
    const { groups } = await diffRuns(ways, events, { sandbox: { mode: 'in-process' } })
    expect(groups).toEqual([
      {
        path: 'output[].seen',
        change: 'absent → text',
        events: 3,
        byName: [
          { name: 'Order', events: 2 },
          { name: 'Home', events: 1 },
        ],
        example: { event: 3, messageId: 'p1', after: 'p1' },
      },
    ])
  })

  it('tells at most a thousand groups apart, and counts what is left out', async () => {
    const after = code("for (let n = 0; n < 190; n++) event['k' + event.properties.total + '_' + n] = 1; return event")
    const events = Array.from({ length: 8 }, (_, n) => order(n))
    const report = await diffRuns([{ before: code(kept), after }], events, { sandbox: { mode: 'in-process' } })
    expect([report.groups.length, report.groupsLeftOut]).toEqual([1_000, 8 * 190 - 1_000])
  })

  it('refuses code that cannot be loaded', async () => {
    const broken = { subject: { name: 'main', code: 'export function transformEvent(' } }
    await expect(diffRuns([{ before: code(kept), after: broken }], usual)).rejects.toThrow(/SyntaxError|main:1/)
  })
})
