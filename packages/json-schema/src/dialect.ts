/** How schemas are read, beside the words of JSON Schema. */
export interface Dialect {
  /** Compiles a regular expression, in the syntax of the flag `u`. @throws Error when it cannot be used. */
  readonly compilePattern: (source: string) => {
    test(text: string): boolean
    /** Returns how many steps a test of the text takes at most. Default: by the length of the text. */
    stepsFor?(text: string): number
  }
  /**
   * Returns whether a text or number has a format; true for a format of the other type. Absent: formats only describe.
   * @throws Error when the format is unknown and schemas must not have such.
   */
  readonly hasFormat?: (format: string, value: string | number) => boolean
  /** Most steps that the check of one value takes, see `spend`; then it throws SchemaStepsError. Default: no limit. */
  readonly stepsMax?: number
  /** Whether members that are missing get the defaults of their schemas, in place. */
  readonly fillsDefaults?: boolean
  /** Conditions with words of their own: return whether the value is as the word demands. */
  readonly conditions?: Readonly<Record<string, (wanted: unknown, data: unknown) => boolean>>
  /** Words that only describe. When present, schemas with any other unknown word are refused. */
  readonly annotations?: readonly string[]
}
