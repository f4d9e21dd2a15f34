import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { PreparedTable } from '../../load/warehouse.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'

/** A file with rows of tables: a line of JSON per row, which is an array with the index of its table and a value per column. */
interface StagingFile {
  readonly path: string
  /** Bytes of the longest line, or more. */
  readonly longestLine: number
}

/** Characters that are written at a time. */
const chunkLength = 256 * 1024
/** Bytes that DuckDB reads a line in, at least. It takes twice as many per thread. */
const lineBytesMin = 1024 * 1024

/** Tables with at most so many rows share a file: to read one takes DuckDB longer than to write such a table. */
export const sharingRowsMax = 100

/** Tables whose rows are in the same file. */
type FileTables = readonly PreparedTable[]

/** Returns which tables share a file: all small ones, and each of the others has its own. */
export function filesOf(tables: readonly PreparedTable[]): readonly FileTables[] {
  const small = tables.filter(({ rowCount }) => rowCount <= sharingRowsMax)
  const large = tables.filter(({ rowCount }) => rowCount > sharingRowsMax)
  return [...large.map((table) => [table]), ...(small.length > 0 ? [small] : [])]
}

/**
 * Writes the rows of tables to temporary files, for their owner only, and deletes them after use. While a file is used,
 * the next one is written, because DuckDB works in other threads.
 * @param use is called for one file at a time, in their order.
 */
export async function eachStagingFile(
  files: readonly FileTables[],
  use: (tables: FileTables, file: StagingFile) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-load-'))
  const write = (at: number): Promise<StagingFile> | undefined => {
    const tables = files[at]
    return tables && writeRows(tables, join(folder, `${at}.ndjson`))
  }
  let next = write(0)
  try {
    for (const [at, tables] of files.entries()) {
      const file = (await next) as StagingFile
      next = write(at + 1)
      // An error is thrown when this file's turn comes, not before.
      next?.catch(() => {})
      await use(tables, file)
      await rm(file.path)
    }
  } finally {
    await next?.catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
}

/** The rows of a file as a table of SQL, with the path as its only parameter. */
export function stagedRows({ longestLine }: StagingFile): string {
  return `read_json(?, columns = {r: 'VARCHAR[]'}, records = 'false', format = 'newline_delimited',
    maximum_object_size = ${Math.max(lineBytesMin, longestLine)})`
}

/** The index of the table that a row belongs to, among those of the file, in SQL. */
export const stagedTableIndex = 'r[1]::integer'

/** A value of these rows in SQL. @param at index of its column. @param native its type in DuckDB. */
export function stagedValue(at: number, native: string): string {
  return `r[${at + 2}]::${native}`
}

async function writeRows(tables: FileTables, path: string): Promise<StagingFile> {
  let longestLine = 0
  const file = await open(path, 'w', 0o600)
  try {
    let text = ''
    for (const [index, table] of tables.entries()) {
      const jsonAt = table.columns.flatMap(({ type }, at) => (type === 'json' ? [at] : []))
      for (const row of table.rows()) {
        const line = wellFormedJson(JSON.stringify([index, ...withWellFormed(row, jsonAt)]))
        longestLine = Math.max(longestLine, line.length)
        text += `${line}\n`
        if (text.length < chunkLength) continue
        await file.write(text)
        text = ''
      }
    }
    await file.write(text)
  } finally {
    await file.close()
  }
  // A character has at most three bytes in UTF-8, per unit of UTF-16.
  return { path, longestLine: longestLine * 3 }
}

/** JSON columns hold text of JSON, whose escapes DuckDB reads, too. */
function withWellFormed(row: readonly ColumnValue[], jsonAt: readonly number[]): readonly ColumnValue[] {
  let values = row
  for (const at of jsonAt) {
    const value = row[at]
    if (typeof value !== 'string' || !value.includes('\\u')) continue
    values = values.with(at, wellFormedJson(value))
  }
  return values
}
