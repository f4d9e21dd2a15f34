import type { Event } from '@sluice/core'
import type { SandboxOptions } from '@sluice/sandbox'
import { quantile } from '../bench/spread.ts'
import type { RunConditions } from '../run/offline-run.ts'
import { createOfflineRunner } from '../run/offline-runner.ts'
import { type ChangeGroup, ChangeGroups, type EventChange } from './change-groups.ts'
import type { DiffedWay, DiffSide } from './diffed-way.ts'
import { endingChanges } from './ending-changes.ts'
import { inBatches } from './in-batches.ts'
import { runSide, type SideRun } from './run-side.ts'

export interface DiffOptions {
  /** Limits, isolation and mode; the defaults are those of production. */
  readonly sandbox?: Omit<SandboxOptions, 'clock' | 'random' | 'probes'>
  /** Time seen by both sides, in milliseconds since the epoch. Default: now, the same for both. */
  readonly now?: number
  readonly conditions?: Pick<RunConditions, 'credentials' | 'fetch' | 'metadata' | 'sourceOf' | 'inTurn'>
  readonly onProgress?: (events: number) => void
}

/** What became of the events on one side. */
export interface SideTotals {
  readonly passed: number
  readonly dropped: number
  readonly failed: number
  readonly requests: number
  /** Time of a batch divided by its events. */
  readonly p50Ms: number
  readonly p99Ms: number
}

export interface DiffReport {
  /** Events that were run. */
  readonly events: number
  /** Events with at least one change. */
  readonly changed: number
  /** Those with the most events first. */
  readonly groups: readonly ChangeGroup[]
  /** Changes at more places than are distinguished. */
  readonly groupsLeftOut: number
  readonly before: SideTotals
  readonly after: SideTotals
}

/**
 * Runs events through two versions of the same ways, and compares what would leave: requests, or outputs where there is
 * no destination, drops and failures with their reasons. Both sides see the same time and the same randomness. Nothing is
 * sent, stored or counted. Memory does not grow with the number of events.
 *
 * Events that differ in a batch, and whose result depends on randomness, run again by themselves: else a version that
 * draws one random number more would change all events after it. They run without the state that earlier events of the
 * batch leave in variables. Code of whole batches (`transformBatch`) does not run again.
 *
 * @param events valid events, in order.
 * @throws OfflineLoadError when the code of a side cannot be loaded.
 */
export async function diffRuns(
  ways: readonly DiffedWay[],
  events: AsyncIterable<Event> | Iterable<Event>,
  { sandbox = {}, now = Date.now(), conditions = {}, onProgress = () => {} }: DiffOptions = {},
): Promise<DiffReport> {
  const runner = await createOfflineRunner(sandbox)
  const inTurns = inTurnsOf(conditions)
  const sides = { before: new Totals(), after: new Totals() }
  const groups = new ChangeGroups()
  let count = 0
  let changed = 0
  try {
    for await (const batch of inBatches(events)) {
      const changesOf = batch.map((): EventChange[] => [])
      for (const way of ways) {
        const run = (side: DiffSide | undefined, some: readonly Event[], seed: number) =>
          runSide(runner, side, some, { ...conditions, now, seed })
        // The first runs load code, and are slower than all others.
        if (count === 0) for (const side of [way.before, way.after]) await run(side, batch, count)
        const [before, after] = [await run(way.before, batch, count), await run(way.after, batch, count)]
        sides.before.add(before)
        sides.after.add(after)
        const found = await inTurns(batch, (_, i) =>
          endingChanges(before.endings[i], after.endings[i], way.destination),
        )
        if (found.every(({ length }) => length === 0)) continue
        const isOnce = isOfBatches(way) || isRecorded(way) || batch.length === 1
        const isRandom = isOnce ? () => false : await findRandom(run, way, batch, { seed: count, before, after })
        for (const [i, event] of batch.entries()) {
          if (found[i]?.length === 0) continue
          const again = isRandom(i) ? await alone(run, way, event, count + i) : found[i]
          changesOf[i]?.push(...(again ?? []))
        }
      }
      for (const [i, event] of batch.entries()) {
        const changes = changesOf[i] ?? []
        if (changes.length === 0) continue
        changed += 1
        groups.add(event, count + i, changes)
      }
      count += batch.length
      onProgress(count)
    }
  } finally {
    await runner.close()
  }
  return {
    events: count,
    changed,
    groups: groups.list,
    groupsLeftOut: groups.leftOut,
    before: sides.before.read(),
    after: sides.after.read(),
  }
}

type RunOne = (side: DiffSide | undefined, some: readonly Event[], seed: number) => Promise<SideRun>

/** Returns which events of a batch have another result with other randomness, on either side. */
async function findRandom(
  run: RunOne,
  way: DiffedWay,
  batch: readonly Event[],
  { seed, before, after }: { readonly seed: number; readonly before: SideRun; readonly after: SideRun },
): Promise<(place: number) => boolean> {
  // No event has this seed: they are counted from 0.
  const other = -1 - seed
  const sides = [
    [before, await run(way.before, batch, other)],
    [after, await run(way.after, batch, other)],
  ] as const
  return (place) =>
    sides.some(([first, second]) => endingChanges(first.endings[place], second.endings[place], undefined).length > 0)
}

/** Returns the changes of one event that runs by itself. */
async function alone(run: RunOne, way: DiffedWay, event: Event, seed: number): Promise<readonly EventChange[]> {
  const before = await run(way.before, [event], seed)
  const after = await run(way.after, [event], seed)
  return endingChanges(before.endings[0], after.endings[0], way.destination)
}

/** What was recorded cannot run again. */
const isRecorded = ({ before, after }: DiffedWay): boolean =>
  before?.recorded !== undefined || after?.recorded !== undefined

const isOfBatches = ({ before, after }: DiffedWay): boolean =>
  [before, after].some((side) => side?.subject?.code.includes('transformBatch'))

/** Counts outcomes of one side. Holds times of batches, not of events. */
class Totals {
  readonly #counts = { passed: 0, dropped: 0, failed: 0 }
  #requests = 0
  readonly #timesMs: number[] = []

  add({ endings, timeMs }: SideRun): void {
    const ended = endings.filter((each) => each !== undefined)
    for (const { outcome, requests } of ended) {
      this.#counts[outcome] += 1
      this.#requests += requests?.length ?? 0
    }
    if (ended.length > 0) this.#timesMs.push(timeMs / ended.length)
  }

  read(): SideTotals {
    const sorted = this.#timesMs.sort((a, b) => a - b)
    const at = (share: number): number => (sorted.length === 0 ? 0 : quantile(sorted, share))
    return { ...this.#counts, requests: this.#requests, p50Ms: at(0.5), p99Ms: at(0.99) }
  }
}

/** Events that are compared in one turn: about a millisecond. */
const comparedPerTurn = 20

/** Returns a function that works on a list, a few items in each turn. */
function inTurnsOf({ inTurn = async (work) => work() }: Pick<RunConditions, 'inTurn'>) {
  return async <In, Out>(items: readonly In[], work: (item: In, index: number) => Out): Promise<readonly Out[]> => {
    const done: Out[] = []
    for (let from = 0; from < items.length; from += comparedPerTurn) {
      const slice = items.slice(from, from + comparedPerTurn)
      done.push(...(await inTurn(() => slice.map((item, i) => work(item, from + i)))))
    }
    return done
  }
}
