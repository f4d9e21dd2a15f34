import type { Event, Random, SourcedEvent } from '@sluice/core'
import { type CountDelta, utcDay } from '../ports/counters.ts'
import { completeEvent, isoTime } from './complete-event.ts'
import { CountTally } from './count-tally.ts'
import type { IngestCall } from './ingest-call.ts'
import { ingestErrors } from './ingest-error.ts'
import type { ParsedEvents } from './parse-events.ts'
import type { Route } from './write-keys.ts'

/** An event with what ingestion owes it, and where it came from. */
export type CompleteItem = SourcedEvent & { readonly event: Event & { readonly messageId: string } }

/** Adds what ingestion owes the events of a call. @param receivedAt milliseconds since the epoch. */
export function completeEvents(
  { workspaceId, sourceId, writeKey }: Route,
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

/** What is counted when a call is taken. @param items well-formed events, of which `allowed` are not suppressed. */
export function countCall(
  { workspaceId, sourceId, destinationIds }: Route,
  parsed: ParsedEvents,
  receivedAt: number,
  items: number,
  allowed: number,
): readonly CountDelta[] {
  const tally = new CountTally(workspaceId)
  tally.add(sourceId, '', 'received', '', parsed.received)
  for (const { code } of parsed.rejected) tally.add(sourceId, '', 'rejected', ingestErrors[code], 1)
  tally.add(sourceId, '', 'suppressed', utcDay(receivedAt), items - allowed)
  tally.add(sourceId, '', 'accepted', '', allowed)
  for (const destinationId of destinationIds) tally.add(sourceId, destinationId, 'accepted', '', allowed)
  return tally.deltas()
}
