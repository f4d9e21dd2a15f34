import type { JsonObject, JsonValue } from '@sluice/core'
import type { KeyPath } from './key-path.ts'

/** Turns one value into another; `undefined` drops it. Pure. Only called with values that would be set. */
export type Converter = (value: JsonValue) => JsonValue | undefined

/** Decides by the object that is mapped and the settings. Pure. */
export type Condition = (source: JsonObject, settings: JsonObject) => boolean

/** Where the value of a rule comes from. */
export type ValueSource =
  | PathSource
  | { readonly of: 'constant'; readonly value: JsonValue }
  | {
      readonly of: 'computed'
      readonly compute: (source: JsonObject, settings: JsonObject) => JsonValue | undefined
    }

/** Ordered key paths of the mapped object or of the settings. */
export interface PathSource {
  readonly of: 'source' | 'settings'
  readonly paths: readonly KeyPath[]
  /**
   * True for a list of paths, of which the first that is neither '' nor null counts; a path by itself is taken as it
   * is.
   */
  readonly skipsBlank: boolean
}

/** Sets one member. */
export interface SetRule {
  readonly kind: 'set'
  readonly to: KeyPath
  readonly value: ValueSource
  readonly converters: readonly Converter[]
  /** Stands in, unconverted, where nothing or null was found; never for ''. */
  readonly fallback?: JsonValue
  readonly isRequired: boolean
  readonly condition?: Condition
}

/** Passes an object through, without some of its members. */
export interface RestRule {
  readonly kind: 'rest'
  /** Empty: into the mapped object itself. */
  readonly to: KeyPath
  readonly value: PathSource
  readonly omitted: ReadonlySet<string>
  /** Also without the members that other rules of the set read. */
  readonly isUnmapped: boolean
  readonly isFlat: boolean
  readonly condition?: Condition
}

/** Maps each object of a list (a lone object is a list of one) by rules of their own. */
export interface EachRule {
  readonly kind: 'each'
  readonly to: KeyPath
  readonly value: PathSource
  readonly rules: readonly Rule[]
  readonly condition?: Condition
}

/**
 * One line of a mapping, as data. It can be read, checked, shown and compiled. Write it with `to`.
 *
 * What it means to set: a value is set when it is truthy, 0 or false; '' and null are dropped.
 * Source: packages/docs/behaviour/mapping.md#rules.
 */
export type Rule = SetRule | RestRule | EachRule

/** Answers whether a value is worth setting. */
export function isSettable(value: JsonValue | undefined): value is JsonValue {
  return Boolean(value) || value === 0 || value === false
}
