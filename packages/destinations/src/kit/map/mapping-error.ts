import type { ErrorCode } from '@sluice/core'

/**
 * Causes of failed mappings, with RudderStack's numbers. Source: packages/docs/behaviour/mapping.md#failed-mappings.
 */
const blame = {
  instrumentation: { code: 'destination.event', statusCode: 400 },
  configuration: { code: 'destination.settings', statusCode: 400 },
  oAuthSecret: { code: 'destination.settings', statusCode: 500 },
} as const satisfies Record<string, { code: Extract<ErrorCode, `destination.${string}`>; statusCode: number }>

export type MappingErrorType = keyof typeof blame

/**
 * Marks mapping errors. Events cannot contain it, because JSON has no symbols. `Symbol.for` makes it the same in every
 * copy of this package, since an external destination may bring its own.
 */
const marker: unique symbol = Symbol.for('@sluice/destinations mapping error')

/** The expected failure of a mapping: a value that `requests` returns, never throws. */
export interface MappingError {
  readonly [marker]: true
  readonly errorType: MappingErrorType
  readonly statusCode: number
  readonly code: (typeof blame)[MappingErrorType]['code']
  readonly message: string
}

/** Returns an error about the event: something is missing, or the destination does not accept it. */
export function instrumentationError(message: string): MappingError {
  return mappingError('instrumentation', message)
}

/** Returns an error about the settings: events of this kind fail until they are corrected. */
export function configurationError(message: string): MappingError {
  return mappingError('configuration', message)
}

/** @param message names what is wrong. Must not contain secrets, because it is stored and shown. */
export function mappingError(errorType: MappingErrorType, message: string): MappingError {
  return { [marker]: true, errorType, ...blame[errorType], message }
}

/** Returns whether the result of a mapping is an error. */
export function isMappingError(mapped: unknown): mapped is MappingError {
  return typeof mapped === 'object' && mapped !== null && marker in mapped
}
