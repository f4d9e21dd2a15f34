import type { Event, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idKindOf } from '../../ids/id-columns.ts'
import { createRowMaker } from '../create-row-maker.ts'
import { standardTypeOf } from './standard-types.ts'

const settings = { keepsIds: true, keepsTypes: true }
const make = createRowMaker({ provider: 'postgres', settings, now: () => 0, uuid: () => 'uuid' })

function rowsOf(event: Event) {
  const made = make(event, {
    sourceId: '2026-01-31',
    sourceType: 'web',
    destinationId: '7',
    destinationType: 'POSTGRES',
  })
  return made.ok ? made.rows : []
}

const odd: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.string(),
  fc.constantFrom('soon', '2026-01-31', '2026-01-31T00:00:00Z', '42', '042', 'true'),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.constant([1]),
  fc.constant({ a: 1 }),
)

describe('types of standard columns', () => {
  it('are none for tables and columns with names of members that every object has', () => {
    const names = Object.getOwnPropertyNames(Object.prototype)
    for (const table of names)
      for (const name of names)
        expect([standardTypeOf(table, name), idKindOf(table, name)]).toEqual([undefined, undefined])
    expect([standardTypeOf('constructor', 'event'), idKindOf('Constructor', 'USER_ID')]).toEqual(['string', 'user'])
  })

  it('are the same whatever the event has in them', () => {
    const event = fc.record({
      type: fc.constantFrom('track', 'identify', 'page', 'screen', 'group', 'alias'),
      event: fc.constantFrom('A', '2026-01-31', 'Order Placed'),
      ...Object.fromEntries(
        ['messageId', 'userId', 'anonymousId', 'groupId', 'previousId', 'channel', 'name', 'request_ip'].map((key) => [
          key,
          odd,
        ]),
      ),
      ...Object.fromEntries(['sentAt', 'timestamp', 'originalTimestamp', 'receivedAt'].map((key) => [key, odd])),
      context: fc.record({ ip: odd, sourceId: odd, traits: fc.record({ id: odd, userId: odd }) }),
    })
    fc.assert(
      fc.property(event, (given) => {
        for (const { table, names, types } of rowsOf(given as Event))
          for (const [at, name] of names.entries()) {
            const standard = standardTypeOf(table, name)
            if (standard !== undefined) expect([table, name, types[at]]).toEqual([table, name, standard])
          }
      }),
    )
  })

  it('leave texts unchanged, and write numbers as JSON', () => {
    const event = {
      type: 'page',
      messageId: '2026-01-31',
      userId: 42,
      channel: '2026-01-31',
      name: 404,
      context: { ip: 7 },
    }
    expect(rowsOf(event)[0]?.data).toMatchObject({
      id: '2026-01-31',
      user_id: '42',
      channel: '2026-01-31',
      name: '404',
      context_ip: '7',
      context_source_id: '2026-01-31',
      context_destination_id: '7',
    })
  })

  it('are those of the documentation only where a column is standard', () => {
    const event = { type: 'track', event: 'A', properties: { group_id: 7, name: 5, previous_id: 6 } }
    expect(rowsOf(event)[1]?.columns).toMatchObject({ group_id: 'int', name: 'int', previous_id: 'int' })
    expect([standardTypeOf('groups', 'group_id'), standardTypeOf('a', 'group_id')]).toEqual(['string', undefined])
    expect(standardTypeOf('TRACKS', 'SENT_AT')).toBe('datetime')
  })

  it('take no day that does not exist as a time, and no whole number beyond 64 bits as an int', () => {
    const event = { type: 'track', event: 'A', messageId: 'm', originalTimestamp: '2026-02-30T00:00:00Z' }
    const [, row] = rowsOf({ ...event, properties: { large: 1e19, small: 2 ** 53 } } as Event)
    expect(row?.data['original_timestamp']).toBe('2026-02-30T00:00:00Z')
    const typeOf = (name: string) => row?.types[row.names.indexOf(name)]
    expect([typeOf('original_timestamp'), typeOf('large'), typeOf('small')]).toEqual(['datetime', 'float', 'int'])
  })
})
