/** Memory that DuckDB may use during a load, in MiB. */
export const memoryMiB = 640
/** Columns of a table, at most. */
export const tableColumnsMax = 2_000
/** The largest blocks that a file can have, which are DuckDB's default. */
export const blockBytesMax = 262_144

/** What the rest takes, such as a catalogue of many tables, in MiB. */
const othersMiB = 64
/**
 * Blocks that a column of a table takes when rows are added to the table and then written to the file, at most. Measured for
 * columns of texts: two when a transaction is committed, four in all while the log of changes goes into the file.
 */
const blocksPerColumn = 4

/** How many columns fit the memory, in a file with blocks of a size. */
export interface ColumnsMax {
  /** Columns of one table. */
  readonly ofTable: number
  /** Columns of all tables of a transaction, unless one table has more. */
  readonly ofTransaction: number
}

export function columnsMaxOf(blockBytes: number): ColumnsMax {
  const fitting = Math.floor(((memoryMiB - othersMiB) * 1_024 * 1_024) / (blocksPerColumn * blockBytes))
  // A transaction that takes all memory is slow, because others have to leave it.
  return { ofTable: Math.min(tableColumnsMax, fitting), ofTransaction: Math.floor(fitting / 2) }
}
