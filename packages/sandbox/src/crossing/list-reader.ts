/** Reads the elements of a list. The limits apply to each element. */
export interface ListReader {
  /** Returns the next element; undefined at the end, or when an element was refused. */
  next(): { readonly value: unknown } | undefined
  /** Why the list or one of its elements was refused. */
  readonly refused: string | undefined
}
