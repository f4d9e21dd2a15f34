/** A good use of a refused word. */
export interface Exception {
  /** Path below the root of the repository. */
  readonly file: string
  /** The words around it, as they are in the file; white space does not matter. */
  readonly phrase: string
  readonly reason: string
}

/** Uses of refused words that are right where they are. An entry that is no longer needed is an error. */
export const exceptions: readonly Exception[] = []
