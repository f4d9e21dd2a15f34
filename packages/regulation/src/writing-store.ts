/** An identifier as a sender wrote it, where that is not its cleaned text. */
export interface Writing {
  /** As cleaned text: see `identifierText`. */
  readonly userId: string
  readonly written: string
}

/** How many writings of one user are kept. */
export const writingsPerUserMax = 20
/** How many are kept over all workspaces. */
export const writingsMax = 1_000_000

/**
 * The writings of identifiers that were accepted. Destinations get identifiers as they were written, and most of them
 * delete only exactly the id in the request, so a deletion there names every writing.
 */
export interface WritingStore {
  /**
   * Adds writings; known ones change nothing. Further ones of a user with `writingsPerUserMax` are left out. Where there
   * are more than `writingsMax`, the oldest are forgotten.
   */
  add(workspaceId: string, writings: readonly Writing[]): Promise<void>
  /** Returns the writings of some users, in the order in which they came. */
  of(workspaceId: string, userIds: readonly string[]): Promise<readonly Writing[]>
  /** Forgets the writings of some users. */
  forget(workspaceId: string, userIds: readonly string[]): Promise<void>
}
