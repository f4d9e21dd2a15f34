import type { EventState } from '../../../parts/event-state.ts'
import type { IconName } from '../../../parts/signs/icon.tsx'
import type { Deletion } from '../regulation.ts'

interface DeletionState {
  readonly state: EventState
  readonly icon: IconName
  readonly text: string
}

/** Returns how far the deletion at one place is, in words and colour. */
export function deletionState({ status, byHand }: Deletion): DeletionState {
  if (status === 'complete') return { state: 'good', icon: 'check', text: byHand ? 'Done by a person' : 'Deleted' }
  if (status === 'aborted') return { state: 'bad', icon: 'ban', text: 'Not possible' }
  if (status === 'failed') return { state: 'wait', icon: 'clock', text: 'Tries again' }
  return { state: 'wait', icon: 'clock', text: status === 'running' ? 'Under way' : 'Not begun' }
}

/** Returns how many deletions have which state. */
export function deletionCounts(rows: readonly Deletion[]) {
  const count = (status: string): number => rows.filter((row) => row.status === status).length
  const [done, stuck] = [count('complete'), count('aborted')]
  return { all: rows.length, done, stuck, open: rows.length - done - stuck }
}

/** Returns how far a deletion is as a whole: `3 of 6 done, 1 open, 2 need a person`. */
export function progressText(rows: readonly Deletion[]): string {
  const { all, done, stuck, open } = deletionCounts(rows)
  return [
    `${done} of ${all} done`,
    open > 0 && `${open} open`,
    stuck > 0 && (stuck === 1 ? '1 needs a person' : `${stuck} need a person`),
  ]
    .filter(Boolean)
    .join(', ')
}
