import { type EventType, identifierText, isJsonObject, type JsonObject } from '@sluice/core'
import type { InTurns } from '@sluice/schema'
import { exactCopy, type Judgement, judge, judgements } from './exact-copy.ts'
import type { IngestErrorCode } from './ingest-error.ts'

/** What an ingest call may carry: one event of a type, a merge of identities, or `{batch: [events]}`. */
export type IngestType = EventType | 'merge' | 'batch'

export interface ParsedEvents {
  /** The well-formed events, in order, with their index in the call. */
  readonly events: readonly ParsedEvent[]
  readonly rejected: readonly { readonly index: number; readonly code: IngestErrorCode }[]
  /** Of the call: what `sentAt` says for the events of a batch that carry none. */
  readonly sentAt?: string
  /** Whether the events belong to the pipeline alone, and are exactly what their JSON texts say. */
  readonly isExact: boolean
  /** Events the call carried, well-formed or not; a call that cannot be read counts as one. */
  readonly received: number
}

interface ParsedEvent {
  readonly index: number
  readonly event: JsonObject
  /** Has a number that was rounded when its text was parsed, or made infinite. */
  readonly hasLargeNumber?: true
}

/** Objects and arrays inside each other; far above what people send, far below what overflows a stack. */
const eventDepthMax = 256

/** These become keys of what is stored; real ones are far shorter. */
const identifiers = ['messageId', 'userId', 'anonymousId']
const identifierLengthMax = 1_000

// Internal record kinds that carry no user. Source: packages/docs/api/ingestion.md#order-of-the-checks.
const typesWithoutIdentity = new Set<unknown>(['extract', 'record'])

/**
 * Turns the body of an ingest call into events. Source: packages/docs/api/ingestion.md#order-of-the-checks.
 * @param owner who may change the objects of the payload later: the `pipeline` alone, which parsed them for this call, or
 * the `caller`; then the events are copies, as far as plain data can be copied.
 */
export function parseEvents(type: IngestType, payload: unknown, owner: 'pipeline' | 'caller'): ParsedEvents {
  if (!isJsonObject(payload)) return unreadable('eventInvalid')
  if (type !== 'batch') return sorted([kept({ ...payload, type }, owner)])
  const { batch, sentAt } = payload
  if (!Array.isArray(batch)) return unreadable('bodyInvalidJson')
  if (batch.length === 0) return unreadable('batchEmpty')
  const parsed = sorted(batch.map((item) => kept(item, owner)))
  return typeof sentAt === 'string' ? { ...parsed, sentAt } : parsed
}

/** The same as `parseEvents`, in the turns of a workspace: a call may have many events, or few with thousands of keys. */
export async function parseEventsInTurns(
  type: IngestType,
  payload: unknown,
  owner: 'pipeline' | 'caller',
  inTurns: InTurns,
): Promise<ParsedEvents> {
  const items = type === 'batch' && isJsonObject(payload) ? payload['batch'] : undefined
  if (!Array.isArray(items) || items.length < 2) {
    const [parsed] = await inTurns([payload], (whole) => parseEvents(type, whole, owner))
    return parsed as ParsedEvents
  }
  const parsed = sorted(await inTurns(items, (item) => kept(item, owner)))
  const sentAt = isJsonObject(payload) ? payload['sentAt'] : undefined
  return typeof sentAt === 'string' ? { ...parsed, sentAt } : parsed
}

/** Returns a call as several ones that carry the same together. What was rejected is in the first. */
export function* partsOf(
  { events, rejected, received, ...rest }: ParsedEvents,
  eventsMax: number,
): Iterable<ParsedEvents> {
  for (let start = 0; start < events.length; start += eventsMax) {
    const some = events.slice(start, start + eventsMax)
    if (start > 0) yield { ...rest, events: some, rejected: [], received: some.length }
    else yield { ...rest, events: some, rejected, received: received - (events.length - some.length) }
  }
}

function unreadable(code: IngestErrorCode): ParsedEvents {
  return { events: [], rejected: [{ index: 0, code }], received: 1, isExact: true }
}

function sorted(items: readonly Kept[]): ParsedEvents {
  const events: ParsedEvent[] = []
  const rejected: { index: number; code: IngestErrorCode }[] = []
  let isExact = true
  items.forEach(({ event, judged }, index) => {
    if ((judged & judgements.inexact) !== 0) isExact = false
    if (event === undefined || !hasShortIds(event)) rejected.push({ index, code: 'eventInvalid' })
    else if (!hasIdentity(event)) rejected.push({ index, code: 'identityMissing' })
    else if ((judged & judgements.large) !== 0) events.push({ index, event, hasLargeNumber: true })
    else events.push({ index, event })
  })
  return { events, rejected, received: items.length, isExact }
}

interface Kept {
  readonly event?: JsonObject
  readonly judged: Judgement
}

/** Returns the event that is kept of an item, undefined for one that cannot be kept as JSON. */
function kept(item: unknown, owner: 'pipeline' | 'caller'): Kept {
  if (!isJsonObject(item)) return { judged: judgements.refused }
  const copy = owner === 'caller' ? exactCopy(item, eventDepthMax) : undefined
  if (copy) return { event: copy, judged: 0 }
  const judged = judge(item, eventDepthMax)
  if ((judged & judgements.refused) !== 0) return { judged }
  // A caller's own numbers were never text.
  return { event: item, judged: owner === 'caller' ? judgements.inexact : judged }
}

function hasShortIds(event: JsonObject): boolean {
  return identifiers.every((name) => identifierText(event[name]).length <= identifierLengthMax)
}

function hasIdentity(event: JsonObject): boolean {
  return (
    identifierText(event['userId']) !== '' ||
    identifierText(event['anonymousId']) !== '' ||
    typesWithoutIdentity.has(event['type'])
  )
}
