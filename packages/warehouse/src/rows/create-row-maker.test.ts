import type { Event } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { WarehouseProvider } from '../dialects/provider.ts'
import { createRowMaker, type RowMakerOptions } from './create-row-maker.ts'
import type { EventOrigin } from './event/event-origin.ts'
import type { RowError } from './row-error.ts'
import type { RowSettings } from './row-settings.ts'
import type { TableRow } from './table-row.ts'

const now = Date.parse('2026-11-01T12:00:00.000Z')

interface Made {
  readonly provider?: WarehouseProvider
  readonly settings?: RowSettings
  readonly origin?: EventOrigin
  readonly columnsMax?: number
}

function makerOf({ provider = 'postgres', settings = {}, columnsMax }: Made) {
  const options: RowMakerOptions = { provider, settings, now: () => now, uuid: () => 'uuid' }
  return createRowMaker(columnsMax === undefined ? options : { ...options, columnsMax })
}

function rowsOf(event: Event, made: Made = {}): readonly TableRow[] {
  const result = makerOf(made)(event, made.origin ?? {})
  if (!result.ok) throw new Error(result.error.message)
  return result.rows
}

/** Data by table. The last row counts when a table has several. */
function dataOf(event: Event, made: Made = {}): Readonly<Record<string, TableRow['data']>> {
  return Object.fromEntries(rowsOf(event, made).map(({ table, data }) => [table, data]))
}

function errorOf(event: Event, made: Made = {}): RowError | undefined {
  const result = makerOf(made)(event, made.origin ?? {})
  return result.ok ? undefined : result.error
}

const tablesOf = (event: Event, made: Made = {}) => rowsOf(event, made).map(({ table }) => table)
const track = (properties: Event = {}): Event => ({ type: 'track', event: 'Order Placed', messageId: 'm1', properties })
const identify = (traits: Event = {}): Event => ({ type: 'identify', messageId: 'm1', userId: 'u1', traits })

describe('the tables of an event', () => {
  const cases: readonly [string, Event, readonly string[], Made?][] = [
    ['track', track(), ['tracks', 'order_placed']],
    ['a type in other letters', { ...track(), type: 'Track' }, ['tracks', 'order_placed']],
    ['a track without a name', { type: 'track' }, ['tracks']],
    ['a track whose name has no letter', { type: 'track', event: '🎉' }, ['tracks']],
    ['a number as name', { type: 'track', event: 5 }, ['tracks', '_5']],
    ['a date as name', { type: 'track', event: '2020-01-02' }, ['tracks', '_2020_01_02t_00_00_00_000z']],
    ['a track without the table tracks', track(), ['order_placed'], { settings: { skipTracksTable: true } }],
    ['page', { type: 'page' }, ['pages']],
    ['screen', { type: 'screen' }, ['screens']],
    ['group', { type: 'group' }, ['groups']],
    ['group of BigQuery', { type: 'group' }, ['_groups'], { provider: 'bq' }],
    ['alias', { type: 'alias' }, ['aliases']],
    ['identify', identify(), ['identifies', 'users']],
    ['identify of an anonymous user', { type: 'identify', userId: '' }, ['identifies']],
    ['identify of the user 0', { type: 'identify', userId: 0 }, ['identifies', 'users']],
    ['identify without the table users', identify(), ['identifies'], { settings: { skipUsersTable: true } }],
    ['identify of Snowpipe Streaming', identify(), ['IDENTIFIES'], { provider: 'snowpipe_streaming' }],
    ['extract', { type: 'extract', event: 'Lead', recordId: 'r1' }, ['lead']],
    ['merge', { type: 'merge', mergeProperties: [] }, []],
  ]
  for (const [name, event, want, made] of cases)
    it(`of ${name} are ${want.join(' and ') || 'none'}`, () => expect(tablesOf(event, made)).toEqual(want))
})

