import { type Clock, type Random, uuidV4 } from '@sluice/core'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { StoreClosedError, StoreUnusableError } from '@sluice/storage'
import {
  createAppendWatchers,
  createRowEventLog,
  createRowSchemaStore,
  createSqlStores,
  createVersionWatchers,
  defaultDeadLetterLimits,
  LogBudget,
  migrate,
  openSession,
  type SqlDatabase,
} from '@sluice/storage/sql'
import { sql } from 'kysely'
import { type Connection, connect } from './connect/connect.ts'
import { defaultLeaseTimes, type LeaseTimes, NodeLease } from './membership/node-lease.ts'
import { postgresDialect } from './schema/postgres-dialect.ts'
import { StoreSize } from './store-size.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. The user must be allowed to create tables. */
  readonly url: string
  /** The schema of all tables, which is created; default `sluice`. Several stores fit into one database. */
  readonly schema?: string
  readonly clock: Clock
  /** Source of the ids of stored records. */
  readonly random: Random
  /** Size of the tables at which batches are refused; default 64 GiB. Above 80 %, batches kept only for replays go. */
  readonly budgetBytes?: number
  /** Size of the cache of the newest batches, measured by their JSON texts; default 8 MiB. */
  readonly recentBytesMax?: number
  /** Number of receipts to keep, over all workspaces; default 100,000. Up to 5 % more between two prunings. */
  readonly receiptsMax?: number
  /** Number of audit entries to keep, over all workspaces; default 100,000. Up to 5 % more between two prunings. */
  readonly auditEntriesMax?: number
  /** Overrides of the defaults: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** Overrides of the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** How soon another process may take a store whose process is silent; default 5 s, with a beat each second. */
  readonly lease?: Partial<LeaseTimes>
  /** Receives errors that no caller waits for: of idle connections, beats, listeners, and the loss of the store. */
  readonly onError?: (error: unknown) => void
}

/** Names that need no quotes. */
const schemaName = /^[a-z_][a-z0-9_]{0,62}$/

/**
 * Opens everything Sluice stores in one schema of a PostgreSQL database (15 or newer), used by one process at a time.
 *
 * A write is durable when its promise resolves; concurrent writes share one commit. A store written by an older release
 * is migrated. While the server cannot be reached, calls fail and may be repeated; the store needs no reopening.
 *
 * @throws StoreInUseError when another process has it open; StoreVersionError when a newer release wrote it;
 * StoreUnusableError when the server cannot be reached or used.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, schema = 'sluice', clock, random, onError = () => {}, recentBytesMax = 8 * 1024 ** 2 } = options
  if (!schemaName.test(schema))
    throw new StoreUnusableError(`"${schema}" is no name for a schema: use small letters, digits and _`)
  const deadLetterLimits = { ...defaultDeadLetterLimits, ...options.deadLetterLimits }
  const receiptsMax = options.receiptsMax ?? 100_000
  const connection = await connect(url, schema, onError)
  const database: SqlDatabase = { db: connection.db, dialect: postgresDialect, place: connection.place }
  let lease: NodeLease
  try {
    await connection.query(`create schema if not exists ${schema}`)
    const times = { ...defaultLeaseTimes, ...options.lease }
    lease = await NodeLease.take(connection, { ...times, nodeId: uuidV4(random), onLost: onError, onError })
  } catch (error) {
    await connection.close()
    throw error
  }
  const session = openSession(database, {
    onBegin: (db) =>
      lease.require(async (id) => (await sql`select 1 from node where id = ${id} for key share`.execute(db)).rows),
  })
  try {
    await migrate(database)
  } catch (error) {
    await lease.leave()
    await connection.close()
    throw error
  }
  const size = await StoreSize.measure(connection, onError)
  const stores = createSqlStores(session, {
    clock,
    random,
    limits: {
      receiptsMax,
      auditEntriesMax: options.auditEntriesMax ?? 100_000,
      deadLetterLimits,
      schemaLimits: options.schemaLimits ?? {},
    },
    budget: new LogBudget(session, {
      clock,
      usedBytes: () => size.bytes,
      budgetBytes: options.budgetBytes ?? 64 * 1024 ** 3,
      reserveBytes: 0,
    }),
  })

  let closing: Promise<void> | undefined
  const requireOpen = (): void => {
    if (closing !== undefined) throw new StoreClosedError()
  }
  const appends = createAppendWatchers(onError)
  const versions = createVersionWatchers(onError)
  return {
    log: createRowEventLog({ rows: stores.log, appends, versions, recentBytesMax, requireOpen }),
    counters: stores.counters,
    receipts: { ...stores.receipts, receiptsMax },
    retries: stores.retries,
    deadLetters: { ...stores.deadLetters, limits: deadLetterLimits },
    regulations: { ...stores.regulations, index: stores.segments, deletions: stores.deletions },
    schema: createRowSchemaStore(stores.schema, versions),
    transformations: stores.transformations,
    audit: stores.audit,
    crashes: stores.crashes,
    isLost: () => lease.isLost,
    wipe: () => session.read(() => vacuum(connection)),
    // The server recovers by itself, and refuses to start when it cannot.
    lostBatches: async () => [],
    close: () => {
      closing ??= (async () => {
        await session.close()
        size.stop()
        // Without the server, others wait for a lease instead.
        await lease.leave().catch(onError)
        await connection.close()
        appends.clear()
        versions.clear()
      })()
      return closing
    },
  }
}

/** Tables that hold data of users, which deletions remove. */
const personalTables = ['log_batch', 'receipt_batch', 'deferred_event', 'dead_letter', 'schema_sample', 'schema_values']

/** Frees the places of deleted rows, which the server keeps otherwise until it cleans up by itself. */
async function vacuum(connection: Connection): Promise<void> {
  for (const table of personalTables) await connection.query(`vacuum ${table}`)
}
