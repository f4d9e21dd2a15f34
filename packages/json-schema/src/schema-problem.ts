import type { StepBudget } from './bounds/steps.ts'

/** A place where a value does not fit its schema. */
export interface SchemaProblem {
  /** The word of the schema that is not met, such as `pattern`. */
  readonly keyword: string
  /** Names of members and indexes of elements that lead to the value. */
  readonly at: readonly string[]
  /** Whether the value is in an item of a list with a schema for each position, where a missing item moves others. */
  readonly keepsPlaces: boolean
  /** The schema that has the word. */
  readonly schema: unknown
  readonly data: unknown
  /** Member that the word is about: the missing one, or one that is too many. */
  readonly member?: string
  /** What the schema demands, such as `must be string`. Contains keys and rules, never values. */
  readonly message: string
}

/**
 * Returns what does not fit the schema, in the order of ajv.
 * @param budget the steps that the check may take. Default: those of the dialect, for each check.
 */
export type SchemaCheck = (data: unknown, budget?: StepBudget) => readonly SchemaProblem[]
