import type { Store } from '@sluice/pipeline'
import { createRowSchemaStore, crowded } from '@sluice/storage/sql'
import { createClusterSegments } from './cluster-segments.ts'
import { parseTryText, tryPrefix } from './connect/announced-try.ts'
import { type Connection, connect } from './connect/connect.ts'
import { createNumberedWrites } from './connect/numbered-writes.ts'
import { ServedServer } from './connect/served-server.ts'
import { createDeltaCounters } from './counters.ts'
import { startJanitor } from './janitor.ts'
import { joinCluster, type StoreConnections } from './join-cluster.ts'
import { createLaneRetries } from './log/lane-retries.ts'
import { openLog } from './open-log.ts'
import { readLosses, toLostBatches } from './operate/losses.ts'
import { createShownProcesses } from './operate/shown-processes.ts'
import { type CompleteOptions, completeOptions, type PostgresStoreOptions } from './postgres-store-options.ts'
import { prepareTables } from './prepare-tables.ts'
import { requireSchemaName } from './store-address.ts'

/** How often the log is looked at, should a notification get lost. */
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
  const complete = completeOptions(options)
  const { url, schema, onError, times } = complete
  requireSchemaName(schema)
  await maintained(complete, (connection) => prepareTables(connection, schema))
  const server = new ServedServer()
  const connection = await connect(url, schema, onError, { server })
  // A connection of its own: a beat must not wait for slow statements, nor for long for one that does not answer.
  const beats = await connect(url, schema, onError, { connections: 1, statementMs: times.leaseMs / 4, server }).catch(
    async (error: unknown) => {
      await connection.close()
      throw error
    },
  )
  try {
    return await openStores({ connection, beats, server }, complete)
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
  { url, schema, onError }: CompleteOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(url, schema, onError, { connections: 2, statementMs: maintenanceMs })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

async function openStores(connections: StoreConnections, options: CompleteOptions): Promise<Store> {
  const { clock, random, receiptsMax, budgetBytes, deadLetterLimits, onError } = options
  const { connection, beats } = connections
  const { query } = connection
  const joined = await joinCluster(connections, options)
  const { membership, notifications, size, appends, versions } = joined
  const { session, regulationSession, stores, log, append, crashes, calls, look } = openLog(connection, joined, options)
  const nodeId = () => membership.nodeId
  const counters = createDeltaCounters(query, {
    once: createNumberedWrites({ query, random }),
    stored: stores.counters,
  })
  const deferredBy = (workspaceId: string): void => notifications.tell(`deferred ${workspaceId}`)
  const retries = createLaneRetries(stores.retries, { query, held: () => membership.held, onAdd: deferredBy })
  const stopJanitor = startJanitor({
    session,
    query,
    isCrowded: () => size.bytes >= crowded * budgetBytes,
    receiptsMax,
    clock,
    isLeader: () => membership.isLeader,
    onError,
  })
  const timer = setInterval(look, lookMs).unref()
  notifications.listen((text) => {
    if (text === 'append') look()
    else if (text.startsWith('deferred ')) membership.deferred(text.slice('deferred '.length))
    else if (text.startsWith(tryPrefix)) {
      const announced = parseTryText(text)
      if (announced) membership.announced(announced)
    } else membership.notified(text)
  })
  const close = async (): Promise<void> => {
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
  }
  return {
    kind: 'PostgreSQL',
    log,
    counters: {
      add: (deltas, writeId) => calls.run(() => counters.add(deltas, writeId)),
      read: (workspaceId) => calls.run(() => counters.read(workspaceId)),
      readNamed: (query) => calls.run(() => counters.readNamed(query)),
      tidyNamed: (now) => calls.run(() => counters.tidyNamed(now)),
    },
    history: stores.history,
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
      index: createClusterSegments(stores.segments, query, nodeId),
      deletions: stores.deletions,
      writings: stores.writings,
      requests: stores.subjectRequests,
    },
    schema: createRowSchemaStore(stores.schema, versions),
    transformations: stores.transformations,
    configuration: stores.configuration,
    audit: stores.audit,
    changeLog: stores.changeLog,
    loads: stores.loads,
    sessions: stores.sessions,
    crashes,
    cluster: membership,
    processes: createShownProcesses(query, nodeId),
    wipe: () => session.read(() => maintained(options, vacuum)),
    lostBatches: async () => (await readLosses(query)).flatMap(toLostBatches),
    close: () => {
      clearInterval(timer)
      return calls.close(close)
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
