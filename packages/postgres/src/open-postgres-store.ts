import { type Clock, InvariantError, type Random } from '@sluice/core'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { StoreClosedError } from '@sluice/storage'
import {
  createAppendWatchers,
  createRowSchemaStore,
  createSqlStores,
  createVersionWatchers,
  crowded,
  defaultDeadLetterLimits,
  LogBudget,
  openSession,
} from '@sluice/storage/sql'
import { CompiledQuery } from 'kysely'
import { createClusterSegments } from './cluster-segments.ts'
import { type Connection, connect } from './connect/connect.ts'
import { Notifications } from './connect/notifications.ts'
import { createNumberedWrites, noted } from './connect/numbered-writes.ts'
import { ServedServer } from './connect/served-server.ts'
import { createDeltaCounters } from './counters.ts'
import { startJanitor } from './janitor.ts'
import { laneOf } from './lanes/lane-of.ts'
import { AppendGroup } from './log/append-group.ts'
import type { LaneBatch } from './log/lane-batch.ts'
import { LaneCrashes } from './log/lane-crashes.ts'
import { createLaneEventLog } from './log/lane-event-log.ts'
import { createLaneRetries } from './log/lane-retries.ts'
import { LaneTail } from './log/lane-tail.ts'
import { trimLanes } from './log/trim-lanes.ts'
import { type ClusterTimes, defaultClusterTimes, Membership } from './membership/membership.ts'
import { NotServingError } from './membership/not-serving-error.ts'
import type { MissingBatches } from './membership/resume.ts'
import { createSqlSharedRows } from './membership/sql-shared-rows.ts'
import { requireWhole } from './migrate/migration-mark.ts'
import { readLosses, toLostBatches } from './operate/losses.ts'
import { readStandbyWarning } from './operate/standby-warning.ts'
import { aloneIn, knownSteps, prepareTables } from './prepare-tables.ts'
import { turns } from './schema/cluster-migrations.ts'
import { postgresDialect } from './schema/postgres-dialect.ts'
import { channelOf, defaultSchema, requireSchemaName } from './store-address.ts'
import { StoreSize } from './store-size.ts'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. The user must be allowed to create tables, unless they are there. */
  readonly url: string
  /** The schema of all tables; default `sluice`. Several stores fit into one database. */
  readonly schema?: string
  readonly clock: Clock
  /** Source of the ids of stored records. */
  readonly random: Random
  /** Size of the tables at which batches are refused; default 64 GiB. Above 80 %, batches kept only for replays go. */
  readonly budgetBytes?: number
  /** Size of the cache of the newest batches, measured by their JSON texts; default 32 MiB. */
  readonly recentBytesMax?: number
  /** Number of receipts to keep, over all workspaces; default 100,000. More between two prunings. */
  readonly receiptsMax?: number
  /** Number of audit entries to keep, over all workspaces; default 100,000. Up to 5 % more between two prunings. */
  readonly auditEntriesMax?: number
  /** Overrides of the defaults: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** Overrides of the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** How soon others take over from a process that is silent, and what belongs to it; the same in all processes. */
  readonly times?: Partial<ClusterTimes>
  /** Called when the database lacks what this process knew it to have, as after a fail-over to an asynchronous standby. */
  readonly onMissing?: (missing: MissingBatches) => void
  /** Receives warnings of the start: of standbys that may lack what was acknowledged. */
  readonly onWarning?: (text: string) => void
  /** Receives errors that no caller waits for: of idle connections, beats, listeners. */
  readonly onError?: (error: unknown) => void
}

/** Waits for the turn of rare writes, and notes the one that begins. */
const beginTurn = `
  with serving as materialized (select 1 from node where id = $1 for key share),
  ${noted('$3', '$4', 'exists (select from serving)')}
  select pg_advisory_xact_lock(hashtextextended(current_schema(), $2)),
    (select count(*) from serving) as serving, (select count(*) from noted) as noted`

/** How often the log is looked at, should a hint get lost. */
const lookMs = 500

