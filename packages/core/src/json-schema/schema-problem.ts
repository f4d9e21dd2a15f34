/** A place where a value does not fit its schema. */
export interface SchemaProblem {
  /** The word of the schema that is not met, such as `pattern`. */
  readonly keyword: string
  /** Names of members and indexes of elements that lead to the value. */
  readonly at: readonly string[]
  /** Where the word is: a JSON Pointer into the schema, or into the one that a reference leads to. */
  readonly schemaPath: string
  /** The schema that has the word. */
  readonly schema: unknown
  readonly data: unknown
  /** Member that the word is about: the missing one, or one that is too many. */
  readonly member?: string
  /** What the schema demands, such as `must be string`. Contains keys and rules, never values. */
  readonly message: string
}
