import { InvariantError } from '@sluice/core'
import type { EventLog, LogBatch, LogPosition, NewLogBatch } from '@sluice/pipeline'
import { withDuplicates } from '@sluice/pipeline/store'
import { compareCodePoints } from '@sluice/schema'
import type { AppendWatchers } from '../../append-watchers.ts'
import { countFitting } from '../../count-fitting.ts'
import { firstBehind } from '../../first-behind.ts'
import { RecentBatches } from '../../recent-batches.ts'
import { withoutUsers } from '../../without-users.ts'
import type { MemorySchemaStore } from '../records/memory-schema-store.ts'
import type { MemoryCounterStore } from './memory-counter-store.ts'
import type { MemoryDeadLetterStore } from './memory-dead-letter-store.ts'
import { MemoryMessages } from './memory-messages.ts'
import type { MemoryReceiptStore } from './memory-receipt-store.ts'
import type { MemoryRetryStore } from './memory-retry-store.ts'

interface MemoryEventLogOptions {
  readonly counters: MemoryCounterStore
  readonly receipts: MemoryReceiptStore
  readonly retries: MemoryRetryStore
  readonly deadLetters: MemoryDeadLetterStore
  readonly schema: MemorySchemaStore
  readonly watchers: AppendWatchers
  readonly requireOpen: () => void
}

interface MemoryBatch extends Omit<LogBatch, 'events'> {
  /** JSON text of its events, so that reads return what a store on disk would. */
  readonly text: string
  /** Size of the text. */
  readonly bytes: number
}

/** Size of the newest batches that are also kept parsed, measured by their JSON texts. */
const recentBytesMax = 8 * 1024 ** 2

interface WorkspaceLog {
  /** In order of position. */
  batches: MemoryBatch[]
  end: LogPosition
  readonly cursors: Map<string, LogPosition>
  /** Events done of the batch behind the cursor of a consumer. */
  readonly eventsDone: Map<string, number>
}