/**
 * Opens everything Sluice stores in one schema of a PostgreSQL database (15 or newer), which any number of processes share:
 * each takes events of all users, and processes those of the users whose lanes it holds.
 *
 * A write is durable when its promise resolves; concurrent writes share statements. A store written by an older release is
 * migrated. While the server cannot be reached, calls fail and may be repeated; the store needs no reopening.
 *
 * @throws StoreVersionError when a newer release wrote it; StoreUnusableError when the server cannot be reached or used.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, schema = defaultSchema, onError = () => {} } = options
  requireSchemaName(schema)
  await maintained(options, (connection) => prepareTables(connection, schema))
  const { leaseMs } = { ...defaultClusterTimes, ...options.times }
  const server = new ServedServer()
  const connection = await connect(url, schema, onError, { server })
  // A connection of its own: a beat must not wait for slow statements, nor for long for one that does not answer.
  const beats = await connect(url, schema, onError, { connections: 1, statementMs: leaseMs / 4, server }).catch(
    async (error: unknown) => {
      await connection.close()
      throw error
    },
  )
  try {
    return await openStores({ connection, beats, server }, schema, options)
  } catch (error) {
    await beats.close()
    await connection.close()
    throw error
  }
}

/** Longest time of a statement that changes or cleans up tables. */
const maintenanceMs = 3_600_000

