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
  /** Events the call carried, well-formed or not; a call that cannot be read counts as one. */
  readonly received: number
}

/** Objects and arrays inside each other; far above what people send, far below what overflows a stack. */
const eventDepthMax = 256

/** These become keys of what is stored; real ones are far shorter. */
const identifiers = ['messageId', 'userId', 'anonymousId']
const identifierLengthMax = 1_000

// Internal record kinds that carry no user. Source: governance facts 4.2.
const typesWithoutIdentity = new Set<unknown>(['extract', 'record'])

/** Turns the body of an ingest call into events. Source: governance facts 4.2 (order of the checks). */
export function parseEvents(type: IngestType, payload: unknown): ParsedEvents {
  if (!isJsonObject(payload)) return unreadable('eventInvalid')
  if (type !== 'batch') return sort([{ ...payload, type }], undefined)
  const { batch, sentAt } = payload
  if (!Array.isArray(batch)) return unreadable('bodyInvalidJson')
  if (batch.length === 0) return unreadable('batchEmpty')
  return sort(batch, typeof sentAt === 'string' ? sentAt : undefined)
}

function unreadable(code: IngestErrorCode): ParsedEvents {
  return { events: [], rejected: [{ index: 0, code }], received: 1 }
}

function sort(items: readonly unknown[], sentAt: string | undefined): ParsedEvents {
  const events: { index: number; event: Event }[] = []
  const rejected: { index: number; code: IngestErrorCode }[] = []
  items.forEach((item, index) => {
    if (!isJsonObject(item) || !isKeepable(item)) rejected.push({ index, code: 'eventInvalid' })
    else if (!hasIdentity(item)) rejected.push({ index, code: 'identityMissing' })
    else events.push({ index, event: item })
  })
  return { events, rejected, received: items.length, ...(sentAt === undefined ? {} : { sentAt }) }
}

function isKeepable(event: JsonObject): boolean {
  return (
    isJson(event, eventDepthMax) &&
    identifiers.every((name) => identifierText(event[name]).length <= identifierLengthMax)
  )
}

/** Checked before anything recursive meets the event; the walk itself goes no deeper than `depth`. */
function isJson(value: unknown, depth: number): boolean {
  if (typeof value !== 'object') return typeof value !== 'bigint'
  if (value === null) return true
  return depth > 0 && Object.values(value).every((member) => isJson(member, depth - 1))
}

function hasIdentity(event: JsonObject): boolean {
  return (
    identifierText(event['userId']) !== '' ||
    identifierText(event['anonymousId']) !== '' ||
    typesWithoutIdentity.has(event['type'])
  )
}
