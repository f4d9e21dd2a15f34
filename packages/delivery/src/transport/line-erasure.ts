import type { DeliveryRequest } from '@sluice/destinations'
import type { UserErasure } from './user-erasure.ts'

/** Request to delete users from the lines that a sink keeps. */
export interface LineErasure {
  /** Location of the lines, and paths of the user id in a line: see `KeptLinesRule`. */
  readonly place: DeliveryRequest
  readonly userIdAt: readonly (readonly string[])[]
  /**
   * User ids as cleaned text, each with the last mark passed to `reached` for it, so that a restart continues from
   * there; '' without a mark.
   */
  readonly users: ReadonlyMap<string, string>
  /** Called with the progress of all users, and awaited. */
  reached(mark: string): Promise<void>
  readonly signal: AbortSignal
}

/** Result for all users, and notes for single ones, by their id as cleaned text. */
export type LinesErased = UserErasure & { readonly notes?: ReadonlyMap<string, string> }

/**
 * Removes whole lines and leaves all others unchanged, byte by byte. Replaces each file or object in one step, so that
 * readers never see half of it. Rejects only when the signal aborts, or for a bug.
 */
export type EraseLines = (erasure: LineErasure) => Promise<LinesErased>
