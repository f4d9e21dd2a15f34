import type { StageError } from '@sluice/core'
import type { DestinationPath, SourcedRequest } from '../../flow/destination-path.ts'
import { collectAt, suppressLogged } from '../../flow/flow.ts'
import { type LogBatch, readBatchesMax } from '../../ports/event-log.ts'
import { around } from '../../ports/telemetry.ts'
import type { LogCursor } from '../cursor/log-cursor.ts'
import { type DestinationPlace, isPaused } from '../destination-place.ts'
import { isCareful, sliceMaxOf } from '../is-careful.ts'
import { OutcomeRecorder } from '../outcome-recorder.ts'
import { placeIn } from '../place-in.ts'
import { sourcedEvents } from '../sourced-events.ts'
import type { BatchState, Loading } from './loading.ts'

/**
 * Takes the events of the log to a destination that loads many of them at once, as long as it is that one. The log is
 * their queue: they are collected, loaded, and only then recorded and committed.
 */
export async function loadFromLog(cursor: LogCursor, place: DestinationPlace, loading: Loading): Promise<void> {
  const { loader } = loading
  const { pace } = loader
  const hasChanged = (): boolean => place.current().path.loader !== loader
  let recorder = new OutcomeRecorder(place)
  try {
    while (cursor.isOpen && !hasChanged()) {
      if (isPaused(place)) {
        // What is collected is not loaded now: it is read again.
        if (cursor.hasUncommitted) return
        await cursor.more()
        continue
      }
      const { eventsDone } = cursor
      const batches = await cursor.read(isCareful(place) ? 1 : readBatchesMax)
      if (batches.length > 0) {
        const { state, count } = await loading.plan(batches, cursor.signal)
        if (state === 'unknown') return await cursor.again()
        const isWhole = await collect(
          cursor,
          place,
          loading,
          { state, batches: batches.slice(0, count), eventsDone },
          recorder,
        )
        if (!isWhole) return
        cursor.passed({ batches: count, events: 0 })
        cursor.leaveRest()
      }
      cursor.signal.throwIfAborted()
      if (cursor.hasUncommitted && (loader.isFull || cursor.isDue(pace))) {
        // They may have come while it read.
        if (isPaused(place) || hasChanged()) return
        const isLoaded = await loading.load(cursor.signal, () => cursor.isAwaited)
        if (!isLoaded) return await cursor.again()
        const before = cursor.position
        const loaded = recorder
        recorder = new OutcomeRecorder(place)
        await cursor.commit(loaded.records())
        loaded.show()
        loading.committed()
        if (cursor.position > before) place.quarantine.passed(place.workspaceId, place.consumer, cursor.position)
      } else if (batches.length === 0 && cursor.isOpen) await cursor.more(cursor.untilDue(pace))
    }
  } finally {
    loading.discard()
    cursor.rewind()
  }
}

/** Batches that have the same state. */
interface PlannedBatches {
  readonly state: Exclude<BatchState, 'unknown'>
  readonly batches: readonly LogBatch[]
  /** Events of the first one that are left out. */
  readonly eventsDone: number
}

/**
 * Takes events through the stages of the destination, and collects what comes out.
 * @returns false when the destination was paused meanwhile.
 */
async function collect(
  { signal }: LogCursor,
  place: DestinationPlace,
  loading: Loading,
  { state, batches, eventsDone }: PlannedBatches,
  recorder: OutcomeRecorder,
): Promise<boolean> {
  const { workspaceId, destinationId, consumer, retries, quarantine, telemetry } = place
  const concerns = (batch: LogBatch): boolean => batch.destinationIds.includes(destinationId)
  const skipped = batches[0] && concerns(batches[0]) ? eventsDone : 0
  const items = sourcedEvents(batches.filter(concerns)).slice(skipped)
  const isAlone = isCareful(place)
  const sliceMax = sliceMaxOf(isAlone)
  for (let start = 0; start < items.length; start += sliceMax) {
    await retries.room(signal)
    const { flow, path: usual } = place.current()
    if (usual.pausedAt !== undefined) return false
    const slice = items.slice(start, start + sliceMax)
    const event = isAlone ? { workspaceId, consumer, place: placeIn(batches[0], skipped + start) } : undefined
    const path: DestinationPath = quarantine.guarded(usual, event)
    const allowed = await suppressLogged(flow, slice, signal)
    const results = new Map<number, Parameters<OutcomeRecorder['add']>[2]>()
    const work = { kind: 'deliver', workspaceId, destinationId, inputs: allowed.length } as const
    if (allowed.length > 0)
      await around(telemetry, work, () =>
        collectAt(path, allowed, signal, collectorOf(state, loading), (result) => results.set(result.index, result)),
      )
    for (const [index, item] of slice.entries()) recorder.add(item, path, results.get(index))
    loading.collected()
  }
  return true
}

/** What happens to the requests of events. */
function collectorOf(
  state: PlannedBatches['state'],
  loading: Loading,
): (item: SourcedRequest) => StageError | undefined {
  switch (state) {
    case 'collect':
      return (item) => loading.add(item)
    case 'loaded':
      return () => undefined
    case 'failing':
      return () => loading.failure
  }
}
