import type { Event, Random, SourcedEvent } from '@sluice/core'
import { isoTimeOf } from '@sluice/core/iso-time'
import type { Admitted } from '../flow/admit-batch.ts'
import type { Ending } from '../flow/run-stage.ts'
import { eventName } from '../ports/event-name.ts'
import { type CountDelta, utcDay } from '../ports/stores/counter-store.ts'
import { CountTally } from '../reports/counts/count-tally.ts'
import { completeEvent, isoTime } from './complete-event.ts'
import type { IngestCall } from './ingest-call.ts'
import { ingestErrors } from './ingest-error.ts'
import type { ParsedEvents } from './parse-events.ts'
import type { IngestSource } from './write-keys.ts'

/** An event that ingestion has completed, with its source. */
type CompleteItem = SourcedEvent & { readonly event: Event & { readonly messageId: string } }

/** Completes the events of a call: see `completeEvent`. @param receivedAt milliseconds since the epoch. */
export function completeEvents(
  { workspaceId, sourceId, writeKey }: IngestSource,
  call: IngestCall,
  parsed: Pick<ParsedEvents, 'events' | 'sentAt'>,
  receivedAt: number,
  random: Random,
): readonly CompleteItem[] {
  const requestIp = call.requestIp === undefined ? {} : { requestIp: call.requestIp }
  const sentAt = parsed.sentAt === undefined ? {} : { sentAt: parsed.sentAt }
  const received = { receivedAt, receivedAtText: isoTime(receivedAt), ...requestIp, ...sentAt }
  return parsed.events.map(({ event }) => ({
    workspaceId,
    sourceId,
    writeKey,
    event: completeEvent(event, received, random),
  }))
}

/** Returns what is counted when a call is accepted. */
export function countCall(
  { workspaceId, sourceId, destinationIds }: IngestSource,
  parsed: ParsedEvents,
  receivedAt: number,
  { events, endings, suppressed }: Admitted,
): readonly CountDelta[] {
  const tally = new CountTally(workspaceId)
  tally.add(sourceId, '', 'received', '', parsed.received)
  for (const { code } of parsed.rejected) tally.add(sourceId, '', 'rejected', ingestErrors[code], 1)
  for (const ending of endings) tally.add(sourceId, '', 'rejected', reasonOf(ending), 1)
  tally.add(sourceId, '', 'suppressed', utcDay(receivedAt), suppressed)
  tally.add(sourceId, '', 'accepted', '', events.length)
  const large = events.filter(({ origin }) => parsed.events[origin]?.hasLargeNumber).length
  if (large > 0) tally.add(sourceId, '', 'largeNumbers', '', large)
  const invalid = events.filter(({ item, origin }) =>
    isReplaced(parsed.events[origin]?.event['timestamp'], item),
  ).length
  if (invalid > 0) tally.add(sourceId, '', 'invalidTimes', '', invalid)
  for (const destinationId of destinationIds) tally.add(sourceId, destinationId, 'accepted', '', events.length)
  const day = utcDay(receivedAt)
  for (const [name, count] of countNames(events))
    for (const destinationId of ['', ...destinationIds])
      tally.addNamed(sourceId, destinationId, 'accepted', { reason: '', named: { day, name }, count })
  return tally.deltas()
}

/** Returns how many events have each name. */
function countNames(events: Admitted['events']): ReadonlyMap<string, number> {
  const names = new Map<string, number>()
  for (const { item } of events) {
    const name = eventName(item.event)
    names.set(name, (names.get(name) ?? 0) + 1)
  }
  return names
}

/** Whether a timestamp that was sent was no time, so that the event has another one, and not the same in UTC. */
function isReplaced(sent: unknown, { event }: SourcedEvent): boolean {
  if (sent === undefined || sent === null || sent === event['timestamp']) return false
  return typeof sent !== 'string' || isoTimeOf(sent) === undefined
}

/** Characters of a reason that are kept: the reasons of a drop come from the embedding program. */
const reasonLengthMax = 200

/** Why a stage before the log ended an event, for the counters: the stage, and the reason of the drop or the error code. */
function reasonOf({ stage, outcome }: Ending): string {
  const reason = outcome.kind === 'drop' ? outcome.reason.slice(0, reasonLengthMax) : outcome.error.code
  return Buffer.from(`${stage}: ${reason}`).toString()
}
