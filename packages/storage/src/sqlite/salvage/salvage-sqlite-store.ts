import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { incompleteMark } from '@sluice/regulation'
import { type RawBuilder, sql } from 'kysely'
import { migrate } from '../../sql/migrate.ts'
import { migrations } from '../../sql/migrations.ts'
import type { Db } from '../../sql/sql-session.ts'
import { rebuildUsers } from '../../sql/stores/governance/put-users.ts'
import { rebuildIdentities } from '../../sql/stores/governance/rebuild-identities.ts'
import { rebuildSegments } from '../../sql/stores/governance/sql-segment-store.ts'
import { StoreUnusableError, StoreVersionError } from '../../store-errors.ts'
import { placeNewFile } from '../backup/place-new-file.ts'
import { countCommits, setCommits, storeIdOf } from '../recovery/commit-count.ts'
import { readMark } from '../recovery/high-water-mark.ts'
import { requireOwnLog } from '../recovery/inspect-store.ts'
import { appendedTo, hasBytes, writeDown } from '../recovery/store-recovery.ts'
import { makeFolder, openSqliteDatabase, type SqliteDatabase } from '../sqlite-database.ts'
import { damagedError, isDamage, isRefusedRow } from '../sqlite-errors.ts'
import { type RestartedConsumer, restartConsumers } from './restart-consumers.ts'
import { type RowRange, type SalvagedTable, salvageTable } from './salvage-table.ts'

export interface SalvageReport {
  readonly tables: readonly { readonly table: string; readonly copied: number; readonly unreadable: number }[]
  /** Batches of the log that may have existed and are not in the new store. */
  readonly lostBatches: readonly RowRange[]
  /** Consumers whose cursor could not be read. They may repeat work they have already done. */
  readonly restartedConsumers: readonly RestartedConsumer[]
  /** Whether everything could be read. */
  readonly isComplete: boolean
}

export interface SalvageOptions {
  /**
   * Whether the new store may be served although regulations could not be read, and no ledger puts them back. Default no: users
   * who are suppressed would be served.
   */
  readonly confirmsLostRegulations?: boolean
}

/**
 * Copies what can be read of a store into a new one at the version of this release. The damaged file is only read: the
 * work is done on a copy in a folder beside the new file, which is removed at the end. After a failure there is no new
 * file.
 *
 * @param now milliseconds since the epoch.
 * @throws StoreUnusableError when there is no such file, it is no store, or the new file exists; StoreInUseError;
 * StoreVersionError; StoreDamagedError when nothing can be read.
 */
export async function salvageSqliteStore(
  from: string,
  to: string,
  now: number,
  { confirmsLostRegulations = false }: SalvageOptions = {},
): Promise<SalvageReport> {
  if (!hasBytes(from)) throw new StoreUnusableError(`${from} does not exist, or is empty`)
  if (existsSync(to)) throw new StoreUnusableError(`${to} already exists: name a new file`)
  requireOwnLog(from)
  // A separate folder, because nothing beside the new file, which may be the damaged one, must be overwritten.
  const workFolder = makeWorkFolder(to)
  const copy = join(workFolder, 'damaged.db')
  const made = join(workFolder, 'saved.db')
  let database: SqliteDatabase | undefined
  try {
    database = openSqliteDatabase({ path: made, synchronous: 'normal' })
    for (const suffix of ['', '-wal'])
      if (existsSync(`${from}${suffix}`))
        copyFileSync(`${from}${suffix}`, `${copy}${suffix}`, constants.COPYFILE_FICLONE)
    padToPages(copy)
    const { db } = database
    const version = await attach(db, from, copy)
    await migrate(database, migrations.slice(0, version))
    const tables = await salvageTables(db)
    await sql`detach damaged`.execute(db)
    await migrate(database)
    const { position: acknowledged = 0, commits = 0, storeId } = readMark(`${from}.mark`) ?? {}
    // What is missing is reported here: the new file counts as having all commits.
    await setCommits(db, Math.max(commits, await countCommits(db)))
    await storeIdOf(db, storeId)
    const { lostBatches, restartedConsumers } = await settle(db, tables, acknowledged, now, confirmsLostRegulations)
    database.close()
    placeNewFile(made, to)
    return {
      tables: [...tables].map(([table, { copied, unreadable }]) => ({ table, copied, unreadable })),
      lostBatches,
      restartedConsumers,
      isComplete: lostBatches.length === 0 && [...tables.values()].every(({ unreadable }) => unreadable === 0),
    }
  } finally {
    database?.close()
    rmSync(workFolder, { recursive: true, force: true })
  }
}

