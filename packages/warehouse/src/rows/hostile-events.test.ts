import type { Event, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dialectOf } from '../dialects/dialect-of.ts'
import { warehouseProviders } from '../dialects/provider.ts'
import { createRowMaker } from './create-row-maker.ts'
import type { EventOrigin } from './event/event-origin.ts'
import type { RowSettings } from './row-settings.ts'

const everything: RowSettings = {
  storeFullEvent: true,
  allowUsersContextTraits: true,
  keepsLongNames: true,
  guardsLoads: true,
  storesArrays: true,
  resolvesIdentities: true,
  jsonPaths: 'a,a.b,identify.traits.a,page.context.a',
}
const types = ['track', 'identify', 'page', 'screen', 'group', 'alias', 'extract', 'merge']

/** Keys that have a meaning somewhere, so that generated events get far. */
const keys = [
  ...[
    'a',
    'A b',
    'a_b',
    'order',
    'id',
    'uuid_ts',
    'context',
    'traits',
    'properties',
    'userProperties',
    'event',
    'type',
  ],
  ...['userId', 'anonymousId', 'messageId', 'receivedAt', 'recordId', 'mergeProperties', 'integrations', 'options'],
  ...['jsonPaths', 'POSTGRES', 'sources', 'version', 'ip', 'request_ip', 'constructor', 'toString', 'hasOwnProperty'],
  ...['__proto__', '', '0', '1', '你好', '🎉', 'k'.repeat(130), `${'k'.repeat(130)}z`, 'violationErrors', 'value'],
]
const leaf = fc.oneof(
  fc.string(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constantFrom<JsonValue>(
    null,
    '',
    '2026-01-31',
    '2026-02-30T23:59:59+05:30',
    1e21,
    'a'.repeat(600),
    '\u0000',
    '\ud800',
  ),
)
const json = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), tie('value'), { maxKeys: 8 }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
})).value
const events = fc
  .tuple(fc.dictionary(fc.constantFrom(...keys), json), fc.oneof(fc.constantFrom(...types), json))
  .map(([event, type]): Event => JSON.parse(JSON.stringify({ ...event, type })))
const origins = fc.constantFrom<EventOrigin>(
  {},
  { sourceId: 's', sourceCategory: 'cloud', receivedAt: 'no date' },
  { sourceType: 'web', sourceCategory: 'singer-protocol', destinationId: 'd', receivedAt: '2026-01-01T00:00:00Z' },
)
const cases = fc.record({
  event: events,
  origin: origins,
  provider: fc.constantFrom(...warehouseProviders),
  settings: fc.constantFrom<RowSettings>({}, everything, { ...everything, underscoreDivideNumbers: true }),
})

const makerOf = (provider: (typeof warehouseProviders)[number], settings: RowSettings) =>
  createRowMaker({ provider, settings, now: () => 0, uuid: () => 'uuid' })

describe('rows of any JSON', () => {
  it('have names that the product takes, and a type for every value', () => {
    fc.assert(
      fc.property(cases, ({ event, origin, provider, settings }) => {
        const { isUpperCase, nameLengthMax } = dialectOf(provider)
        const name = isUpperCase ? /^[A-Z_][A-Z0-9_$]*$/ : /^[a-z_][a-z0-9_$]*$/
        const made = makerOf(provider, settings)(event, origin)
        for (const { table, columns, data, names } of made.ok ? made.rows : []) {
          for (const each of [table, ...names]) {
            expect(each).toMatch(name)
            expect(each.length).toBeLessThanOrEqual(nameLengthMax)
          }
          expect(new Set(names).size).toBe(names.length)
          for (const column of Object.keys(data)) expect(columns[column]).toBeTypeOf('string')
        }
        if (!made.ok) expect(made.error.message.length).toBeLessThan(500)
      }),
      { numRuns: 1_000 },
    )
  })

  it('are the same again, also after other events, and leave the event as it is', () => {
    fc.assert(
      fc.property(fc.array(cases, { maxLength: 5 }), fc.constantFrom(...warehouseProviders), (given, provider) => {
        const used = makerOf(provider, everything)
        for (const { event, origin } of given) {
          const before = JSON.stringify(event)
          const rows = JSON.stringify(used(event, origin))
          expect(JSON.stringify(used(event, origin))).toBe(rows)
          expect(JSON.stringify(makerOf(provider, everything)(event, origin))).toBe(rows)
          expect(JSON.stringify(event)).toBe(before)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a hostile event', () => {
  const nested = (open: string, close: string): JsonValue =>
    JSON.parse(`${open.repeat(10_000)}1${close.repeat(10_000)}`)
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`key ${n}`, n]))
  const long = (n: number): string => 'kB'.repeat(500_000) + n
  const hostile: Readonly<Record<string, Event>> = {
    'objects in each other, 10,000 levels': { type: 'track', event: 'a', properties: { a: nested('{"a":', '}') } },
    'lists in each other, 10,000 levels': { type: 'track', event: 'a', properties: { a: nested('[', ']') } },
    'a type of 10,000 levels': { type: nested('[', ']') },
    'a record of 10,000 levels': { type: 'extract', event: 'a', recordId: nested('[', ']') },
    'identifiers of 10,000 levels': { type: 'merge', mergeProperties: [nested('[', ']')] },
    '100,000 properties': { type: 'track', event: 'a', properties: wide },
    '100,000 members of the context': { type: 'track', event: 'a', context: wide },
    '100,000 properties of a source without a limit': {
      type: 'track',
      event: 'a',
      channel: 'sources',
      properties: wide,
    },
    'a split text of 100,000 characters': {
      type: 'group',
      traits: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [n, 'a'])),
    },
    'keys of a million characters': {
      type: 'track',
      event: 'a',
      properties: { [long(1)]: { [long(2)]: { [long(3)]: 1, [long(4)]: 2 } } },
    },
    'a name of a million characters': { type: 'track', event: long(1) },
    '100,000 JSON paths': {
      ...{ type: 'track', event: 'a', properties: { a: 1 } },
      integrations: { POSTGRES: { options: { jsonPaths: Array.from({ length: 100_000 }, (_, n) => `a.b${n}`) } } },
    },
  }
  for (const [name, event] of Object.entries(hostile)) {
    it(`has rows or an error for little processor time: ${name}`, () => {
      for (const settings of [{}, everything]) {
        const rowsOf = makerOf('postgres', settings)
        let made: ReturnType<typeof rowsOf> | undefined
        expect(() => {
          made = rowsOf(event, { sourceCategory: 'cloud' })
        }).toCostAtMost(1_500)
        if (made === undefined) throw new Error('nothing was made')
        if (made.ok) for (const row of made.rows) expect(row.names.length).toBeLessThanOrEqual(200)
        else expect(made.error.message.length).toBeLessThan(500)
      }
    })
  }

  it('changes no prototype', () => {
    const event = JSON.parse(
      '{"type":"track","event":"__proto__","properties":{"__proto__":{"a":1}},"context":{"__proto__":{"b":1}},"integrations":{"__proto__":{"options":{"skipTracksTable":true}}}}',
    ) as Event
    const made = makerOf('postgres', {})(event, {})
    expect(made.ok && made.rows.map(({ table }) => table)).toEqual(['tracks', '__proto'])
    expect(made.ok && made.rows[1]?.data).toMatchObject({ __proto_a: 1, context_proto_b: 1 })
    expect(({} as { a?: number }).a).toBeUndefined()
  })
})