/** Does what takes long, over a connection that waits for it. */
async function maintained<Result>(
  { url, schema = defaultSchema, onError = () => {} }: PostgresStoreOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(url, schema, onError, { connections: 2, statementMs: maintenanceMs })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function openStores(
  {
    connection,
    beats,
    server,
  }: { readonly connection: Connection; readonly beats: Connection; readonly server: ServedServer },
  schema: string,
  options: PostgresStoreOptions,
): Promise<Store> {
  const { url, clock, random, recentBytesMax = 32 * 1024 ** 2, receiptsMax = 100_000, onError = () => {} } = options
  const deadLetterLimits = { ...defaultDeadLetterLimits, ...options.deadLetterLimits }
  const appends = createAppendWatchers(onError)
  const versions = createVersionWatchers(onError)
  const know = ({ workspaceId, lane, position, events }: LaneBatch): void => {
    if (position > 0) membership.past.add({ workspaceId, lane, position, events: events.length })
  }
  const tail = new LaneTail({
    connection,
    recentBytesMax,
    onBatches: (workspaceId) => appends.notify(workspaceId),
    onRead: know,
  })
  const size = await StoreSize.measure(connection)
  const notifications = new Notifications({ connection: beats, url, channel: channelOf(schema), onError })
  const membership = new Membership({
    rows: createSqlSharedRows(beats, channelOf(schema)),
    server,
    random,
    times: { ...defaultClusterTimes, ...options.times },
    knows: knownSteps,
    onLanes: () => tail.clear(),
    hint: (todo) => notifications.tell(todo),
    onMissing: options.onMissing ?? (() => {}),
    onError,
  })
  // The last step that may fail: from here on, timers run.
  await aloneIn(connection, schema, async () => {
    await requireWhole(connection)
    await membership.enter()
  })
  size.follow(onError)
  const warning = await readStandbyWarning(connection.query).catch(onError)
  if (warning) options.onWarning?.(warning)
  // These writes take turns over all processes, as they do in a store that one process has for itself.
  const parts = { query: connection.query, random }
  const takingTurns = (turn: number) =>
    openSession(
      { db: connection.db, dialect: postgresDialect('shared'), place: connection.place },
      {
        numbered: {
          once: createNumberedWrites(parts),
          begin: async (db, { writer, number }) => {
            const { rows } = await db.executeQuery<{ serving: number; noted: number }>(
              CompiledQuery.raw(beginTurn, [membership.nodeId, turn, writer, number]),
            )
            if (!rows[0]?.serving) throw new NotServingError()
            if (!rows[0].noted) throw new InvariantError('two writers have the same id')
          },
        },
      },
    )
  const session = takingTurns(turns.others)
  // Who regulates a user waits for all processes, and must not also wait for what they have observed.
  const regulationSession = takingTurns(turns.regulations)
  const budgetBytes = options.budgetBytes ?? 64 * 1_024 ** 3
  const budget = new LogBudget(session, {
    clock,
    usedBytes: () => size.bytes,
    budgetBytes,
    reserveBytes: 0,
    trim: (workspaceId, kept) => trimLanes(connection.query, session, workspaceId, kept),
  })
  const stores = createSqlStores(session, {
    clock,
    random,
    limits: {
      receiptsMax,
      auditEntriesMax: options.auditEntriesMax ?? 100_000,
      deadLetterLimits,
      schemaLimits: options.schemaLimits ?? {},
    },
    budget,
    laneOf,
    regulationSession,
  })
  const look = (): void => void tail.look().catch(onError)
  const append = new AppendGroup({
    connection,
    once: createNumberedWrites(parts),
    nodeId: () => membership.nodeId,
    onAppend: (workspaceIds, stored, exact) => {
      for (const batch of stored) know(batch)
      tail.appended(exact)
      // A hint comes back to this process, too.
      if (membership.isAlone) look()
      else notifications.tell('append')
      // The others are notified once their batches are read.
      for (const id of workspaceIds) if (!tail.follows(id)) appends.notify(id)
    },
  })
  let closing: Promise<void> | undefined
  const requireOpen = (): void => {
    if (closing !== undefined) throw new StoreClosedError()
  }
  const calls = new Set<Promise<unknown>>()
  const underWay = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    requireOpen()
    const work = call()
    calls.add(work)
    try {
      return await membership.counted(() => work)
    } finally {
      calls.delete(work)
    }
  }
  const held = () => membership.held
  const crashes = new LaneCrashes({ query: connection.query, session, held, fromDead: () => membership.fromDead })
  const log = createLaneEventLog({
    connection,
    session,
    stores,
    nodeId: () => membership.nodeId,
    append,
    tail,
    budget,
    appends,
    versions,
    held,
    crashes,
    requireOpen,
    underWay,
  })
  const counters = createDeltaCounters(connection.query, {
    once: createNumberedWrites(parts),
    stored: stores.counters,
  })
  const deferredBy = (workspaceId: string): void => notifications.tell(`deferred ${workspaceId}`)
  const retries = createLaneRetries(stores.retries, { query: connection.query, held, onAdd: deferredBy })
  const stopJanitor = startJanitor({
    session,
    query: connection.query,
    isCrowded: () => size.bytes >= crowded * budgetBytes,
    receiptsMax,
    clock,
    isLeader: () => membership.isLeader,
    onError,
  })
  const timer = setInterval(look, lookMs).unref()
  notifications.listen((hint) => {
    if (hint === 'append') look()
    else if (hint.startsWith('deferred ')) membership.deferred(hint.slice('deferred '.length))
    else membership.hinted(hint)
  })
  return {
    kind: 'PostgreSQL',
    log,
    counters: {
      add: (deltas, writeId) => underWay(() => counters.add(deltas, writeId)),
      read: (workspaceId) => underWay(() => counters.read(workspaceId)),
    },
    receipts: { ...stores.receipts, receiptsMax },
    retries: { ...retries, commit: (result) => membership.counted(() => retries.commit(result)) },
    deadLetters: {
      ...stores.deadLetters,
      limits: deadLetterLimits,
      replay: async (workspaceId, replays) => {
        const deferred = await stores.deadLetters.replay(workspaceId, replays)
        deferredBy(workspaceId)
        return deferred
      },
    },
    regulations: {
      ...stores.regulations,
      ledger: stores.ledgerMarks,
      index: createClusterSegments(stores.segments, connection.query, () => membership.nodeId),
      deletions: stores.deletions,
      writings: stores.writings,
      requests: stores.subjectRequests,
    },
    schema: createRowSchemaStore(stores.schema, versions),
    transformations: stores.transformations,
    configuration: stores.configuration,
    audit: stores.audit,
    loads: stores.loads,
    sessions: stores.sessions,
    crashes,
    cluster: membership,
    wipe: () => session.read(() => maintained(options, vacuum)),
    lostBatches: async () => (await readLosses(connection.query)).flatMap(toLostBatches),
    close: () => {
      closing ??= (async () => {
        clearInterval(timer)
        await Promise.allSettled(calls)
        await append.drain()
        await stopJanitor()
        await session.close()
        await regulationSession.close()
        size.stop()
        // Without the server, others wait for a lease instead.
        await membership.leave().catch(onError)
        await notifications.close()
        await beats.close()
        await connection.close()
        appends.clear()
        versions.clear()
      })()
      return closing
    },
  }
}

/** Tables that hold data of users, which deletions remove. */
const personalTables = [
  'log_batch',
  'receipt_batch',
  'deferred_event',
  'deferred_event_user',
  'dead_letter',
  'dead_letter_user',
  'id_writing',
  'schema_sample',
  'schema_values',
]

/** Frees the places of deleted rows, which the server keeps otherwise until it cleans up by itself. */
async function vacuum(connection: Connection): Promise<void> {
  for (const table of personalTables) await connection.query(`vacuum ${table}`)
}
