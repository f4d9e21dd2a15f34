/** One recorded case. Its other members depend on its kind. */
export type Row = Readonly<Record<string, unknown>>

export interface RowResult {
  readonly id: string
  readonly pass: boolean
  /** The difference; '' when the row agrees. */
  readonly reason: string
  /** Why it differs on purpose; absent for other rows. */
  readonly deviation?: string
}

/** Runs the rows of one kind through the public functions of the product. */
export interface RowRunner {
  /** The group in which the row is counted; undefined for rows of another kind. */
  groupOf(row: Row): string | undefined
  /** @returns the difference, '' when the row agrees. */
  run(row: Row): Promise<string>
  close(): Promise<void>
}