export function createMemoryEventLog(options: MemoryEventLogOptions): EventLog {
  const { counters, receipts, retries, deadLetters, schema, watchers, requireOpen } = options
  const logs = new Map<string, WorkspaceLog>()
  let lastPosition = 0

  const logOf = (workspaceId: string): WorkspaceLog => {
    requireOpen()
    const log = logs.get(workspaceId) ?? { batches: [], end: 0, cursors: new Map(), eventsDone: new Map() }
    logs.set(workspaceId, log)
    return log
  }
  const messages = new MemoryMessages()
  const recent = new RecentBatches(recentBytesMax)
  const add = (log: WorkspaceLog, { isExact, ...batch }: NewLogBatch): LogPosition => {
    lastPosition += 1
    const stored = memoryBatch({ ...batch, position: lastPosition })
    log.batches.push(stored)
    log.end = lastPosition
    recent.add(isExact ? { ...batch, position: lastPosition } : batchOf(stored), stored.bytes)
    watchers.notify(batch.workspaceId)
    return lastPosition
  }

  return {
    append: async (batch, counts) => {
      const log = logOf(batch.workspaceId)
      if (batch.events.length === 0) throw new InvariantError('a batch without events cannot be appended to the log')
      counters.addNow(counts)
      return add(log, batch)
    },
    appendNew: async (batch, counts, deduplication) => {
      const { workspaceId, events } = batch
      const log = logOf(workspaceId)
      if (events.length === 0) throw new InvariantError('a batch without events cannot be appended to the log')
      const duplicates = messages.remember(batch, deduplication)
      const left = new Set(duplicates)
      counters.addNow(
        withDuplicates(
          counts,
          events.filter((_, place) => left.has(place)),
        ),
      )
      const fresh = events.filter((_, place) => !left.has(place))
      if (fresh.length === 0) return { position: undefined, duplicates }
      return { position: add(log, { ...batch, events: fresh }), duplicates }
    },
    requireRoom: async () => requireOpen(),
    usage: async (workspaceId) => ({ bytes: sizeOf(logOf(workspaceId)) }),
    register: async (workspaceId, consumer) => {
      const { cursors, end } = logOf(workspaceId)
      const cursor = cursors.get(consumer) ?? end
      cursors.set(consumer, cursor)
      return cursor
    },
    read: async (workspaceId, after, limit, bytesMax) => {
      const { batches } = logOf(workspaceId)
      const known = recent.read(workspaceId, after, limit, bytesMax)
      if (known) return known
      const from = firstBehind(batches, after)
      const behind = batches.slice(from, from + limit)
      return behind.slice(0, countFitting(behind, bytesMax)).map(batchOf)
    },
    commit: async (progress) => {
      const { workspaceId, consumer, position, eventsDone = 0, counts, observed } = progress
      const { cursors, eventsDone: done } = logOf(workspaceId)
      const cursor = cursors.get(consumer)
      if (cursor === undefined) throw new InvariantError(`consumer ${consumer} committed without being registered`)
      if (position < cursor || (position === cursor && eventsDone <= (done.get(consumer) ?? 0))) return
      cursors.set(consumer, position)
      done.set(consumer, eventsDone)
      counters.addNow(counts)
      receipts.putNow(progress.receipts)
      retries.putNow(progress.deferred ?? [])
      deadLetters.putNow(progress.deadLetters ?? [])
      if (observed !== undefined) schema.mergeNow(workspaceId, observed)
    },
    cursors: async (workspaceId) => {
      return new Map([...logOf(workspaceId).cursors].sort(([a], [b]) => compareCodePoints(a, b)))
    },
    eventsDone: async (workspaceId, consumer) => logOf(workspaceId).eventsDone.get(consumer) ?? 0,
    workspaces: async () => {
      requireOpen()
      const known = [...logs].filter(([, { cursors }]) => cursors.size > 0).map(([workspaceId]) => workspaceId)
      return known.sort(compareCodePoints)
    },
    unregister: async (workspaceId, consumer) => {
      logOf(workspaceId).cursors.delete(consumer)
      logOf(workspaceId).eventsDone.delete(consumer)
    },
    end: async (workspaceId) => logOf(workspaceId).end,
    trim: async (workspaceId, { since, bytesMax }) => {
      const log = logOf(workspaceId)
      const passed = Math.min(log.end, ...log.cursors.values())
      let left = sizeOf(log)
      const isToGo = ({ position, receivedAt }: MemoryBatch): boolean =>
        position <= passed && (receivedAt < since || left > bytesMax)
      for (let [oldest] = log.batches; oldest && isToGo(oldest); [oldest] = log.batches) {
        left -= oldest.bytes
        log.batches.shift()
        recent.drop(workspaceId, oldest.position)
      }
    },
    forgetUsers: async (workspaceId, userIds) => {
      const log = logOf(workspaceId)
      const wanted = new Set(userIds)
      let erased = 0
      log.batches = log.batches.map((stored) => {
        const batch = batchOf(stored)
        const events = withoutUsers(batch.events, wanted)
        erased += events.erased
        return events.erased > 0 ? memoryBatch({ ...batch, events: events.kept }) : stored
      })
      recent.forget(workspaceId)
      return erased
    },
    watch: (workspaceId, listener) => {
      requireOpen()
      return watchers.watch(workspaceId, listener)
    },
  }
}

const sizeOf = ({ batches }: WorkspaceLog): number => batches.reduce((sum, { bytes }) => sum + bytes, 0)

function memoryBatch({ events, ...batch }: LogBatch): MemoryBatch {
  const text = JSON.stringify(events)
  return { ...batch, text, bytes: Buffer.byteLength(text) }
}

function batchOf({ text, bytes: _, ...batch }: MemoryBatch): LogBatch {
  return { ...batch, events: JSON.parse(text) }
}
