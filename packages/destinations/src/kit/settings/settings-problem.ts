import type { JsonValue } from '@sluice/core'

/** One thing that is wrong with settings. */
export interface SettingsProblem {
  /** Dotted, elements of lists by index (`headers[0].to`); '' for the settings as a whole. */
  readonly path: string
  /** What is there, if it is simple: cut when long, '(hidden)' where secrets may be, undefined when nothing is. */
  readonly value: JsonValue | undefined
  /** What may be there, in words. */
  readonly allowed: string
}
