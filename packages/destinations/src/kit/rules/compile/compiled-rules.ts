import type { JsonObject } from '@sluice/core'
import type { MappingError } from '../../map/mapping-error.ts'

/** Compiled rules. They return a new mapped object, or the error that explains why there is none. */
export type CompiledRules = (source: JsonObject, settings: JsonObject) => JsonObject | MappingError
