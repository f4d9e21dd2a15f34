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
 * Marks mapping errors. Events cannot contain it, because JSON has no symbols. `Symbol.for` returns the same symbol in
 * every copy of this package; an external destination may have its own copy.
 */
const marker: unique symbol = Symbol.for('@sluice/destinations mapping error')

/** The expected failure of a mapping. `requests` returns it and never throws it. */
export interface MappingError {
  readonly [marker]: true
  readonly errorType: MappingErrorType
  readonly statusCode: number
  readonly code: (typeof blame)[MappingErrorType]['code']
  readonly message: string
}

/** Returns an error caused by the event: something is missing, or the destination does not accept it. */
export function instrumentationError(message: string): MappingError {
  return mappingError('instrumentation', message)
}

/** Returns an error caused by the settings: events of this kind fail until the settings are corrected. */
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
