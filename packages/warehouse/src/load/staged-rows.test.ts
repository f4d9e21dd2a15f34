import type { JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { TableRow } from '../rows/table-row.ts'
import { StagedRows } from './staged-rows.ts'

/** Adds rows with one value until a load is due. @returns how many they are, at most `max`. */
function rowsUntilFull(staged: StagedRows, value: JsonValue, max: number): number {
  const row = new TableRow('tracks', ['a'], ['string'], [value])
  let rows = 0
  while (!staged.isFull && rows < max) {
    staged.add(row)
    rows += 1
  }
  return rows
}

describe('staged rows', () => {
  it('are loaded when they are many', () => {
    expect(rowsUntilFull(new StagedRows(), 1, 100_000)).toBe(60_000)
  })

  const mib = 1024 * 1024
  const large = [
    { what: 'texts', value: 'x'.repeat(mib) },
    { what: 'lists', value: Array.from({ length: 1024 }, () => 'x'.repeat(1024)) },
    { what: 'objects in lists', value: [{ a: { b: 'x'.repeat(mib) } }] },
  ]
  for (const { what, value } of large)
    it(`are loaded when their ${what} are large, though they are few`, () => {
      const rows = rowsUntilFull(new StagedRows(), value, 1_000)
      expect(rows).toBeGreaterThan(100)
      expect(rows).toBeLessThanOrEqual(128)
    })

  it('count from the beginning after they are forgotten', () => {
    const staged = new StagedRows()
    const text = 'x'.repeat(64 * mib)
    rowsUntilFull(staged, text, 2)
    expect(staged.isFull).toBe(true)
    staged.clear()
    expect(staged.isFull).toBe(false)
    expect(rowsUntilFull(staged, text, 9)).toBe(2)
  })
})
