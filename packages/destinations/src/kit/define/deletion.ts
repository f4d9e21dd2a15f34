import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/delivery-request.ts'
import type { MappingError } from '../map/mapping-error.ts'
import type { DestinationReply, Verdict } from './reply.ts'

/** What a deletion may know besides the users and the settings: it reads no clock and draws no numbers itself. */
export interface DeletionContext {
  /** Milliseconds since 1970: what counts as the present. */
  readonly now: number
  /** A random UUID of this call alone, for products that want each request named. */
  readonly requestId: string
}

/** Users and what deletes them. Shown to readers, and run as a test for every definition. */
export type DeletionExample = {
  /** A sentence. */
  readonly title: string
  readonly users: readonly JsonObject[]
  /** As a person would write them: defaults may be left out. */
  readonly settings: JsonObject
  /** Left out, the beginning of 2024 and a UUID of zeros. */
  readonly context?: DeletionContext
} & ({ readonly requests: readonly DeliveryRequest[] } | { readonly error: MappingError })

/** How a destination deletes what it knows of users. */
export interface DeletionRule {
  /** How many users fit into one call of `requests`. */
  readonly usersMax: number | ((settings: JsonObject) => number)
  /**
   * The identifier without which nobody is found there: who has none is not among the users of `requests`, and is told to
   * be left. Left out, the userId, which everybody has.
   */
  identifier?(settings: JsonObject): string
  /**
   * Pure.
   * @param users what identifies each: userId, and what else the regulation names.
   * @returns requests to be sent in order; an empty list when there is nothing to delete.
   */
  requests(
    users: readonly JsonObject[],
    settings: JsonObject,
    context: DeletionContext,
  ): readonly DeliveryRequest[] | MappingError
  /** Left out, any 2xx means done. */
  respond?(reply: DestinationReply): Verdict
  /** Statuses that mean done as well: the user was not known. Where there were several, each is asked for alone then. */
  readonly tolerates?: readonly number[]
  /** Calls of `requests` under way at the same time. Left out, one. */
  readonly concurrency?: number
  /** Calls of `requests` begun within a minute. Left out, any number. */
  readonly perMinuteMax?: number
  readonly examples?: readonly DeletionExample[]
}
