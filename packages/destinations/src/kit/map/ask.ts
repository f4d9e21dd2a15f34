import type { JsonValue } from '@sluice/core'
import type { DestinationReply } from '../define/reply/reply.ts'
import { isMappingError, type MappingError } from './mapping-error.ts'
import type { DeliveryRequest } from './request/delivery-request.ts'

/** A question to the product that must be answered before an event can be mapped. */
export interface Question {
  /**
   * Names the question among those of one destination. Events with the same key share the answer, so it must contain
   * everything that the request depends on except for the settings.
   */
  readonly key: string
  /** Sent like every other request, with the account's tokens if there is one. */
  readonly request: DeliveryRequest
  /**
   * Reads the answer from a reply with a success status, or a status in `accepts`. Pure. Returns null for "there is
   * none", a mapping error when events that need the answer must fail, and undefined when the reply has an unknown form,
   * so that they are tried again later.
   */
  readonly read: (reply: DestinationReply) => JsonValue | MappingError | undefined
  /** Further statuses that are answers, such as 404 for "not found". Other failures are retried, or fail the event. */
  readonly accepts?: readonly number[]
  /** How long the answer is reused, in milliseconds. 0: only for the event that asked, and those waiting with it. */
  readonly ttlMs: number
  /** Set when the request changes something, such as creating a record. Previews then do not send it. */
  readonly changesData?: true
}

/** An unanswered question. A mapping that returns it is called again when the answer is known. */
export interface Ask extends Question {
  readonly [marker]: true
}

/** Answers by the keys of their questions. */
export type Answers = ReadonlyMap<string, JsonValue | MappingError>

/** `Symbol.for`: an external destination may have its own copy of this package. */
const marker: unique symbol = Symbol.for('@sluice/destinations ask')

/**
 * Returns the answer to a question, or the question itself when there is no answer yet:
 *
 *     const contact = ask(context, { key: `contact ${email}`, request, read, ttlMs: 0 })
 *     if (!isKnown(contact)) return contact
 */
export function ask(context: { readonly answers?: Answers }, question: Question): JsonValue | MappingError | Ask {
  const answer = context.answers?.get(question.key)
  return answer === undefined ? { ...question, [marker]: true } : answer
}

/** Returns whether a value is an answer. Otherwise the mapping must return it. */
export function isKnown<Value>(value: Value | MappingError | Ask): value is Exclude<Value, MappingError | Ask> {
  return !isMappingError(value) && !isAsk(value)
}

/** Returns whether the result of a mapping is a question. */
export function isAsk(mapped: unknown): mapped is Ask {
  return typeof mapped === 'object' && mapped !== null && marker in mapped
}
