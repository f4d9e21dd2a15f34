import type { DraftRun } from '../run-draft.ts'

/** Code that the reader kept, with what it made of the events. */
export interface KeptVersion {
  readonly number: number
  readonly code: string
  readonly run: DraftRun
}

/** Most versions that are kept; the oldest goes first. */
const versionsMax = 20

/** Returns the versions with another one. */
export function withVersion(versions: readonly KeptVersion[], code: string, run: DraftRun): readonly KeptVersion[] {
  const number = (versions.at(-1)?.number ?? 0) + 1
  return [...versions, { number, code, run }].slice(-versionsMax)
}
