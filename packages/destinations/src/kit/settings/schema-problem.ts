/** A place where settings do not fit their schema. */
export interface SchemaProblem {
  /** The word of the schema that is not met, such as `pattern`. */
  readonly keyword: string
  /** Names of members and indexes of elements that lead to the value. */
  readonly at: readonly string[]
  /** The schema that has the word. */
  readonly schema: unknown
  readonly data: unknown
  /** Name of the member that is missing, for the word `required`. */
  readonly missing?: string
  /** What the schema demands, such as `must be string`. */
  readonly message?: string
}

/** Fills in defaults, in place, and returns what does not fit. */
export type CheckSettings = (settings: unknown) => readonly SchemaProblem[]

/** Words that only describe a setting: see `DestinationDefinition.settings`. The word `isFixed` is a condition. */
export const annotations = [
  'allowed',
  'isUnlisted',
  'isOperators',
  'group',
  'placeholder',
  'shownWhen',
  'choices',
] as const
