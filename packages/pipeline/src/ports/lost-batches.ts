import type { LogPosition } from './log-position.ts'

/** Batches of the log, of whatever workspace, that a damaged disk or a fail-over took back. */
export interface LostBatches {
  readonly from: LogPosition
  /** The last one. */
  readonly to: LogPosition
  /** Batches from the first to the last that are missing; left out, all are. */
  readonly batches?: number
  /** Milliseconds since the epoch. */
  readonly noticedAt: number
}

/** Returns how many batches are missing. */
export function countLost(lost: readonly LostBatches[]): number {
  return lost.reduce((sum, { from, to, batches = to - from + 1 }) => sum + batches, 0)
}
