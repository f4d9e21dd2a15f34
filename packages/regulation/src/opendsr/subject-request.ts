import type { JsonObject } from '@sluice/core'

/** What a controller may request. Source: OpenDSR specification, 6.2. */
export const subjectRequestTypes = ['erasure', 'access', 'portability'] as const

export type SubjectRequestType = (typeof subjectRequestTypes)[number]

/** Version of OpenDSR that is spoken. */
export const openDsrVersion = '2.0'

/** An address of the controller that is called when the status of a request changes. */
export interface StatusCallback {
  readonly url: string
  /** The last status that the controller accepted, or that was given up: see `reportOf`. */
  readonly reported: string
  /** Failed attempts to report the present status. */
  readonly attempts: number
  /** Time of the next attempt at the earliest, in milliseconds since the epoch. */
  readonly dueAt: number
}

/**
 * A request of a controller, as it is stored. It has no identity of the person: those of an erasure are in its regulation,
 * and those of the other types are needed only to make the report.
 */
export interface SubjectRequest {
  readonly workspaceId: string
  /** `subject_request_id`: a UUID of version 4 that the controller made. */
  readonly id: string
  readonly type: SubjectRequestType
  /** SHA-256 of the request, which tells a repeated request from another one with the same id. */
  readonly digest: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Address that it was sent to, without the path of the route: scheme, host, and what precedes `/opendsr`. */
  readonly address: string
  /** Ids of the regulations that an erasure became, one for each id of the person; empty for other types. */
  readonly regulationIds: readonly string[]
  /** Answer to the other types: the report of the user, when the request came. */
  readonly report?: JsonObject
  /** Emptied when the last status was reported. */
  readonly callbacks: readonly StatusCallback[]
  /** Reports that were given up. */
  readonly callbacksFailed: number
}

/**
 * Returns the domain of the processor, as controllers know it.
 * @example
 * ```ts
 * import { processorDomain } from '@sluice/regulation'
 *
 * console.log(processorDomain('https://sluice.example.test/opendsr')) // sluice.example.test
 * ```
 */
export function processorDomain(address: string): string {
  return new URL(address).hostname
}
