/** What a process for one query is sent. */
export interface QueryRequest {
  readonly path: string
  readonly sql: string
  readonly rowsMax: number
}

/** What it answers, once. `text` has the rows as JSON. */
export type QueryReply =
  | { readonly kind: 'rows'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string }

/** Longest result, in characters of JSON: it is read in some milliseconds. */
export const resultCharsMax = 2_000_000
