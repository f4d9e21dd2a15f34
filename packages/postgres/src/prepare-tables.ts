import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnusableError, StoreVersionError } from '@sluice/storage'
import { migrate, migrations } from '@sluice/storage/sql'
import pg from 'pg'
import type { Connection } from './connect/connect.ts'
import { defaultClusterTimes } from './membership/membership.ts'
import { clusterMigrations, firstSteps, type Steps } from './schema/cluster-migrations.ts'
import { postgresDialect } from './schema/postgres-dialect.ts'

/** Steps that this release knows. */
export const knownSteps: Steps = { shared: migrations.length, cluster: clusterMigrations.length }

/**
 * Steps that a release must know at least to use the tables of this one. Stays as it is while steps only add tables and
 * columns with defaults; raised by a step that changes what is there.
 */
const readableFrom: Steps = {
  // Events that wait or failed are kept with all their users, which an older release would not write.
  shared: 22,
  cluster: firstSteps.cluster,
}

/** What the tables were before, and are now. */
export interface PreparedTables {
  readonly before: Steps
  readonly now: Steps
}

const parts = ['shared', 'cluster'] as const
/** SQLSTATE of what a role may not do. */
const forbidden = '42501'

/**
 * Creates the tables of a store, or brings them to the version of this release. Needs no right to change tables when there
 * is nothing to change. A store that a newer release has upgraded is left alone if this one can use it.
 *
 * @throws StoreVersionError when a newer release changed the tables beyond what this one knows; StoreUnusableError when
 * processes of a release that could not use the new tables are running, or when the role may not change them.
 */
export async function prepareTables(connection: Connection, schema: string): Promise<PreparedTables> {
  try {
    return await aloneIn(connection, schema, () => prepare(connection, schema))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== forbidden) throw error
    throw new StoreUnusableError(
      `the role may not use or change the tables of ${connection.place}, schema ${schema} (${error.message}): run sluice store init or sluice store upgrade with a role that owns them, which prints what to grant`,
    )
  }
}

/** Does something while no process prepares, fills or begins to use the store. */
export function aloneIn<Result>(connection: Connection, schema: string, work: () => Promise<Result>): Promise<Result> {
  return connection.alone(`sluice migration ${schema}`, work)
}

/** @throws StoreUnusableError when there are no tables, or not those of this release; StoreVersionError */
export async function requireTables({ query, place }: Connection, schema: string): Promise<void> {
  const stored = await storedSteps(query, schema)
  requireKnown(stored, place)
  if (stored.cluster.version === 0)
    throw new StoreUnusableError(`${place} has no store in schema ${schema}: sluice store init creates one`)
  if (parts.some((part) => stored[part].version < knownSteps[part]))
    throw new StoreUnusableError(`an older release wrote the store at ${place}: run sluice store upgrade first`)
}

async function prepare(connection: Connection, schema: string): Promise<PreparedTables> {
  const { query, db, place } = connection
  const stored = await storedSteps(query, schema)
  const before = { shared: stored.shared.version, cluster: stored.cluster.version }
  requireKnown(stored, place)
  const older = parts.filter((part) => before[part] < knownSteps[part])
  if (older.length === 0) return { before, now: before }
  if (before.cluster > 0) await requireNoOlderProcess(query, place)
  const [found] = await query<{ schema: string | null }>('select to_regnamespace($1)::text as schema', [schema])
  if (found?.schema === null) await query(`create schema ${schema}`)
  await query(`create table if not exists store_version (part text primary key, version bigint not null)`)
  await query('alter table store_version add column if not exists readable_from bigint not null default 0')
  // Before the steps: a process of an older release may start while they run.
  for (const part of parts)
    await query(
      `insert into store_version (part, version, readable_from) values ($1, 0, $2)
       on conflict (part) do update set readable_from = greatest(store_version.readable_from, excluded.readable_from)`,
      [part, readableFrom[part]],
    )
  if (older.includes('shared')) await migrate({ db, place, dialect: postgresDialect('shared') })
  if (older.includes('cluster')) await migrate({ db, place, dialect: postgresDialect('cluster') }, clusterMigrations)
  return { before, now: knownSteps }
}

type StoredSteps = Readonly<Record<keyof Steps, StoredPart>>

interface StoredPart {
  /** Steps that were made. */
  readonly version: number
  /** Steps that a release must know to use them. */
  readonly readableFrom: number
}

const none: StoredPart = { version: 0, readableFrom: 0 }

/** Returns the steps of a store; 0 where there is none. */
async function storedSteps(query: Connection['query'], schema: string): Promise<StoredSteps> {
  const [found] = await query<{ versions: string | null }>('select to_regclass($1)::text as versions', [
    `${schema}.store_version`,
  ])
  if (found?.versions === null) return { shared: none, cluster: none }
  // As JSON, because the first release had no column `readable_from`.
  const rows = await query<{ part: string; version: number; readable_from: number }>(
    `select part, version, coalesce((to_jsonb(store_version) ->> 'readable_from')::bigint, 0) as readable_from
     from store_version`,
  )
  const partOf = (name: keyof Steps): StoredPart => {
    const row = rows.find(({ part }) => part === name)
    return row ? { version: row.version, readableFrom: row.readable_from } : none
  }
  return { shared: partOf('shared'), cluster: partOf('cluster') }
}

function requireKnown(stored: StoredSteps, place: string): void {
  for (const part of parts)
    if (stored[part].readableFrom > knownSteps[part])
      throw new StoreVersionError(
        `the store at ${place} has version ${stored[part].version} of its ${part} tables, this release knows ${knownSteps[part]}: use a newer release`,
      )
}

interface Process extends Steps {
  readonly id: string
  readonly beat: number
  readonly leaseMs: number
}

/**
 * Removes processes of older releases that are silent for a lease: they stop by themselves should they wake up.
 * @throws StoreUnusableError when one is living that could not use the tables after the upgrade.
 */
async function requireNoOlderProcess(query: Connection['query'], place: string): Promise<void> {
  const seen = await olderProcesses(query)
  if (seen.length === 0) return
  await sleep(Math.max(...seen.map(({ leaseMs }) => leaseMs)))
  for (const { id, beat } of seen) await query('delete from node where id = $1 and beat = $2', [id, beat])
  const living = await olderProcesses(query)
  if (living.length === 0) return
  const ids = living.map(({ id }) => id.slice(0, 8)).join(', ')
  throw new StoreUnusableError(
    `the store at ${place} cannot be upgraded while processes of an older release use it, which would not understand the new tables: stop ${ids} first`,
  )
}

async function olderProcesses(query: Connection['query']): Promise<readonly Process[]> {
  // As JSON, because the first release had none of these columns.
  const rows = await query<{ id: string; beat: number; shared: number; cluster: number; lease_ms: number }>(
    `select id, beat,
       coalesce((row ->> 'knows_shared')::int, $1) as shared,
       coalesce((row ->> 'knows_cluster')::int, $2) as cluster,
       coalesce((row ->> 'lease_ms')::bigint, $3) as lease_ms
     from node cross join lateral to_jsonb(node) as row`,
    [firstSteps.shared, firstSteps.cluster, defaultClusterTimes.leaseMs],
  )
  return rows.flatMap(({ id, beat, shared, cluster, lease_ms: leaseMs }) =>
    shared < readableFrom.shared || cluster < readableFrom.cluster ? { id, beat, shared, cluster, leaseMs } : [],
  )
}
