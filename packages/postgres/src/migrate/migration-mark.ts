import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnusableError } from '@sluice/storage'
import type { Db } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Connection, Query } from '../connect/connect.ts'
import { copiedTables } from './copied-tables.ts'

/** Tables that are filled, and marked with how far that is. */
const markedTables: readonly string[] = ['log_cursor', ...copiedTables.map(({ name }) => name), 'log_batch']

/** How far the copy of a table is. */
interface MigrationMark {
  /** The last row that was copied, by its number in the source. */
  readonly copiedTo: number
  readonly isComplete: boolean
}

/**
 * Marks all tables as to be filled from a source, or finds them marked by an earlier attempt. From now on, no process can use
 * the store.
 * @throws StoreUnusableError when the store is not empty, is filled from another source, or is used by a process.
 */
export async function beginMarks({ query, place }: Connection, source: string): Promise<void> {
  const [earlier] = await query<{ source: string }>('select source from migrated_table limit 1')
  if (earlier !== undefined && earlier.source !== source)
    throw new StoreUnusableError(
      `${place} is being filled from ${earlier.source}: finish that migration, or drop the schema`,
    )
  await requireUnused(query, place)
  if (earlier !== undefined) return
  for (const table of markedTables) {
    const [row] = await query(`select 1 from ${table} limit 1`)
    if (row !== undefined)
      throw new StoreUnusableError(
        `the store at ${place} is not empty (${table} has rows): migrate into a new schema, with ?schema=name`,
      )
  }
  await query(
    'insert into migrated_table (name, source, copied_to) select name, $2, 0 from unnest($1::text[]) as name',
    [markedTables, source],
  )
}

export async function readMark(query: Query, table: string): Promise<MigrationMark> {
  const [row] = await query<{ copied_to: number; is_complete: boolean }>(
    'select copied_to, is_complete from migrated_table where name = $1',
    [table],
  )
  return { copiedTo: row?.copied_to ?? 0, isComplete: row?.is_complete ?? false }
}

/** In the transaction that writes the rows. */
export async function writeMark(db: Db, table: string, { copiedTo, isComplete }: MigrationMark): Promise<void> {
  await sql`
    update migrated_table set copied_to = ${copiedTo}, is_complete = (${isComplete ? 1 : 0} = 1)
    where name = ${table}`.execute(db)
}

/** Lets processes use the store. */
export async function endMarks(query: Query): Promise<void> {
  await query('delete from migrated_table')
}

/** Whether everything was copied, and compared, from a source. */
export async function isCopied(query: Query, source: string): Promise<boolean> {
  const rows = await query<{ source: string; is_complete: boolean }>('select source, is_complete from migrated_table')
  return rows.length > 0 && rows.every((row) => row.source === source && row.is_complete)
}

/** @throws StoreUnusableError when the store is only filled in part. */
export async function requireWhole({ query, place }: Connection): Promise<void> {
  const [row] = await query<{ source: string }>('select source from migrated_table limit 1')
  if (row !== undefined)
    throw new StoreUnusableError(
      `the store at ${place} is being filled from ${row.source}: repeat sluice migrate until it has ended`,
    )
}

/** Removes processes that are silent for a lease. @throws StoreUnusableError when one is living. */
async function requireUnused(query: Query, place: string): Promise<void> {
  const nodes = await query<{ id: string; beat: number; lease_ms: number }>('select id, beat, lease_ms from node')
  if (nodes.length === 0) return
  await sleep(Math.max(...nodes.map(({ lease_ms }) => lease_ms)))
  for (const { id, beat } of nodes) await query('delete from node where id = $1 and beat = $2', [id, beat])
  const [living] = await query<{ id: string }>('select id from node limit 1')
  if (living !== undefined)
    throw new StoreUnusableError(`the store at ${place} is used by the process ${living.id}: stop all processes first`)
}
