import type { JsonObject } from '@sluice/core'
import type { MappingError } from '../map/mapping-error.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import type { DestinationReply, Verdict } from './reply/reply.ts'

/** Input of a deletion besides users and settings. Deletions read no clock and no random numbers themselves. */
export interface DeletionContext {
  /** Current time in milliseconds since 1970. */
  readonly now: number
  /** Random UUID of this call, for products that require an id per request. */
  readonly requestId: string
}

/** Users and the requests that delete them. Shown in the README, and run as a test for every definition. */
export type DeletionExample = {
  /** A sentence that says what the example shows. */
  readonly title: string
  readonly users: readonly JsonObject[]
  /** Settings as a user writes them, without defaults. */
  readonly settings: JsonObject
  /** Default: the beginning of 2024 and a UUID of zeros. */
  readonly context?: DeletionContext
} & ({ readonly requests: readonly DeliveryRequest[] } | { readonly error: MappingError })

/** How a destination finds the records of a person, without changing them. */
export interface SearchRule {
  /**
   * Maps a user to requests. Pure.
   *
   * @param user identifiers: userId, and the others in the regulation.
   * @returns requests to be sent in order. Each reply is read into a verdict with one item, which has `records`, and as
   * message what was found.
   */
  requests(user: JsonObject, settings: JsonObject, context: DeletionContext): readonly DeliveryRequest[] | MappingError
  /** Interprets a reply. Absent where actions return verdicts. */
  respond?(reply: DestinationReply, request: DeliveryRequest): Verdict
}

/**
 * Where a deletion is that a product has accepted. `open`: not done yet. `refused`: it will not be done, and asking again
 * would not help. `unclear`: the answer is none about the deletion, so the question is repeated a few times.
 */
export type DeletionProgress =
  | { readonly state: 'done'; readonly note?: string }
  | { readonly state: 'open' | 'refused' | 'unclear'; readonly reason: string }

/** How to follow deletions that a product accepts before they are done. */
export interface DeletionFollow {
  /**
   * Returns the request that asks for a deletion. Pure.
   * @param requestId of the call of `requests` that ordered it.
   */
  question(requestId: string, settings: JsonObject): DeliveryRequest
  /** Reads an answer with a 2xx status. */
  progress(reply: DestinationReply, requestId: string): DeletionProgress
}

/** How a destination deletes users. */
export interface DeletionRule {
  /** Largest number of users per call of `requests`. */
  readonly usersMax: number | ((settings: JsonObject) => number)
  /**
   * Returns the name of the identifier that the destination finds users by. Users without it are not passed to
   * `requests`, and their deletion is aborted. Default: the userId, which every user has.
   */
  identifier?(settings: JsonObject): string
  /**
   * Maps users to requests. Pure.
   *
   * @param users identifiers of each user: userId, and the others in the regulation.
   * @returns requests to be sent in order; an empty list when there is nothing to delete.
   */
  requests(
    users: readonly JsonObject[],
    settings: JsonObject,
    context: DeletionContext,
  ): readonly DeliveryRequest[] | MappingError
  /** Interprets a reply. Default: a 2xx status means done. */
  respond?(reply: DestinationReply): Verdict
  /**
   * Statuses that may also mean done, because the user was not known. With such a status, a request for several users is
   * repeated for each user alone. 404 counts only with a reply in JSON, as APIs give it: a page, or nothing, comes from
   * an address that is not that of the API. A wrong account or list may be answered in the same way, so with `search`
   * such a status counts only when the search then finds no record of exactly this user.
   */
  readonly tolerates?: readonly number[]
  /**
   * Whether a reply with such a status is about this user, for products that name the user and cannot be searched.
   * Default: it is.
   */
  isUnknownUser?(reply: DestinationReply, user: JsonObject): boolean
  /**
   * For products that only accept a deletion: it is complete when an answer says so. Each user is then a call of `requests`.
   * Default: a 2xx status means done.
   */
  readonly follow?: DeletionFollow
  /** Whether it finds a user by every writing of the userId. Otherwise each writing that was seen is a call of its own. */
  readonly findsWritings?: true
  /** Largest number of calls of `requests` that are sent at the same time. Default 1. */
  readonly concurrency?: number
  /** Largest number of calls of `requests` that are sent per minute. Default: no limit. */
  readonly perMinuteMax?: number
  /** What it keeps of a user nevertheless, as a noun for certificates, such as `rows of 2019`. */
  readonly keeps?: string
  /** How it finds users without deleting them. Absent: it cannot be searched. */
  readonly search?: SearchRule
  readonly examples?: readonly DeletionExample[]
}
