/** Whose a lane is: `held` when this process works on it, else what the database says. */
type LaneState =
  | 'held'
  /** The database names this process, which does not know: the answer to an earlier change was lost. */
  | 'own'
  | 'free'
  /** The process that has it takes no part any more. */
  | 'orphaned'
  | 'others'

/** `take` asks the database for the lane, and `give` frees it there. */
export type LaneStep = 'take' | 'give' | 'keep' | 'leave'

/** What a process does with a lane, by whether it is to have it. */
const steps: Readonly<Record<LaneState, { readonly wanted: LaneStep; readonly unwanted: LaneStep }>> = {
  held: { wanted: 'keep', unwanted: 'give' },
  own: { wanted: 'take', unwanted: 'give' },
  free: { wanted: 'take', unwanted: 'leave' },
  orphaned: { wanted: 'take', unwanted: 'leave' },
  // The other one gives it up when it learns that it is to.
  others: { wanted: 'leave', unwanted: 'leave' },
}

/** A lane as one process sees it. */
interface LaneSight {
  /** Id of the process that has it, as the database says. */
  readonly holder: string | null
  readonly isHeld: boolean
  readonly isWanted: boolean
}

/** @param nodeId this process. @param living ids of all that take part. */
export function laneStep(
  { holder, isHeld, isWanted }: LaneSight,
  nodeId: string,
  living: ReadonlySet<string>,
): LaneStep {
  return steps[stateOf(holder, isHeld, nodeId, living)][isWanted ? 'wanted' : 'unwanted']
}

function stateOf(holder: string | null, isHeld: boolean, nodeId: string, living: ReadonlySet<string>): LaneState {
  if (isHeld) return 'held'
  if (holder === null) return 'free'
  if (holder === nodeId) return 'own'
  return living.has(holder) ? 'others' : 'orphaned'
}
