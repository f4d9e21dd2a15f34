/** What a process for one query is sent. */
export interface QueryRequest {
  readonly path: string
  /** The schema whose tables may be read. */
  readonly namespace: string
  readonly sql: string
  /** Rows to return; further ones are left out. */
  readonly rowsMax: number
}

/** What is known of a result besides its rows. */
export interface QueryFacts {
  /** Whether there are more rows than were requested. */
  readonly isCut: boolean
  /** Names and types of DuckDB, in order. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** From the start of the query to its last row, in milliseconds. */
  readonly tookMs: number
}

/** What it answers, once, after the rows, which it writes as they are read. */
export type QueryReply =
  | ({ readonly kind: 'rows'; readonly count: number } & QueryFacts)
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string }

/** Where the process writes the rows: as JSON, with a comma between two. */
export const rowsDescriptor = 3

/** Largest result, in bytes of JSON. */
export const resultBytesMax = 2_000_000
