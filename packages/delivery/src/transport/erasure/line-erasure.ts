import type { DeliveryRequest } from '@sluice/destinations'
import type { UserErasure } from './user-erasure.ts'

/** Request to delete users from the lines that a sink keeps. */
export interface LineErasure {
  readonly place: DeliveryRequest
  /** Paths of the user id in a line, undefined where lines are events: see `KeptLinesRule`. */
  readonly userIdAt: readonly (readonly string[])[] | undefined
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

/** Request to count the lines of users that a sink keeps. */
export interface LineSearch extends Pick<LineErasure, 'place' | 'userIdAt' | 'signal'> {
  /** User ids as cleaned text. */
  readonly userIds: ReadonlySet<string>
}

/** How many lines of the users there are, or why that is not known. */
export type LinesCounted =
  | { readonly ok: true; readonly count: number }
  | { readonly ok: false; readonly reason: string }

/** Counts lines that `EraseLines` would remove, and changes nothing. Rejects only when the signal aborts, or for a bug. */
export type CountLines = (search: LineSearch) => Promise<LinesCounted>
