import type { ColumnValue } from '../evolve/cast-value.ts'

/**
 * Returns one row per key, at the place of its first row: a statement may change a row of a table only once.
 * @param keyAt index of the column that is the key.
 * @param fills whether a column without a value keeps that of an earlier row; otherwise the last row counts alone.
 */
export function byNewestValue(
  rows: readonly ColumnValue[][],
  keyAt: number,
  fills: boolean,
): readonly (readonly ColumnValue[])[] {
  const byKey = new Map<ColumnValue | undefined, ColumnValue[]>()
  for (const row of rows) {
    const before = byKey.get(row[keyAt])
    byKey.set(row[keyAt], before && fills ? row.map((value, at) => value ?? before[at] ?? null) : row)
  }
  return byKey.size === rows.length ? rows : [...byKey.values()]
}
