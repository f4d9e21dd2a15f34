import type { JsonObject, JsonValue } from '@sluice/core'
import type { KeyPath } from './key-path.ts'

/** Converts a value; the result `undefined` drops it. Pure. Called only with values that would be set. */
export type Converter = (value: JsonValue) => JsonValue | undefined

/** Decides, from the mapped object and the settings, whether a rule applies. Pure. */
export type Condition = (source: JsonObject, settings: JsonObject) => boolean

/** Source of the value of a rule. */
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
   * Whether several paths were given. The first value that is neither '' nor null then counts. The value at a single
   * path is used unchanged.
   */
  readonly skipsBlank: boolean
}

/** Sets one member. */
export interface SetRule {
  readonly kind: 'set'
  readonly to: KeyPath
  readonly value: ValueSource
  readonly converters: readonly Converter[]
  /** Fallback that is used, unconverted, for undefined and null, but not for ''. */
  readonly fallback?: JsonValue
  readonly isRequired: boolean
  readonly condition?: Condition
}

/** Copies an object without some of its members. */
export interface RestRule {
  readonly kind: 'rest'
  /** Target path. If empty, members are copied into the mapped object itself. */
  readonly to: KeyPath
  readonly value: PathSource
  readonly omitted: ReadonlySet<string>
  /** Also leaves out members that other rules of the set read. */
  readonly isUnmapped: boolean
  readonly isFlat: boolean
  /** Sets nothing when no member is left. */
  readonly skipsEmpty: boolean
  readonly condition?: Condition
}

/** Maps each object of a list (a single object is a list of one) with its own rules. */
export interface EachRule {
  readonly kind: 'each'
  readonly to: KeyPath
  readonly value: PathSource
  readonly rules: readonly Rule[]
  readonly condition?: Condition
}

/**
 * One line of a mapping as data, which can be read, checked, displayed and compiled. Created with `to`.
 *
 * A rule sets a value that is truthy, 0 or false; it drops '' and null.
 *
 * Source: packages/docs/behaviour/mapping.md#rules.
 */
export type Rule = SetRule | RestRule | EachRule

/** Returns whether a value is set by a rule. */
export function isSettable(value: JsonValue | undefined): value is JsonValue {
  return Boolean(value) || value === 0 || value === false
}
