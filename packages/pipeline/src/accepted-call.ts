import type { Clock, Event, Random, SourcedEvent } from '@sluice/core'
import { completeEvent } from './complete-event.ts'
import { CountTally } from './count-tally.ts'
import { type CountDelta, utcDay } from './counters.ts'
import type { IngestCall } from './ingest-call.ts'
import { ingestErrors } from './ingest-error.ts'
import type { ParsedEvents } from './parse-events.ts'
import type { Route } from './write-keys.ts'

export interface CompletedCall {
  readonly items: readonly (SourcedEvent & { readonly event: Event & { readonly messageId: string } })[]
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

/** Adds what ingestion owes the events of a call. */
export function completeCall(
  { workspaceId, sourceId, writeKey }: Route,
  call: IngestCall,
  parsed: ParsedEvents,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): CompletedCall {
  const receivedAt = clock.now()
  const requestIp = call.requestIp === undefined ? {} : { requestIp: call.requestIp }
  const sentAt = parsed.sentAt === undefined ? {} : { sentAt: parsed.sentAt }
  const items = parsed.events.map(({ event }) => ({
    workspaceId,
    sourceId,
    writeKey,
    event: completeEvent(event, { receivedAt, ...requestIp, ...sentAt }, random),
  }))
  return { items, receivedAt }
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