/** Where the header of a SQLite file has the size of a page and the number of pages. Source: SQLite, Database File Format. */
const pageSizeAt = 16
const pageCountAt = 28
const headerBytes = 100
/** Largest file that is made longer; a larger number of pages is damage of the header. */
const paddedBytesMax = 2 ** 40

/**
 * Makes a file that was cut as long as its header says. SQLite reads nothing of a shorter one; in one with empty pages
 * only what was on these is lost. They take no space on disk.
 */
function padToPages(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const header = Buffer.alloc(headerBytes)
    if (readSync(file, header, 0, headerBytes, 0) < headerBytes) return
    const size = header.readUInt16BE(pageSizeAt)
    const bytes = (size === 1 ? 65_536 : size) * header.readUInt32BE(pageCountAt)
    if (bytes > fstatSync(file).size && bytes <= paddedBytesMax) ftruncateSync(file, bytes)
  } finally {
    closeSync(file)
  }
}

/** Creates an empty folder beside a file, for its owner only. */
function makeWorkFolder(path: string): string {
  try {
    makeFolder(dirname(resolve(path)))
    return mkdtempSync(`${path}.salvage-`)
  } catch (error) {
    throw new StoreUnusableError(`${path} cannot be created: ${error instanceof Error ? error.message : error}`)
  }
}

/** Attaches the copy as `damaged`. @returns its version. */
async function attach(db: Db, path: string, copy: string): Promise<number> {
  try {
    await sql`attach ${copy} as damaged`.execute(db)
    // First, because it needs the schema, without which nothing can be found.
    await sql`select count(*) from damaged.sqlite_master`.execute(db)
    const { rows } = await sql<{ user_version: number }>`pragma damaged.user_version`.execute(db)
    const version = rows[0]?.user_version ?? 0
    if (version === 0) throw new StoreUnusableError(`${path} is a database, but no store`)
    if (version <= migrations.length) return version
    throw new StoreVersionError(
      `${path} has version ${version}, this release knows ${migrations.length}: use a newer one`,
    )
  } catch (error) {
    throw isDamage(error) ? damagedError(path, 'nothing of it can be read', { canSalvage: false }) : error
  }
}

async function salvageTables(db: Db): Promise<ReadonlyMap<string, SalvagedTable>> {
  const isUnreadable = (error: unknown): boolean => isDamage(error) || isRefusedRow(error)
  const salvaged = new Map<string, SalvagedTable>()
  // In order of creation, so that referenced tables come first.
  const { rows } = await sql<{ name: string }>`
    select name from main.sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid`.execute(db)
  for (const { name } of rows) {
    const columns = await sql<{ name: string; type: string; pk: number }>`
      select name, type, pk from pragma_table_info(${name}, 'main')`.execute(db)
    const hasOwnId = columns.rows.some(({ type, pk }) => pk === 1 && type.toLowerCase() === 'integer')
    const names = [...(hasOwnId ? [] : ['rowid']), ...columns.rows.map((column) => column.name)]
    salvaged.set(name, await salvageTable(db, name, names, await idMaxOf(db, name), isUnreadable))
  }
  return salvaged
}

