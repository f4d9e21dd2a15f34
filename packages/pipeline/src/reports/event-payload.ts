import { type Clock, identifierText, type JsonObject, type SourcedEvent } from '@sluice/core'
import { hiddenValue } from '@sluice/schema'
import type { DeferredEvent, DeferredOutput } from '../ports/deferred-event.ts'
import type { Store } from '../ports/store.ts'
import type { DeadLetter } from '../ports/stores/dead-letter-store.ts'
import type { AskedEngine } from './asked-engine.ts'
import { type EventMasks, hidesPath } from './event-masks.ts'
import type { KeptDelivery } from './kept/kept-deliveries.ts'
import { maskedDelivery } from './kept/shown-delivery.ts'
import { maskedLetter } from './masked-letter.ts'
import { newestBatches } from './users/newest-batches.ts'

/** The content of one event, and what the stages of destinations made of it. */
export interface EventPayload {
  readonly sourceId: string
  /** Milliseconds since the epoch. */
  readonly acceptedAt?: number
  /** As it was accepted. */
  readonly event: JsonObject
  /** In order of id: those where it waits or failed, and those with a request that is kept. */
  readonly destinations: readonly PayloadAtDestination[]
}

export interface PayloadAtDestination {
  readonly destinationId: string
  readonly state: 'waiting' | 'failed' | 'delivered'
  /** What the user transformation made of it and is not delivered; a text where it is hidden. */
  readonly outputs?: readonly JsonObject[] | string
  /** The last request, its secrets masked, and the beginning of the reply. */
  readonly request?: unknown
  readonly reply?: unknown
}

interface PayloadQuery {
  readonly workspaceId: string
  readonly messageId: string
  /** Whether personal data is masked. */
  readonly isMasked: boolean
}

interface PayloadParts {
  readonly store: Pick<Store, 'log' | 'retries' | 'deadLetters'>
  readonly engine: AskedEngine
  readonly masks: EventMasks
  readonly clock: Pick<Clock, 'now'>
}

/** Deferred events, and dead letters, of one message id; more than one comes of an id that is sent again. */
const recordsMax = 100

/**
 * Returns the newest event with a message id that waits, failed, whose requests are kept, or is still in the log, which is looked through within the
 * limits of `newestBatches`. Undefined for all others, and for events of users who are suppressed now.
 */
export async function readPayload(query: PayloadQuery, parts: PayloadParts): Promise<EventPayload | undefined> {
  const { workspaceId, isMasked } = query
  const messageId = identifierText(query.messageId)
  const { store, engine, masks } = parts
  // In the order an event goes, so that one that moves on meanwhile is not missed.
  const logged = await findLogged({ workspaceId, messageId }, parts)
  const waiting = await engine.reports.unsuppressed(
    workspaceId,
    await store.retries.ofMessage(workspaceId, messageId, recordsMax),
  )
  const failed = await engine.reports.unsuppressed(
    workspaceId,
    await store.deadLetters.ofMessage(workspaceId, messageId, recordsMax),
  )
  const delivered = await engine.kept.ofMessage(workspaceId, messageId)
  const newest =
    logged ??
    [...waiting, ...failed, ...delivered]
      .map(({ source }) => source)
      .sort(byTime)
      .at(-1)
  if (newest === undefined) return undefined
  const maskOf = ({ sourceId }: SourcedEvent) => masks(workspaceId, sourceId)

  const destinations = new Map<string, PayloadAtDestination>()
  for (const kept of delivered) {
    const detail = isMasked ? maskedDelivery(kept, masks) : kept.detail
    destinations.set(kept.destinationId, atDestination(kept, 'delivered', undefined, detail))
  }
  for (const letter of failed) {
    const { error } = isMasked ? maskedLetter(letter, maskOf(letter.source)) : letter
    destinations.set(letter.destinationId, atDestination(letter, 'failed', outputsOf(letter), error.detail))
  }
  for (const event of waiting) destinations.set(event.destinationId, atDestination(event, 'waiting', outputsOf(event)))
  return {
    sourceId: newest.sourceId,
    acceptedAt: newest.receivedAt,
    event: isMasked ? { ...maskOf(newest).event(newest.event), messageId } : newest.event,
    destinations: [...destinations.values()].sort((a, b) => (a.destinationId < b.destinationId ? -1 : 1)),
  }

  function outputsOf({ source, outputs }: DeadLetter | DeferredEvent): PayloadAtDestination['outputs'] {
    if (outputs === undefined || !isMasked) return outputs?.map(eventOf)
    const mask = maskOf(source)
    // An output may repeat a hidden value under any name.
    return hidesPath(mask.event(source.event)) ? hiddenValue : outputs.map((output) => mask.event(eventOf(output)))
  }
}

function atDestination(
  { destinationId }: DeadLetter | DeferredEvent | KeptDelivery,
  state: PayloadAtDestination['state'],
  outputs: PayloadAtDestination['outputs'],
  { request, reply }: JsonObject = {},
): PayloadAtDestination {
  return {
    destinationId,
    state,
    outputs,
    request,
    reply,
  }
}

/**
 * Looks for the event in the log. An event of a suppressed user does not end the search, so that its time does not reveal
 * that there is one.
 */
async function findLogged(
  { workspaceId, messageId }: Pick<PayloadQuery, 'workspaceId' | 'messageId'>,
  { store, engine, clock }: PayloadParts,
): Promise<SourcedEvent | undefined> {
  const newest = newestBatches(store.log, workspaceId, { clock, engine }, (event) => event.messageId === messageId)
  for await (const { events, sourceId, writeKey, receivedAt } of newest.batches)
    for (const event of events) {
      const source = { workspaceId, sourceId, writeKey, event, receivedAt }
      const [found] = await engine.reports.unsuppressed(workspaceId, [{ source }])
      if (found) return source
    }
  return undefined
}

const eventOf = ({ event }: DeferredOutput): JsonObject => event

function byTime(a: SourcedEvent, b: SourcedEvent): number {
  return (a.receivedAt ?? 0) - (b.receivedAt ?? 0)
}
