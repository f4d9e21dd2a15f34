import type { JsonObject } from '@sluice/core'

/** Every way a request about transformations can be refused. */
export const transformationErrors = {
  transformationUnknown: 'The workspace has no such transformation.',
  libraryUnknown: 'The workspace has no such library.',
  versionUnknown: 'There is no such version.',
  codeTooLarge: 'The code is larger than a version may be.',
  codeInvalid: 'The code cannot be parsed.',
  importNameInvalid: 'The library has no name that code could import it by.',
  importNameTaken: 'Another library is imported by that name.',
  destinationsNeedPublish: 'Destinations are connected to what is published only.',
  destinationUnknown: 'The workspace has no such destination.',
  destinationTaken: 'The destination has a transformation already.',
  publishEmpty: 'The request names nothing to publish or to test.',
  publishTwice: 'The request names a transformation or library twice.',
  testInputInvalid: 'The test input is not a list of events.',
  testsFailed: 'The code, or a library it uses, raised an exception in the tests.',
  publishBreaks: 'Published transformations would not run with the library.',
  transformationInUse: 'The transformation is connected to destinations.',
  libraryInUse: 'Published transformations import the library.',
  storageFull: 'The workspace keeps as much code as it may.',
  changedMeanwhile: 'Others changed the same at the same time, again and again.',
  busy: 'Too many requests of the workspace wait to be done.',
} as const

export type TransformationErrorCode = keyof typeof transformationErrors

/** Why a request was refused. A plain value. */
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
  return { ok: false, error: { code, message, ...(details ? { details } : {}) } }
}
