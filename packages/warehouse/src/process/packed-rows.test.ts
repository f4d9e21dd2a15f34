import type { JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TableRow } from '../rows/table-row.ts'
import { createUnpacker, PackedRows } from './packed-rows.ts'

const types = ['string', 'int', 'json'] as const
const rowOf = fc
  .tuple(
    fc.constantFrom('tracks', 'a', '__proto__'),
    fc.array(fc.tuple(fc.string(), fc.constantFrom(...types), fc.jsonValue())),
  )
  .map(
    ([table, columns]) =>
      new TableRow(
        table,
        columns.map(([name]) => name),
        columns.map(([, type]) => type),
        columns.map(([, , value]) => value as JsonValue),
      ),
  )

function roundTrip(rows: readonly TableRow[]): readonly TableRow[] {
  const packed = new PackedRows()
  for (const row of rows) packed.add(row)
  return packed.slices().flatMap(createUnpacker())
}

it('gives the same rows in the same order, whatever they contain', () => {
  fc.assert(
    fc.property(fc.array(rowOf), (rows) => {
      expect(JSON.stringify(roundTrip(rows))).toBe(JSON.stringify(rows))
    }),
  )
})

it('says that it is full when there are too many rows, and is empty after it was cleared', () => {
  const packed = new PackedRows()
  const row = new TableRow('tracks', ['a'], ['int'], [1])
  for (let count = 1; count < 60_000; count += 1) packed.add(row)
  expect(packed.isFull).toBe(false)
  packed.add(row)
  expect(packed.isFull).toBe(true)
  packed.clear()
  expect([packed.isFull, packed.slices()]).toEqual([false, []])
})

it('keeps the identities that a row joins', () => {
  const row = new TableRow('rudder_identity_merge_rules', ['a'], ['string'], ['b'], { one: 'c', two: 'd' })
  expect(roundTrip([row])[0]?.mergeRule).toEqual({ one: 'c', two: 'd' })
})
