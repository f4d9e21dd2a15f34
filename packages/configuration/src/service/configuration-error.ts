import type { JsonObject } from '@sluice/core'
import type { Problem } from '../definition/problems/problem.ts'

/** Every reason for refusing a change of the configuration. */
export const configurationErrors = {
  recordUnknown: 'There is no such record.',
  recordTaken: 'A record with this id, name or pair already exists.',
  recordChanged: 'The record has changed since it was read.',
  recordConnected: 'Other records refer to the record.',
  externalIdTaken: 'Another record has this external id.',
  managedByFile: 'The workspace file defines the record, so the API cannot change it.',
  configurationInvalid: 'The record is invalid; the details list all problems.',
  configurationFull: 'The workspace has reached its limit of records.',
  configurationBusy: 'Other changes keep coming first; try again later.',
  eventsWaiting: 'Events are waiting for the destination.',
} as const

export type ConfigurationErrorCode = keyof typeof configurationErrors

/** What is wrong with one of the changes. The path is within its body. */
export interface ChangeProblem extends Problem {
  /** Position in the list of changes, from 0. */
  readonly change: number
}

/** Why a change was refused, as a plain value. Nothing was changed. */
export interface ConfigurationError {
  readonly code: ConfigurationErrorCode
  /** What happened, with the offending value, then what to do. */
  readonly message: string
  readonly details?: JsonObject
  /** With `configurationInvalid`: everything that is wrong. */
  readonly problems?: readonly ChangeProblem[]
}

export type ConfigurationResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ConfigurationError }

export function done<T>(value: T): ConfigurationResult<T> {
  return { ok: true, value }
}

export function refused(
  code: ConfigurationErrorCode,
  message: string,
  more: Pick<ConfigurationError, 'details' | 'problems'> = {},
): ConfigurationResult<never> {
  return { ok: false, error: { code, message, ...more } }
}
