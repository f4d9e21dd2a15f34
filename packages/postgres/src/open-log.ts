import type { EventLog } from '@sluice/pipeline'
import { createSqlStores, LogBudget } from '@sluice/storage/sql'
import { CallsUnderWay } from './calls-under-way.ts'
import type { Connection } from './connect/connect.ts'
import { createNumberedWrites } from './connect/numbered-writes.ts'
import { waitingCounts } from './counters.ts'
import type { Joined } from './join-cluster.ts'
import { laneOf } from './lanes/lane-of.ts'
import { AppendGroup } from './log/append/append-group.ts'
import { LaneCrashes } from './log/lane-crashes.ts'
import { createLaneEventLog } from './log/lane-event-log.ts'
import { trimLanes } from './log/trim-lanes.ts'
import type { CompleteOptions } from './postgres-store-options.ts'
import { turns } from './schema/cluster-migrations.ts'
import { openSessionInTurn } from './session-in-turn.ts'

interface OpenedLog {
  readonly session: ReturnType<typeof openSessionInTurn>
  /** For regulations, which must not wait for what is observed. */
  readonly regulationSession: ReturnType<typeof openSessionInTurn>
  readonly stores: ReturnType<typeof createSqlStores>
  readonly log: EventLog
  readonly append: AppendGroup
  readonly crashes: LaneCrashes
  readonly calls: CallsUnderWay
  /** Looks for new batches in the lanes held. */
  readonly look: () => void
}

/** Opens the log of a process that takes part, with the stores in rows that its commits write to. */
export function openLog(connection: Connection, joined: Joined, options: CompleteOptions): OpenedLog {
  const { clock, random, budgetBytes, onError } = options
  const { membership, tail, size, notifications, appends, versions, know } = joined
  const { query } = connection
  const nodeId = () => membership.nodeId
  const session = openSessionInTurn({ connection, random, nodeId, turn: turns.others })
  // Who regulates a user waits for all processes, and must not also wait for what they have observed.
  const regulationSession = openSessionInTurn({ connection, random, nodeId, turn: turns.regulations })
  const budget = new LogBudget(session, {
    clock,
    usedBytes: () => size.bytes,
    budgetBytes,
    reserveBytes: 0,
    trim: (workspaceId, kept) => trimLanes(query, session, workspaceId, kept),
  })
  const stores = createSqlStores(session, {
    clock,
    random,
    limits: options,
    budget,
    laneOf,
    regulationSession,
    waitingCounts,
  })
  const look = (): void => void tail.look().catch(onError)
  const append = new AppendGroup({
    connection,
    once: createNumberedWrites({ query, random }),
    nodeId,
    onError,
    onAppend: (workspaceIds, stored, exact) => {
      for (const batch of stored) know(batch)
      tail.appended(exact)
      // A notification comes back to this process, too.
      if (membership.isAlone) look()
      else notifications.tell('append')
      // The others are notified once their batches are read.
      for (const id of workspaceIds) if (!tail.follows(id)) appends.notify(id)
    },
  })
  const calls = new CallsUnderWay((call) => membership.counted(call))
  const held = () => membership.held
  const crashes = new LaneCrashes({ query, session, held, fromDead: () => membership.fromDead })
  const log = createLaneEventLog({
    connection,
    session,
    stores,
    nodeId,
    append,
    tail,
    budget,
    appends,
    versions,
    held,
    crashes,
    requireOpen: () => calls.requireOpen(),
    underWay: (call) => calls.run(call),
  })
  return { session, regulationSession, stores, log, append, crashes, calls, look }
}
