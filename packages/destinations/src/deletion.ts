import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest } from './delivery-request.ts'
import type { MappingError } from './mapping-error.ts'
import type { DestinationReply, Verdict } from './reply.ts'

/** How a destination deletes what it knows of users. */
export interface DeletionRule {
  /** How many users fit into one call of `requests`. */
  readonly usersMax: number | ((settings: JsonObject) => number)
  /**
   * Pure.
   * @param users what identifies each: userId, and what else the regulation names.
   * @returns requests to be sent in order; an empty list when there is nothing to delete.
   */
  requests(users: readonly JsonObject[], settings: JsonObject): readonly DeliveryRequest[] | MappingError
  /** Left out, any 2xx means done. */
  respond?(reply: DestinationReply): Verdict
  /** Statuses that mean done as well: the user was not known. */
  readonly tolerates?: readonly number[]
  /** Calls of `requests` under way at the same time. Left out, one. */
  readonly concurrency?: number
  /** Calls of `requests` begun within a minute. Left out, any number. */
  readonly perMinuteMax?: number
}
