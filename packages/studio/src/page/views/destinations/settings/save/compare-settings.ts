import type { EventEnding } from '@sluice/testing/diff'
import { type Comparison, compareEndings } from '../../../compare/comparison.ts'
import { recordedEvents } from '../../../compare/recorded-events.ts'
import type { Destination } from '../../records.ts'
import { tryEvent } from '../../try-event.ts'
import type { Settings } from '../settings-form.tsx'
import { triedEnding } from './tried-ending.ts'

/** Events that are tried, three times each: a call takes a few milliseconds, more where the mapping asks the product. */
const eventsMax = 50
/** Calls at a time. */
const callsMax = 4

/**
 * Compares what a destination would send for its newest recorded events with other settings. Nothing is sent.
 * @param changed the settings that differ from the stored ones.
 * @throws ApiError when the settings are not valid.
 */
export async function compareSettings(
  destination: Destination,
  changed: Settings,
  signal: AbortSignal,
): Promise<Comparison> {
  const events = await recordedEvents(eventsMax, destination.id)
  const run = (settings?: Settings): Promise<readonly EventEnding[]> =>
    eachOf(events, async (event) =>
      triedEnding(await tryEvent(destination, event, settings === undefined ? { signal } : { settings, signal })),
    )
  // First, so that settings that are not valid are noticed at once.
  const after = await run(changed)
  const before = await run()
  return compareEndings(events, { before, again: await run(), after })
}

/** Maps a list by calls, some of them at a time, and keeps its order. */
async function eachOf<In, Out>(list: readonly In[], call: (item: In) => Promise<Out>): Promise<readonly Out[]> {
  const results: Out[] = []
  const left = [...list.entries()].reverse()
  const work = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) results[next[0]] = await call(next[1])
  }
  await Promise.all(Array.from({ length: callsMax }, work))
  return results
}
