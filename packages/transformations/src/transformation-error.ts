import type { JsonObject } from '@sluice/core'

/** Every reason for refusing a request about transformations. */
export const transformationErrors = {
  transformationUnknown: 'The workspace has no such transformation.',
  libraryUnknown: 'The workspace has no such library.',
  versionUnknown: 'There is no such version.',
  codeTooLarge: 'The code exceeds the size limit of a version.',
  codeInvalid: 'The code cannot be parsed.',
  importNameInvalid: 'The library has no valid import name.',
  importNameFixed: 'The import name of a library never changes.',
  importNameTaken: 'Another library has this import name.',
  externalIdTaken: 'Another record has this external id.',
  destinationsNeedPublish: 'Destinations can be connected only to a published version.',
  eventsNeedPublish: 'Test events are used only when a version is published.',
  destinationUnknown: 'The workspace has no such destination.',
  destinationTaken: 'The destination already has a transformation.',
  publishEmpty: 'The request names nothing to publish or to test.',
  publishTwice: 'The request names a transformation or library twice.',
  testInputInvalid: 'The test input is not a list of events.',
  testsFailed: 'The code, or a library it uses, raised an exception in the tests.',
  publishBreaks: 'Published transformations would fail with the library.',
  transformationInUse: 'The transformation is connected to destinations.',
  libraryInUse: 'Published transformations import the library.',
  storageFull: 'The workspace has reached its limit of stored code.',
  changedMeanwhile: 'Concurrent requests kept changing the same record.',
  busy: 'Too many requests of the workspace are waiting.',
} as const

export type TransformationErrorCode = keyof typeof transformationErrors

/** Why a request was refused, as a plain value. */
export interface TransformationError {
  readonly code: TransformationErrorCode
  /** What happened, with the offending value, then what to do. */
  readonly message: string
  readonly details?: JsonObject
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: TransformationError }

export function done<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function refused(code: TransformationErrorCode, message: string, details?: JsonObject): Result<never> {
  return { ok: false, error: { code, message, details } }
}
