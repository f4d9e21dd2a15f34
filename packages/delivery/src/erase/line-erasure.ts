import type { DeliveryRequest } from '@sluice/destinations'
import type { UserErasure } from './api-eraser.ts'

/** Users to be taken out of what a sink keeps. */
export interface LineErasure {
  /** Where the lines are, and where in a line it says whose it is: see `KeptLinesRule`. */
  readonly place: DeliveryRequest
  readonly userIdAt: readonly (readonly string[])[]
  /**
   * Ids as cleaned text, each with what `reached` told last when it was among those to be erased, so that nothing is
   * looked at again after a restart; '' where nothing was told.
   */
  readonly users: ReadonlyMap<string, string>
  /** Told how far all of them came, and waited for. */
  reached(mark: string): Promise<void>
  readonly signal: AbortSignal
}

/**
 * Takes whole lines out, leaves all others byte by byte as they are, and replaces what held them in one step: nobody ever
 * sees half of it. Rejects only when the signal aborts, or for a bug.
 * @returns what holds for all of the users.
 */
export type EraseLines = (erasure: LineErasure) => Promise<UserErasure>
