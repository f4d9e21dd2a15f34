import type { ErrorCode } from '@sluice/core'

/** Why a definition makes no request of an event: the settings are at fault, or the event is. */
export type MappingErrorCode = Extract<ErrorCode, `destination.${string}`>

/** The expected failure of a mapping: a value that `requests` returns, never throws. */
export interface MappingError {
  readonly kind: 'mapping-error'
  readonly code: MappingErrorCode
  readonly message: string
}

/** @param message names what is wrong and holds no secret; it is stored and shown. */
export function mappingError(code: MappingErrorCode, message: string): MappingError {
  return { kind: 'mapping-error', code, message }
}

/** Tells the failure from the requests a mapping may also answer. */
export function isMappingError(mapped: object): mapped is MappingError {
  return 'kind' in mapped && mapped.kind === 'mapping-error'
}
