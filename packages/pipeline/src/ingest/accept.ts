import type { SourcedEvent } from '@sluice/core'
import type { EngineOptions } from '../engine-options.ts'
import { admitBatch } from '../flow/admit-batch.ts'
import type { Flow } from '../flow/flow.ts'
import type { MainTurns } from '../flow/main-turns.ts'
import { around } from '../ports/telemetry.ts'
import { tapEntry } from '../reports/tap.ts'
import { completeEvents, countCall } from './complete-events.ts'
import { type IngestCall, type IngestResult, refusal } from './ingest-call.ts'
import { ingestErrors } from './ingest-error.ts'
import type { ParsedEvents } from './parse-events.ts'
import { recordWritings } from './record-writings.ts'
import type { IngestSource } from './write-keys.ts'

/** Events of a call that are completed in one turn: roughly a millisecond. */
const sliceEvents = 50

/** What events are accepted with. */
export interface AcceptPlace
  extends Pick<EngineOptions, 'store' | 'clock' | 'random' | 'deduplication' | 'telemetry' | 'tap'> {
  readonly turns: MainTurns
  /** Returns the flow of a workspace; undefined while it has none. */
  flowOf(workspaceId: string): Flow | undefined
}

/**
 * Accepts events: completes them, admits those that may enter, and appends these to the log. They are durable when the promise
 * resolves with `ok`. What happens behind the log is in `flow.ts`.
 * @param receivedAt when the call was received, in milliseconds since the epoch.
 */
export async function accept(
  place: AcceptPlace,
  source: IngestSource,
  call: IngestCall,
  parsed: ParsedEvents,
  receivedAt: number,
): Promise<IngestResult> {
  const { random, turns } = place
  const { workspaceId } = source
  const flow = place.flowOf(workspaceId)
  if (flow === undefined) return refusal('unavailable')
  const items = await turns.slices(workspaceId, parsed.events, sliceEvents, (events) =>
    completeEvents(source, call, { ...parsed, events }, receivedAt, random),
  )
  const admitted = await admitBatch(flow, items, new AbortController().signal)
  const counts = countCall(source, parsed, receivedAt, admitted)
  // What a stage of the embedding program made may hold its own objects.
  const isExact = parsed.isExact && flow.beforeLog.length === 0
  const accepted = admitted.events.map(({ item }) => item)
  const stored = await append(place, source, accepted, { receivedAt, isExact, counts })
  showTap(place, stored)
  return {
    ok: true,
    messageIds: items.map(({ event }) => event.messageId),
    rejected: parsed.rejected.map(({ index, code }) => ({ index, reason: ingestErrors[code] })),
  }
}

interface AppendOptions {
  readonly receivedAt: number
  readonly isExact: boolean
  readonly counts: ReturnType<typeof countCall>
}

/** Appends events to the log, and adds counts with them. @returns those that were not in it before. */
async function append(
  { store, deduplication, telemetry, turns }: AcceptPlace,
  { workspaceId, sourceId, writeKey, destinationIds }: IngestSource,
  accepted: readonly SourcedEvent[],
  { counts, ...batchOptions }: AppendOptions,
): Promise<readonly SourcedEvent[]> {
  if (accepted.length === 0) {
    // Refused when other calls are: a full store must not reveal who is suppressed.
    await store.log.requireRoom(workspaceId)
    await store.counters.add(counts)
    return []
  }
  await recordWritings(store, accepted)
  const events = accepted.map(({ event }) => event)
  const batch = { workspaceId, sourceId, writeKey, destinationIds, events, ...batchOptions }
  const appendBatch = async (): Promise<readonly number[]> => {
    if (deduplication) return (await store.log.appendNew(batch, counts, deduplication)).duplicates
    await store.log.append(batch, counts)
    return []
  }
  const work = { kind: 'append', workspaceId, sourceId, inputs: events.length } as const
  // In a turn: the store serialises the events on this thread first.
  const duplicates = new Set(await around(telemetry, work, () => turns.run(workspaceId, appendBatch)))
  return duplicates.size === 0 ? accepted : accepted.filter((_, place) => !duplicates.has(place))
}

/** Shows accepted events to people who watch. */
function showTap({ tap, clock }: AcceptPlace, accepted: readonly SourcedEvent[]): void {
  const [first] = accepted
  if (first === undefined || !tap) return
  const at = clock.now()
  const wanted = tap.wanted(first.workspaceId, accepted.length, at)
  if (wanted === 0) return
  tap.show(accepted.slice(0, wanted).map((item) => ({ ...tapEntry(item, at), outcome: 'accepted', stage: 'ingest' })))
}
