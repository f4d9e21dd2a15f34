import type { ErrorCode } from '@sluice/core'

/**
 * What is to blame when an event gives no request, and how RudderStack numbers it. Source:
 * packages/docs/behaviour/mapping.md#failed-mappings.
 */
const blame = {
  instrumentation: { code: 'destination.event', statusCode: 400 },
  configuration: { code: 'destination.settings', statusCode: 400 },
  oAuthSecret: { code: 'destination.settings', statusCode: 500 },
} as const satisfies Record<string, { code: Extract<ErrorCode, `destination.${string}`>; statusCode: number }>

export type MappingErrorType = keyof typeof blame

/**
 * Marks the failures of mappings. No event can carry it: events are JSON, and JSON has no symbols. The same in every
 * copy
 * of this package, of which a destination from elsewhere may bring one.
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

/** The event lacks something, or holds something the destination does not take. */
export function instrumentationError(message: string): MappingError {
  return mappingError('instrumentation', message)
}

/** The settings are at fault: no event of this kind will do until they are mended. */
export function configurationError(message: string): MappingError {
  return mappingError('configuration', message)
}

/** @param message names what is wrong and holds no secret; it is stored and shown. */
export function mappingError(errorType: MappingErrorType, message: string): MappingError {
  return { [marker]: true, errorType, ...blame[errorType], message }
}

/** Tells a failure from whatever else a mapping may answer. */
export function isMappingError(mapped: unknown): mapped is MappingError {
  return typeof mapped === 'object' && mapped !== null && marker in mapped
}
