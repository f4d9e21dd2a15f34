import type { Clock } from '@sluice/core'
import type { QueueState } from '../consume/workspace-runtime.ts'
import type { Store } from '../ports/store.ts'
import {
  type HistoryKind,
  type HistoryRead,
  type HistoryRow,
  hourMs,
  keptLengthFor,
  minuteMs,
  slotOf,
} from '../ports/stores/history-store.ts'
import type { DestinationCircuit } from '../reports/counts/circuits.ts'
import { toStats } from '../reports/counts/stats.ts'
import { DelayCounts } from '../reports/history/delay-counts.ts'
import { type Health, healthOf } from '../reports/history/health.ts'
import type { HistoryRange } from '../reports/history/history-range.ts'
import { type HistoryReport, toHistoryReport } from '../reports/history/history-report.ts'

/** What ended within so many milliseconds, and in the minute that has only begun, is lately. */
const latelyMs = 5 * minuteMs
/** From how long the usual delay of a destination is known. */
const usualFromMs = 24 * hourMs

const ended: readonly HistoryKind[] = ['delivered', 'dropped', 'failed']

/** Whether requests are sent to a destination, and how it does. */
export interface DestinationHealth extends DestinationCircuit {
  readonly health: Health
  /** Events that have not ended, by the counters. */
  readonly waiting: number
  /**
   * Since when the oldest of them waits, in milliseconds since the epoch. Of several processes of a store as of the end of a minute,
   * so that all answer the same.
   */
  readonly oldestAt?: number | undefined
  /** Events that ended in the last five to six minutes, and those of them that failed. */
  readonly endedLately: number
  readonly failedLately: number
}

interface EngineHistoryParts {
  readonly clock: Clock
  readonly store: Pick<Store, 'history' | 'counters' | 'cluster'>
  /** Returns how far the consumers of this process are. */
  queues(workspaceId: string): Promise<readonly QueueState[]>
}

/** What an engine reports about times that have passed. */
export class EngineHistory {
  readonly #parts: EngineHistoryParts

  constructor(parts: EngineHistoryParts) {
    this.#parts = parts
  }

  /** Returns what happened in a workspace; the sums of its counts are those by which the counters have grown. */
  async report(workspaceId: string, range: HistoryRange): Promise<HistoryReport> {
    const { store, clock } = this.#parts
    const fromMs = keptLengthFor(range.everyMs)
    return toHistoryReport(await store.history.read({ workspaceId, ...range, fromMs }), range, clock.now())
  }

  /** Adds to circuits how their destinations do, in their order. */
  async health(workspaceId: string, circuits: readonly DestinationCircuit[]): Promise<readonly DestinationHealth[]> {
    if (circuits.length === 0) return []
    const { store, clock } = this.#parts
    const now = clock.now()
    const minute = slotOf(now, minuteMs)
    const hour = slotOf(now, hourMs)
    const [lately, usually, counts, oldest] = await Promise.all([
      store.history.read({
        workspaceId,
        since: minute - latelyMs,
        until: minute + minuteMs,
        everyMs: minuteMs,
        fromMs: minuteMs,
        kinds: ended,
      }),
      store.history.read({
        workspaceId,
        since: hour - usualFromMs,
        until: hour + hourMs,
        everyMs: hourMs,
        fromMs: hourMs,
        kinds: ['deliveryMs'],
      }),
      store.counters.read(workspaceId),
      this.#oldest(workspaceId, now),
    ])
    const waiting = new Map<string, number>()
    for (const { destinations } of toStats(counts))
      for (const { destinationId, pending } of destinations)
        waiting.set(destinationId, (waiting.get(destinationId) ?? 0) + pending)
    return circuits.map((circuit) => {
      const { destinationId, state } = circuit
      const own = ofDestination(lately, destinationId)
      const sum = (kinds: readonly HistoryKind[]): number =>
        own.reduce((total, { kind, count }) => (kinds.includes(kind) ? total + count : total), 0)
      const signs = {
        endedLately: sum(ended),
        failedLately: sum(['failed']),
        waiting: waiting.get(destinationId) ?? 0,
      }
      const oldestAt = signs.waiting > 0 ? oldest.get(destinationId) : undefined
      const oldestMs = oldestAt === undefined ? undefined : now - oldestAt
      const usualMs = usualOf(ofDestination(usually, destinationId))
      return { ...circuit, ...signs, oldestAt, health: healthOf({ ...signs, state, oldestMs, usualMs }) }
    })
  }

  /** Returns the age of the oldest event that waits for each destination, as rows of the history. */
  async oldestWaiting(workspaceId: string): Promise<readonly HistoryRow[]> {
    const queues = await this.#parts.queues(workspaceId)
    return queues.flatMap(({ destinationId, oldestMs }): HistoryRow | [] => {
      const count = Math.round(oldestMs)
      if (destinationId === undefined || count === 0) return []
      return { workspaceId, sourceId: '', destinationId, kind: 'oldestWaiting', reason: '', count }
    })
  }

  /** Returns since when the oldest event of each destination waits. */
  async #oldest(workspaceId: string, now: number): Promise<ReadonlyMap<string, number>> {
    const { store, queues } = this.#parts
    if (store.cluster === undefined) {
      const states = await queues(workspaceId)
      return new Map(
        states.flatMap(({ destinationId, oldestMs }) =>
          destinationId === undefined || oldestMs === 0 ? [] : [[destinationId, now - oldestMs] as const],
        ),
      )
    }
    // Each process knows its own lanes only. The last minute may not be written yet, then it is the one before.
    const minute = slotOf(now, minuteMs)
    const { slots } = await store.history.read({
      workspaceId,
      since: minute - 2 * minuteMs,
      until: minute,
      everyMs: minuteMs,
      fromMs: minuteMs,
      kinds: ['oldestWaiting'],
    })
    return new Map(slots.map(({ destinationId, at, count }) => [destinationId, at + minuteMs - count]))
  }
}

function ofDestination({ slots, unmoved }: HistoryRead, destinationId: string): readonly HistoryRow[] {
  return [...slots, ...unmoved].filter((row) => row.destinationId === destinationId)
}

function usualOf(rows: readonly HistoryRow[]): number | undefined {
  const delays = new DelayCounts()
  for (const { reason, count } of rows) delays.add(reason, count)
  return delays.within(0.5)
}
