import type { Event } from '@sluice/core'
import type { EventEnding } from '../run/offline-run.ts'
import { createOfflineRunner } from '../run/offline-runner.ts'
import type { DiffOptions } from './diff-runs.ts'
import type { DiffedWay } from './diffed-way.ts'
import { inBatches } from './in-batches.ts'
import { runSide } from './run-side.ts'

/** What became of one event on all ways. */
export interface RecordedEndings {
  readonly event: Event
  /** By the name of the destination; '' without one. Absent where the event does not come. */
  readonly endings: Readonly<Record<string, EventEnding>>
}

/**
 * Runs events through the side after the change, with the batches, time and randomness of `diffRuns`, so that its results can be
 * compared later with those of another release: see `DiffSide.recorded`. Yields them batch by batch, in order.
 * @throws OfflineLoadError when the code of a side cannot be loaded.
 */
export async function* recordEndings(
  ways: readonly DiffedWay[],
  events: AsyncIterable<Event> | Iterable<Event>,
  { sandbox = {}, now = Date.now(), conditions = {}, onProgress = () => {} }: DiffOptions = {},
): AsyncGenerator<RecordedEndings> {
  const runner = await createOfflineRunner(sandbox)
  let count = 0
  try {
    for await (const batch of inBatches(events)) {
      const all = batch.map((): [string, EventEnding][] => [])
      for (const { destination = '', after } of ways) {
        const { endings } = await runSide(runner, after, batch, { ...conditions, now, seed: count })
        for (const [i, ending] of endings.entries()) if (ending !== undefined) all[i]?.push([destination, ending])
      }
      for (const [i, event] of batch.entries()) yield { event, endings: Object.fromEntries(all[i] ?? []) }
      count += batch.length
      onProgress(count)
    }
  } finally {
    await runner.close()
  }
}
