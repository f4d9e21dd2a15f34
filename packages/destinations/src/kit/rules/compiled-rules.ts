import type { JsonObject } from '@sluice/core'
import type { MappingError } from '../map/mapping-error.ts'

/** Compiled rules. Return a new mapped object, or the reason why there is none. */
export type CompiledRules = (source: JsonObject, settings: JsonObject) => JsonObject | MappingError
