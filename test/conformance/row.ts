/** One recorded case. What else it holds depends on its kind. */
export type Row = Readonly<Record<string, unknown>>

export interface RowResult {
  readonly id: string
  readonly pass: boolean
  /** Why it does not agree; '' when it does. */
  readonly reason: string
}

/** Runs the rows of one kind through the product's public functions. */
export interface RowRunner {
  /** The group the row is counted in, or undefined when it is of another kind. */
  groupOf(row: Row): string | undefined
  /** @returns why the row does not agree, '' when it does. */
  run(row: Row): Promise<string>
  close(): Promise<void>
}
