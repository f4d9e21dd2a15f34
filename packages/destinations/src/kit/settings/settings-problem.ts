import type { JsonValue } from '@sluice/core'

/** A problem of the settings of a destination. */
export interface SettingsProblem {
  /** Path of the problem, dotted, with elements of lists by index (`headers[0].to`); '' for the settings as a whole. */
  readonly path: string
  /** The invalid value if it is simple: cut when long, '(hidden)' if it may be a secret, undefined if absent. */
  readonly value: JsonValue | undefined
  /** Description of allowed values. */
  readonly allowed: string
}