describe('an event without rows', () => {
  const cases: readonly [string, Event, RowError['code'], Made?][] = [
    ['without a type', {}, 'unsupported_type'],
    ['of another type', { type: 'record' }, 'unsupported_type'],
    ['extract without a name', { type: 'extract', recordId: 'r' }, 'missing_event_name'],
    ['extract without a record', { type: 'extract', event: 'Lead' }, 'record_id_missing'],
    [
      'with 201 columns',
      track(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k_${n}`, n]))),
      'too_many_columns',
    ],
    ['with more columns than are set', track({ a: 1 }), 'too_many_columns', { columnsMax: 3 }],
  ]
  for (const [name, event, want, made] of cases)
    it(`${name} is ${want}`, () => expect(errorOf(event, made)?.code).toBe(want))

  it('names the value and the way out', () => {
    expect(errorOf({ type: 'record' })?.message).toMatch(/"record".*use track, identify/)
    expect(errorOf({ type: 'extract', event: 'Lead', recordId: {} })?.message).toMatch(
      /recordId is an object; .* need a text/,
    )
    expect(errorOf(track({ a: 1 }), { columnsMax: 3 })?.message).toMatch(/tracks.*3 that are allowed.*jsonPaths/)
  })
})

describe('the rows of a track event', () => {
  const event: Event = {
    ...track({ total: 9, items: ['a'], nested: { deep: { er: true } }, empty: {}, nothing: null, blank: '' }),
    anonymousId: 'a1',
    userId: 'u1',
    channel: 'web',
    request_ip: '203.0.113.9',
    context: { ip: '203.0.113.7', page: { url: 'https://shop.example' }, sourceId: 'mine' },
    sentAt: '2026-03-14T09:26:51.200Z',
    originalTimestamp: 'unknown',
    receivedAt: '2026-03-14 11:00:00+02:00',
  }
  const origin = { sourceId: 's1', sourceType: 'web', destinationId: 'd1', destinationType: 'POSTGRES' }
  const shared = {
    context_ip: '203.0.113.7',
    context_request_ip: '203.0.113.9',
    context_passed_ip: '203.0.113.7',
    context_page_url: 'https://shop.example',
    context_source_id: 's1',
    context_source_type: 'web',
    context_destination_id: 'd1',
    context_destination_type: 'POSTGRES',
    event_text: 'Order Placed',
    event: 'order_placed',
    id: 'm1',
    anonymous_id: 'a1',
    user_id: 'u1',
    sent_at: '2026-03-14T09:26:51.200Z',
    original_timestamp: 'unknown',
    received_at: '2026-03-14T09:00:00.000Z',
    channel: 'web',
  }

  it('have the context and the standard columns; properties are in the table of the event', () => {
    expect(dataOf(event, { origin })).toEqual({
      tracks: shared,
      order_placed: { ...shared, total: 9, items: ['a'], nested_deep_er: true },
    })
  })

  it('have a type for every column, uuid_ts included', () => {
    const [, { columns } = { columns: {} }] = rowsOf(event, { origin })
    expect(columns).toMatchObject({
      total: 'int',
      items: 'string',
      nested_deep_er: 'boolean',
      received_at: 'datetime',
      original_timestamp: 'string',
      uuid_ts: 'datetime',
    })
    expect(rowsOf(event, { provider: 'bq' })[0]?.columns).toMatchObject({ loaded_at: 'datetime' })
  })

  it('have an id and a time when the event has none', () => {
    const { tracks } = dataOf({ type: 'track', event: 'a' })
    expect(tracks).toMatchObject({ id: 'auto-uuid', received_at: '2026-11-01T12:00:00.000Z' })
    const received = { receivedAt: '2026-03-16T00:00:00Z' }
    expect(dataOf({ ...track(), receivedAt: 'nope' }, { origin: received })['tracks']).toMatchObject({
      received_at: '2026-03-16T00:00:00.000Z',
    })
  })

  it('take the record of a cloud source as id', () => {
    const synced = { ...track(), recordId: 'missing', context: { sources: { version: '1' } } }
    const made = { origin: { sourceCategory: 'cloud' } }
    expect(dataOf(synced, made)).toMatchObject({
      tracks: { id: 'm1', record_id: 'missing' },
      order_placed: { id: 'missing' },
    })
    expect(errorOf({ ...synced, recordId: ' ' }, made)?.code).toBe('record_id_missing')
    expect(dataOf(synced)['tracks']).not.toHaveProperty('record_id')
  })
})

describe('precedence of columns', () => {
  const placed = (properties: Event, more: Event = {}) => dataOf({ ...track(properties), ...more })['order_placed']

  it('lets userProperties, the context and standard columns win, in this order', () => {
    expect(placed({ a: 1, b: 1 }, { userProperties: { b: 2 } })).toMatchObject({ a: 1, b: 2 })
    expect(placed({ context_app: 1 }, { context: { app: 2 } })).toMatchObject({ context_app: 2 })
    expect(placed({ id: 'mine', userId: 'mine', event: 'mine' })).toMatchObject({ id: 'm1', event: 'order_placed' })
    expect(placed({ userId: 'mine' })).not.toHaveProperty('user_id')
  })

  it('lets the last of two keys with one name win, but no empty value', () => {
    expect(placed({ totalPrice: 1, total_price: 'x' })).toMatchObject({ total_price: 'x' })
    expect(placed({ totalPrice: 1, total_price: null, 'Total Price': '', TOTAL_PRICE: [] })).toMatchObject({
      total_price: 1,
    })
  })

  it('keeps the key constructor, which RudderStack loses', () => {
    expect(placed({ constructor: 'c' })).toMatchObject({ constructor: 'c' })
  })

  it('ignores members that are no objects, and the origin with a context that is none', () => {
    const { tracks } = dataOf({ ...track(), properties: 'x', context: 'y' }, { origin: { sourceId: 's1' } })
    expect(Object.keys(tracks ?? {}).filter((name) => name.startsWith('context'))).toEqual([])
  })
})

describe('the rows of a user', () => {
  it('have traits; those of the context as columns of their own', () => {
    const event = { ...identify({ email: 'a@b.example' }), context: { traits: { email: 'c@d.example', plan: 'x' } } }
    const both = { email: 'a@b.example', context_traits_email: 'c@d.example', context_traits_plan: 'x' }
    expect(dataOf(event)).toMatchObject({
      identifies: { ...both, id: 'm1', user_id: 'u1' },
      users: { ...both, id: 'u1' },
    })
    expect(dataOf(event)['users']).not.toHaveProperty('plan')
    const settings = { allowUsersContextTraits: true }
    expect(dataOf(event, { settings })).toMatchObject({ users: { ...both, plan: 'x' } })
  })

  it('have no anonymous_id, channel and user_id in users, and no times in data lakes', () => {
    const event = { ...identify(), anonymousId: 'a', channel: 'web', sentAt: '2026-01-01', timestamp: '2026-01-01' }
    const { users } = dataOf(event)
    for (const name of ['anonymous_id', 'channel', 'user_id']) expect(users).not.toHaveProperty(name)
    expect(users).toHaveProperty('sent_at')
    expect(dataOf(event, { provider: 'gcs_datalake' })['users']).not.toHaveProperty('sent_at')
  })

  it('join traits of the context that an SDK has split into characters', () => {
    const { identifies } = dataOf({ ...identify(), context: { traits: { 0: 'a', 1: 'b' } } })
    expect(identifies).toMatchObject({ context_traits: 'ab' })
    expect(dataOf({ type: 'group', traits: { 0: 'a', 1: 'b' } })['groups']).not.toHaveProperty('_0')
    expect(dataOf(identify({ 0: 'a', 1: 'b' }))['identifies']).toMatchObject({ _0: 'a', _1: 'b' })
  })
})

describe('other tables', () => {
  it('have columns of their own', () => {
    expect(dataOf({ type: 'page', properties: { name: 'Home', category: 'x' }, category: 'y' })['pages']).toMatchObject(
      {
        name: 'Home',
        category: 'x',
      },
    )
    expect(dataOf({ type: 'screen', name: 'Main', properties: { name: 'Other' } })['screens']).toMatchObject({
      name: 'Main',
    })
    expect(dataOf({ type: 'group', groupId: 'g1', traits: { size: 5 } })['groups']).toMatchObject({
      group_id: 'g1',
      size: 5,
    })
    expect(dataOf({ type: 'alias', previousId: 'p1' })['aliases']).toMatchObject({ previous_id: 'p1' })
    expect(dataOf({ type: 'extract', event: 'My Lead', recordId: 7, properties: { user_id: 'x' } })).toMatchObject({
      my_lead: { id: 7, event: 'My Lead', user_id: 'x' },
    })
  })
})

describe('nested objects', () => {
  const deep = { a: { b: { c: { d: { e: 1 } } } } }

  it('become columns at any level, and text at the fourth level of cloud sources', () => {
    expect(dataOf(track(deep))['order_placed']).toMatchObject({ a_b_c_d_e: 1 })
    for (const [sourceCategory, want] of [
      ['cloud', { a_b_c_d: '{"e":1}' }],
      ['warehouse', { a_b_c_d_e: 1 }],
    ] as const)
      expect(dataOf(track(deep), { origin: { sourceCategory } })['order_placed']).toMatchObject(want)
    const inContext = { ...track(), context: deep }
    expect(dataOf(inContext, { origin: { sourceCategory: 'cloud' } })['tracks']).toMatchObject({
      context_a_b_c_d: '{"e":1}',
    })
  })

  it('are JSON where a path says so', () => {
    const settings = { jsonPaths: 'cart, track.context.app, note' }
    const event = { ...track({ cart: { a: [1] }, note: 'plain', other: { x: 1 } }), context: { app: { v: 1 } } }
    const [, row] = rowsOf(event, { settings })
    expect(row?.data).toMatchObject({ cart: '{"a":[1]}', note: '"plain"', context_app: '{"v":1}', other_x: 1 })
    expect(row?.columns).toMatchObject({ cart: 'json', note: 'json', context_app: 'json' })
    expect(rowsOf(event, { settings, provider: 'bq' })[1]?.columns).toMatchObject({ cart: 'string' })
    expect(rowsOf(event, { settings, provider: 'clickhouse' })[1]?.columns).not.toHaveProperty('cart')
  })

  it('are JSON in violationErrors', () => {
    const event = track({ violationErrors: [{ type: 'x' }] })
    expect(rowsOf(event)[1]?.columns).toMatchObject({ violation_errors: 'json' })
    expect(rowsOf(event, { provider: 'rs' })[1]?.columns).toMatchObject({ violation_errors: 'string' })
  })
})

describe('the whole event', () => {
  it('is stored with what was filled in, but not in tables of events', () => {
    const event = { type: 'track', event: 'a', context: { sourceType: 'mine' }, properties: { a: 1 } }
    const rows = rowsOf(event, { settings: { storeFullEvent: true }, origin: { sourceId: 's1' } })
    expect(JSON.parse(String(rows[0]?.data['rudder_event']))).toEqual({
      ...event,
      messageId: 'auto-uuid',
      receivedAt: '2026-11-01T12:00:00.000Z',
      context: { sourceType: 'mine', sourceId: 's1' },
    })
    expect(rows[0]?.columns).toMatchObject({ rudder_event: 'json' })
    expect(rows[1]?.data).not.toHaveProperty('rudder_event')
  })
})

describe('the whole event of a hostile sender', () => {
  it('has the key __proto__ as it was sent', () => {
    const event = JSON.parse('{"type":"page","__proto__":{"a":1},"context":{"__proto__":{"b":1}}}') as Event
    const [row] = rowsOf(event, { settings: { storeFullEvent: true } })
    expect(row?.data['rudder_event']).toContain('"__proto__":{"a":1}')
    expect(row?.data['rudder_event']).toContain('"__proto__":{"b":1}')
  })
})

describe('merge rules of identities', () => {
  const settings = { resolvesIdentities: true }
  const ruleOf = (event: Event) =>
    rowsOf(event, { settings, provider: 'bq' }).find(({ table }) => table === 'rudder_identity_merge_rules')

  it('join the ids of a user, as texts', () => {
    expect(ruleOf({ ...identify(), anonymousId: 5 })).toMatchObject({
      data: {
        merge_property_1_type: 'anonymous_id',
        merge_property_1_value: '5',
        merge_property_2_type: 'user_id',
        merge_property_2_value: 'u1',
      },
      mergeRule: { one: '5', two: 'u1' },
    })
    expect(ruleOf(identify())?.mergeRule).toEqual({ one: 'u1' })
    expect(ruleOf({ type: 'alias', userId: 'u', previousId: 'p' })?.mergeRule).toEqual({ one: 'u', two: 'p' })
    expect(ruleOf({ type: 'alias', previousId: 'p' })).toBeUndefined()
  })

  it('come after identifies, and only in products that resolve identities', () => {
    const made = { settings, provider: 'snowflake' } as const
    expect(tablesOf(identify(), made)).toEqual(['IDENTIFIES', 'RUDDER_IDENTITY_MERGE_RULES', 'USERS'])
    expect(tablesOf(identify(), { settings })).toEqual(['identifies', 'users'])
  })

  it('need two identifiers in a merge event', () => {
    const made = { settings, provider: 'bq' } as const
    const merge = (mergeProperties: Event[string]) =>
      errorOf({ type: 'merge', mergeProperties: mergeProperties ?? null }, made)?.code
    const email = { type: 'email', value: 'a@b.example' }
    expect(merge([email, { type: 'mobile', value: 5 }])).toBeUndefined()
    expect([merge(null), merge([]), merge([email])]).toEqual(Array(3).fill('merge_identifiers_missing'))
    for (const wrong of ['nope', email, [email, null], [email, { type: 'mobile' }], [email, { type: '', value: 'x' }]])
      expect(merge(wrong)).toBe('merge_null_value')
  })
})

describe('guarded loads', () => {
  const settings = { guardsLoads: true }

  it('rename what would collide with names of a load', () => {
    const properties = { uuid_ts: 'u', loadedAt: 'l', message_id: 'm', row_id: 1, rudder_event: 'r', huge: 1e21 }
    const [, row] = rowsOf({ ...track(properties), event: 'rudder_discards' }, { settings, provider: 'duckdb' })
    expect(row?.table).toBe('_rudder_discards')
    expect(row?.data).toMatchObject({
      _uuid_ts: 'u',
      _loaded_at: 'l',
      _message_id: 'm',
      _row_id: 1,
      _rudder_event: 'r',
    })
    expect(row?.columns).toMatchObject({ uuid_ts: 'datetime', huge: 'float' })
  })

  it('are as open as in RudderStack without the setting', () => {
    const [, row] = rowsOf({ ...track({ uuid_ts: 'u', huge: 1e21 }), event: 'rudder_discards' })
    expect(row?.table).toBe('rudder_discards')
    expect(row?.columns).toMatchObject({ uuid_ts: 'string', huge: 'int' })
  })
})

describe('ids', () => {
  const ids = { userId: 42, anonymousId: '2026-01-31', messageId: '2026-01-31T00:00:00Z' }

  it('are stored as text, unchanged', () => {
    const made = rowsOf({ ...track({}), ...ids }, { settings: { keepsIds: true } })
    for (const { columns, data } of made) {
      expect(columns).toMatchObject({ user_id: 'string', anonymous_id: 'string', id: 'string' })
      expect(data).toMatchObject({ user_id: '42', anonymous_id: ids.anonymousId, id: ids.messageId })
    }
  })

  it('have the type of their value without the setting, as in RudderStack', () => {
    const [row] = rowsOf({ ...track({}), ...ids })
    expect(row?.columns).toMatchObject({ user_id: 'int', anonymous_id: 'datetime', id: 'datetime' })
  })
})

describe('long names', () => {
  const [a, b] = [`${'k'.repeat(70)}a`, `${'k'.repeat(70)}b`]

  it('of one row overwrite each other, or get a hash', () => {
    const namesOf = (settings: RowSettings) =>
      Object.keys(dataOf(track({ [a]: 1, [b]: 2 }), { settings })['order_placed'] ?? {}).filter((name) =>
        /^kkk/.test(name),
      )
    expect(namesOf({})).toEqual(['k'.repeat(63)])
    expect(namesOf({ keepsLongNames: true })).toEqual(['k'.repeat(63), expect.stringMatching(/^k{54}_[0-9a-f]{8}$/)])
  })

  it('are the same when a member overwrites itself', () => {
    const event = { ...track({ [a]: 1, [b]: 2 }), userProperties: { [b]: 3 } }
    const values = Object.values(dataOf(event, { settings: { keepsLongNames: true } })['order_placed'] ?? {})
    expect(values).toContain(1)
    expect(values).toContain(3)
    expect(values).not.toContain(2)
  })
})
