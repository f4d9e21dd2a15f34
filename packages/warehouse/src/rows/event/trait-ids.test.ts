import { type Event, identifiersOf, type JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { idColumnsOf } from '../../ids/id-columns.ts'
import { listedIds, storedId } from '../../ids/id-family.ts'
import { createRowMaker } from '../create-row-maker.ts'
import type { TableRow } from '../table-row.ts'

const maker = createRowMaker({ provider: 'postgres', settings: { keepsIds: true }, now: () => 0, uuid: () => 'uuid' })

function rowsOf(event: Event): readonly TableRow[] {
  const made = maker({ messageId: 'm', event: 'Paid', ...event }, {})
  if (!made.ok) throw new Error(made.error.message)
  return made.rows
}

/** The ids that a deletion finds in a row. */
function searchedIn({ table, columns, data }: TableRow): readonly string[] {
  const live = new Map(Object.entries(columns).map(([name, type]) => [name, { type, native: type }]))
  return idColumnsOf(table, live).flatMap(({ name, isList }) => {
    const value = data[name]
    if (value === undefined || value === null) return []
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return (isList ? listedIds(text) : [storedId(text, 'text')]).filter((id) => id !== '')
  })
}

describe('the rows of an event', () => {
  const cases: readonly [string, Event, Readonly<Record<string, JsonValue>>][] = [
    [
      'have the id of its traits in context_traits_id',
      { type: 'track', traits: { id: 'kim' } },
      { context_traits_id: 'kim' },
    ],
    [
      'leave context_traits_id to the context',
      { type: 'identify', userId: 'u', traits: { id: 7 }, context: { traits: { id: 'lee' } } },
      { context_traits_id: 'lee', context_traits_user_id: '7' },
    ],
    [
      'add an id to the external ids where both columns are taken',
      {
        type: 'page',
        traits: { userId: 'kim' },
        context: { traits: { id: 'a', userId: 'b' }, externalId: [{ type: 'crm', id: 'c' }] },
      },
      {
        context_external_id: [
          { type: 'crm', id: 'c' },
          { type: 'traits', id: 'kim' },
        ],
      },
    ],
  ]
  for (const [name, event, columns] of cases)
    it(`${name}`, () => {
      for (const { data } of rowsOf(event)) expect(data).toMatchObject(columns)
    })

  it('have no id of the traits that another column has, or of a group', () => {
    for (const event of [
      { type: 'identify', userId: 'kim', traits: { id: ' kim\u200b', userId: 'kim' } },
      { type: 'group', groupId: 'g', traits: { id: 'g' } },
    ])
      for (const { names } of rowsOf(event)) expect(names.filter((name) => /traits/.test(name))).toEqual([])
  })

  it('name the person by every id by which the event does, in columns that a deletion searches', () => {
    const id = fc.option(fc.constantFrom<string | number>('kim', ' lee', 'max\u200b', 42, 'ann', 'bob', ''), {
      nil: undefined,
    })
    const person = fc.record({ id, userId: id })
    const events = fc.record({
      type: fc.constantFrom('track', 'identify', 'page', 'screen', 'group', 'alias'),
      userId: id,
      anonymousId: id,
      traits: person,
      context: fc.record({
        traits: person,
        externalId: fc.array(
          id.map((value) => ({ type: 'crm', id: value ?? null })),
          { maxLength: 2 },
        ),
      }),
      integrations: fc.constantFrom({}, { POSTGRES: { options: { useBlendoCasing: true } } }),
    })
    fc.assert(
      fc.property(events, id, (given, previousId) => {
        const event = JSON.parse(JSON.stringify(given.type === 'alias' ? { ...given, previousId } : given)) as Event
        for (const row of rowsOf(event).filter(({ table }) => table !== 'users'))
          expect(new Set(searchedIn(row)), row.table).toEqual(new Set([...identifiersOf(event)]))
      }),
      { numRuns: 500 },
    )
  })
})
