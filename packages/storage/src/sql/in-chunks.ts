/** Rows in one statement. SQLite takes 32,766 values, PostgreSQL 65,535, and the widest table has 13 columns. */
const rowsMax = 200

/** Does something for all rows, as many at a time as one statement should hold. */
export async function inChunks<Row>(
  rows: readonly Row[],
  each: (chunk: readonly Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsMax) await each(rows.slice(start, start + rowsMax))
}
