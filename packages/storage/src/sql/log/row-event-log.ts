import { InvariantError } from '@sluice/core'
import { nextTurn } from '@sluice/core/next-turn'
import type { EventLog, LogBatch, LogPosition, NewLogBatch } from '@sluice/pipeline'
import { LRUCache } from '#inlined/lru-cache'
import type { AppendWatchers } from '../../append-watchers.ts'
import { RecentBatches } from '../../recent-batches.ts'
import type { VersionWatchers } from '../../version-watchers.ts'
import { receiptRows } from '../stores/flow/receipt-rows.ts'
import { batchOf, type LogRow, type LogRows, rowOf, rowWithout, type StoredLogRow } from './log-rows.ts'

interface RowEventLogOptions {
  readonly rows: LogRows
  readonly appends: AppendWatchers
  readonly versions: Pick<VersionWatchers, 'notify'>
  /** Size of the cache of the newest batches, measured by their JSON texts. */
  readonly recentBytesMax: number
  /** Throws when the store is closed. */
  readonly requireOpen: () => void
}

/** Size of the rows that are parsed in one turn of the event loop: some milliseconds. */
const bytesPerTurn = 512 * 1_024
/** Of a batch without its events. */
const rowBytes = 500

/** Creates the event log of the single process that writes its rows. */
export function createRowEventLog({
  rows,
  appends,
  versions,
  recentBytesMax,
  requireOpen,
}: RowEventLogOptions): EventLog {
  const recent = new RecentBatches(recentBytesMax)
  // Consumers that lag behind read the same batches one soon after the other.
  const parsed = new LRUCache<LogPosition, LogBatch>({ maxSize: Math.max(1, Math.ceil(recentBytesMax / 4)) })
  let erasures = 0
  const batchAt = (row: StoredLogRow): LogBatch => {
    const known = parsed.get(row.position)
    if (known) return known
    const batch = batchOf(row)
    parsed.set(row.position, batch, { size: row.bytes + rowBytes })
    return batch
  }
  const appended = (batch: NewLogBatch, row: LogRow, position: LogPosition): void => {
    const { isExact, ...kept } = batch
    recent.add(isExact ? { ...kept, position } : batchOf({ ...row, position }), row.bytes)
    appends.notify(batch.workspaceId)
  }
  return {
    append: async (batch, counts) => {
      if (batch.events.length === 0) throw new InvariantError('a batch without events cannot be appended to the log')
      const row = rowOf(batch)
      const position = await rows.append(row, counts)
      appended(batch, row, position)
      return position
    },
    appendNew: async (batch, counts, deduplication) => {
      if (batch.events.length === 0) throw new InvariantError('a batch without events cannot be appended to the log')
      const row = rowOf(batch)
      const messageIds = batch.events.map(({ messageId }) => String(messageId))
      const answer = await rows.appendNew(row, counts, messageIds, deduplication)
      if (answer.position === undefined) return answer
      const left = new Set(answer.duplicates)
      const kept = left.size > 0 ? { ...batch, events: batch.events.filter((_, place) => !left.has(place)) } : batch
      appended(kept, rowWithout(row, answer.duplicates) ?? row, answer.position)
      return answer
    },
    requireRoom: (workspaceId) => rows.requireRoom(workspaceId),
    usage: (workspaceId) => rows.usage(workspaceId),
    register: (workspaceId, consumer) => rows.register(workspaceId, consumer),
    read: async (workspaceId, after, limit, bytesMax) => {
      const known = recent.read(workspaceId, after, limit, bytesMax)
      if (known) return known
      const erasuresBefore = erasures
      const found = await rows.read(workspaceId, after, limit, bytesMax)
      const batches: LogBatch[] = []
      let bytes = 0
      for (const row of found) {
        // Rows that were read before users were erased must not be kept.
        batches.push(erasures === erasuresBefore ? batchAt(row) : batchOf(row))
        bytes += row.bytes
        if (bytes < bytesPerTurn) continue
        bytes = 0
        await new Promise<void>((resolve) => nextTurn(resolve))
      }
      return batches
    },
    commit: async ({ receipts, observed, ...progress }) => {
      // Packed here: the members of every receipt would cost as much to pass to a thread as to store. What was observed is
      // text: to receive objects with thousands of new keys takes a thread ten times as long as to parse them.
      const observed_json = observed && JSON.stringify(observed)
      const row = { ...progress, receipts: receiptRows(receipts), observed_json: observed_json || undefined }
      versions.notify(progress.workspaceId, await rows.commit(row))
    },
    cursors: (workspaceId) => rows.cursors(workspaceId),
    eventsDone: (workspaceId, consumer) => rows.eventsDone(workspaceId, consumer),
    workspaces: () => rows.workspaces(),
    unregister: (workspaceId, consumer) => rows.unregister(workspaceId, consumer),
    end: (workspaceId) => rows.end(workspaceId),
    trim: async (workspaceId, kept) => recent.drop(workspaceId, await rows.trim(workspaceId, kept)),
    forgetUsers: async (workspaceId, userIds) => {
      const erased = await rows.forgetUsers(workspaceId, userIds)
      recent.forget(workspaceId)
      parsed.clear()
      erasures += 1
      return erased
    },
    watch: (workspaceId, listener) => {
      requireOpen()
      return appends.watch(workspaceId, listener)
    },
  }
}
