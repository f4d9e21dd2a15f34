import { systemClock } from '@sluice/core'
import { sql } from 'kysely'
import type { Db, SqlSession } from '../../sql/sql-session.ts'
import type { StoreDamagedError } from '../../store-errors.ts'
import { damagedError, isDamage, isUnreadable } from '../sqlite-errors.ts'

/** Bytes that are read at a time, about: a few milliseconds, in which calls of the store wait. */
const sliceBytes = 1024 * 1024
const sliceRowsMax = 5_000
/** Longest pause between two slices. */
const pauseMsMax = 100

/** Milliseconds that the start of the process has the disk and the connection to itself. */
const startMs = 1_000

/** A check of a store that is in use. */
interface StoreCheck {
  /** Ends the check. @returns whether it was complete and found no damage. */
  end(): Promise<boolean>
}

/**
 * Reads every page of all tables and indexes, slice by slice, as a reader among others: a store is ready before its file
 * has been read. SQLite has the file to itself, so that no other connection could read it; and its own check would hold
 * the connection until the end.
 *
 * What SQLite's check finds besides is not found: wrong lists of free pages, rows out of order, and damage in partial
 * indexes.
 */
export function startStoreCheck(
  session: Pick<SqlSession, 'read'>,
  path: string,
  onChecked: (damage?: StoreDamagedError) => void,
): StoreCheck {
  const ending = new AbortController()
  let isSound = false
  const run = async (): Promise<void> => {
    try {
      if (ending.signal.aborted) return
      for (const tree of await session.read(trees)) if (!(await readTree(session, tree, ending.signal))) return
      isSound = true
      onChecked()
    } catch (error) {
      // Other errors are not about the file: the store was closed, for one. The next start checks again.
      if (isDamage(error) || isUnreadable(error)) onChecked(damagedError(path, error))
    }
  }
  const running = systemClock.sleep(startMs, ending.signal).then(run)
  return {
    end: async () => {
      ending.abort()
      await running
      return isSound
    },
  }
}

/** A table, or one of its indexes. */
interface Tree {
  readonly table: string
  readonly index?: string
  /** Whether it is read in one go, because a comparison with null has no answer. Such indexes are small. */
  readonly isWhole?: boolean
  /** Columns in whose order it is read, the row id last. */
  readonly key: readonly string[]
  /** All columns it holds. */
  readonly columns: readonly string[]
  /** The newest row when the check began. Later ones were written by this process, and would never end. */
  readonly newest: number
}

const rowId = 'rowid'

async function trees(db: Db): Promise<readonly Tree[]> {
  const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table' order by name`.execute(
    db,
  )
  const found: Tree[] = []
  for (const { name: table } of tables.rows) {
    const columns = await sql<{ name: string; filled: number }>`
      select name, "notnull" or pk as filled from pragma_table_info(${table})`.execute(db)
    const nullable = new Set(columns.rows.flatMap(({ name, filled }) => (filled ? [] : name)))
    const end = await sql<{ newest: number | null }>`select max(rowid) as newest from ${sql.table(table)}`.execute(db)
    const newest = end.rows[0]?.newest ?? 0
    found.push({ table, newest, key: [rowId], columns: columns.rows.map(({ name }) => name) })
    // A query must ask for the rows of a partial index to use it.
    const indexes = await sql<{ name: string }>`
      select name from pragma_index_list(${table}) where partial = 0`.execute(db)
    for (const { name: index } of indexes.rows) {
      const parts = await sql<{ name: string | null }>`select name from pragma_index_info(${index})`.execute(db)
      const names = parts.rows.flatMap(({ name }) => name ?? [])
      const isWhole = names.some((name) => nullable.has(name))
      // An index on an expression is left out.
      if (names.length === parts.rows.length)
        found.push({ table, index, isWhole, newest, key: [...names, rowId], columns: names })
    }
  }
  return found
}

/** @returns false when the reading was ended before. */
async function readTree(session: Pick<SqlSession, 'read'>, tree: Tree, ending: AbortSignal): Promise<boolean> {
  let rows = 1
  for (let after: readonly unknown[] | undefined; !ending.aborted; ) {
    const startedAt = performance.now()
    const slice = await session.read((db) => readSlice(db, tree, after, rows))
    if (slice.last === undefined || tree.isWhole) return true
    after = slice.last
    const ms = performance.now() - startedAt
    rows = nextRows(rows, slice.bytes)
    // Twice as long for others.
    await systemClock.sleep(Math.min(2 * ms, pauseMsMax), ending)
  }
  return false
}

function nextRows(rows: number, bytes: number): number {
  const fitting = Math.floor((rows * sliceBytes) / Math.max(1, bytes))
  return Math.max(1, Math.min(sliceRowsMax, rows * 4, fitting))
}

async function readSlice(
  db: Db,
  { table, index, isWhole, key, columns, newest }: Tree,
  after: readonly unknown[] | undefined,
  rows: number,
) {
  const keys = sql.join(key.map((name) => sql.ref(name)))
  const from = index === undefined ? sql`${sql.table(table)}` : sql`${sql.table(table)} indexed by ${sql.ref(index)}`
  const behind = after === undefined ? sql`` : sql`and (${keys}) > (${sql.join(after)})`
  // A comparison reads a value to its end, which `length` alone does not.
  const sizes = columns.map((name) => sql`coalesce(length(${sql.ref(name)}) + (${sql.ref(name)} = ''), 0)`)
  const names = key.map((name, place) => sql`${sql.ref(name)} as ${sql.ref(`k${place}`)}`)
  const found = await sql<Record<string, unknown>>`
    select ${sql.join(names)}, ${sql.join(sizes, sql` + `)} as bytes
    from ${from} where rowid <= ${newest} ${behind} order by ${keys} limit ${isWhole ? -1 : rows}`.execute(db)
  const last = found.rows.at(-1)
  return {
    last: last && key.map((_, place) => last[`k${place}`]),
    bytes: found.rows.reduce((sum, row) => sum + Number(row['bytes'] ?? 0), 0),
  }
}
