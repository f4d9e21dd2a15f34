import { type Event, type EventType, identifierText, isJsonObject, type JsonObject } from '@sluice/core'
import type { IngestErrorCode } from './ingest-error.ts'

/** What an ingest call may carry: one event of a type, or `{batch: [events]}`. */
export type IngestType = EventType | 'batch'

export interface ParsedEvents {
  /** The well-formed events, in order, with their index in the call. */
  readonly events: readonly { readonly index: number; readonly event: JsonObject }[]
  readonly rejected: readonly { readonly index: number; readonly code: IngestErrorCode }[]
  /** Of the call: what `sentAt` says for the events of a batch that carry none. */
  readonly sentAt?: string
  /** Whether all numbers are as JSON would write them; -0 and what is not finite it writes as something else. */
  readonly isExact: boolean
  /** Events the call carried, well-formed or not; a call that cannot be read counts as one. */
  readonly received: number
}

/** Objects and arrays inside each other; far above what people send, far below what overflows a stack. */
const eventDepthMax = 256

/** These become keys of what is stored; real ones are far shorter. */
const identifiers = ['messageId', 'userId', 'anonymousId']
const identifierLengthMax = 1_000

// Internal record kinds that carry no user. Source: packages/docs/api/ingestion.md#order-of-the-checks.
const typesWithoutIdentity = new Set<unknown>(['extract', 'record'])

/** Turns the body of an ingest call into events. Source: packages/docs/api/ingestion.md#order-of-the-checks. */
export function parseEvents(type: IngestType, payload: unknown): ParsedEvents {
  if (!isJsonObject(payload)) return unreadable('eventInvalid')
  if (type !== 'batch') return sort([{ ...payload, type }], undefined)
  const { batch, sentAt } = payload
  if (!Array.isArray(batch)) return unreadable('bodyInvalidJson')
  if (batch.length === 0) return unreadable('batchEmpty')
  return sort(batch, typeof sentAt === 'string' ? sentAt : undefined)
}

function unreadable(code: IngestErrorCode): ParsedEvents {
  return { events: [], rejected: [{ index: 0, code }], received: 1, isExact: true }
}

function sort(items: readonly unknown[], sentAt: string | undefined): ParsedEvents {
  const events: { index: number; event: Event }[] = []
  const rejected: { index: number; code: IngestErrorCode }[] = []
  let isExact = true
  items.forEach((item, index) => {
    const judged = isJsonObject(item) ? judge(item, eventDepthMax) : 'refused'
    if (judged === 'inexact') isExact = false
    if (!isJsonObject(item) || judged === 'refused' || !hasShortIds(item))
      rejected.push({ index, code: 'eventInvalid' })
    else if (!hasIdentity(item)) rejected.push({ index, code: 'identityMissing' })
    else events.push({ index, event: item })
  })
  return { events, rejected, received: items.length, isExact, ...(sentAt === undefined ? {} : { sentAt }) }
}

function hasShortIds(event: JsonObject): boolean {
  return identifiers.every((name) => identifierText(event[name]).length <= identifierLengthMax)
}

type Judgement = 'exact' | 'inexact' | 'refused'

/**
 * Whether a value can be kept as JSON. Checked before anything recursive reads it; the walk itself goes no deeper
 * than `depth`.
 */
function judge(value: unknown, depth: number): Judgement {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? 'exact' : 'inexact'
  if (typeof value !== 'object') return typeof value === 'bigint' ? 'refused' : 'exact'
  if (value === null) return 'exact'
  if (depth === 0) return 'refused'
  let all: Judgement = 'exact'
  for (const member of Object.values(value)) {
    const judged = judge(member, depth - 1)
    if (judged === 'refused') return judged
    if (judged === 'inexact') all = judged
  }
  return all
}

function hasIdentity(event: JsonObject): boolean {
  return (
    identifierText(event['userId']) !== '' ||
    identifierText(event['anonymousId']) !== '' ||
    typesWithoutIdentity.has(event['type'])
  )
}