/** Returns the largest possible row id, undefined when it cannot be read anywhere. */
async function idMaxOf(db: Db, table: string): Promise<number | undefined> {
  const given = await ask(db, sql`select max(seq) as id from damaged.sqlite_sequence where name = ${table}`)
  if (given) {
    // A number must not be assigned twice.
    await sql`delete from main.sqlite_sequence where name = ${table}`.execute(db)
    await sql`insert into main.sqlite_sequence (name, seq) values (${table}, ${given})`.execute(db)
  }
  const inTable = await ask(db, sql`select max(rowid) as id from damaged.${sql.ref(table)} not indexed`)
  if (inTable !== undefined) return Math.max(inTable, given ?? 0)
  if (given) return given
  // A partial index lacks rows, and SQLite refuses to read the whole table from it.
  const indexes = await sql<{ name: string }>`
    select name from pragma_index_list(${table}, 'main') where partial = 0`.execute(db)
  for (const { name } of indexes.rows) {
    const inIndex = await ask(
      db,
      sql`select max(id) as id from (select rowid as id from damaged.${sql.ref(table)} indexed by ${sql.ref(name)})`,
    )
    if (inIndex !== undefined) return inIndex
  }
  return undefined
}

/** @returns the selected id, undefined when it cannot be read. */
async function ask(db: Db, query: RawBuilder<unknown>): Promise<number | undefined> {
  try {
    const { rows } = await (query as RawBuilder<{ id: number | null }>).execute(db)
    return rows[0]?.id ?? 0
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** Makes the next start require the ledger that the store had: see `requireComplete` of `@sluice/regulation`. */
async function markIncomplete(db: Db): Promise<void> {
  await db
    .insertInto('ledger_mark')
    .values({ name: incompleteMark, text: 'true' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ text: 'true' }))
    .execute()
}

/** Makes the copied tables consistent with each other. */
async function settle(
  db: Db,
  tables: ReadonlyMap<string, SalvagedTable>,
  acknowledged: number,
  now: number,
  confirmsLostRegulations: boolean,
): Promise<Pick<SalvageReport, 'lostBatches' | 'restartedConsumers'>> {
  const end = await appendedTo(db)
  const known = Math.max(end, acknowledged)
  const ranges = (tables.get('log_batch')?.lost ?? [])
    .map(({ from, to }) => ({ from: Math.max(from, 1), to: known > 0 ? Math.min(to, known) : to }))
    .concat(acknowledged > end ? [{ from: end + 1, to: acknowledged }] : [])
    .filter(({ from, to }) => from <= to)
  const restartedConsumers = await db.transaction().execute(async (transaction) => {
    for (const range of ranges) await writeDown(transaction, { ...range, noticedAt: now })
    await transaction.deleteFrom('dead_letter_usage').execute()
    await sql`insert into dead_letter_usage (workspace_id, letters, bytes)
      select workspace_id, count(*), sum(bytes) from dead_letter group by workspace_id`.execute(transaction)
    // A row that is missing here would keep an event from a deletion.
    const ofUsers = ['deferred_event', 'deferred_event_user', 'dead_letter', 'dead_letter_user']
    if (ofUsers.some((table) => (tables.get(table)?.unreadable ?? 0) > 0)) await rebuildUsers(transaction)
    // The suppression index is rebuilt from the regulations: a torn index must not miss a suppressed user.
    const index = ['regulation', 'regulation_identity', 'regulation_change', 'suppression_segment', 'suppression_state']
    if (index.some((table) => (tables.get(table)?.unreadable ?? 0) > 0)) {
      await rebuildIdentities(transaction)
      await rebuildSegments(transaction)
    }
    // Which regulations are lost is unknown, so the whole ledger is compared at the next start.
    await transaction.deleteFrom('ledger_mark').where('name', 'like', 'chain %').execute()
    const areLost = (tables.get('regulation')?.unreadable ?? 0) > 0
    if (areLost && !confirmsLostRegulations) await markIncomplete(transaction)
    return (tables.get('log_cursor')?.unreadable ?? 0) > 0 ? restartConsumers(transaction) : []
  })
  return { lostBatches: ranges, restartedConsumers }
}
