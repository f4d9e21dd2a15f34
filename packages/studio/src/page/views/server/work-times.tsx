import { durationText } from '../../parts/format/duration-text.ts'
import type { Server } from './server.ts'

/** Within which times the process that answers stores results, and changes are in force everywhere. */
export function WorkTimes({ server: { commits, changes } }: { readonly server: Server }) {
  return (
    <p class="help">
      {commits ? `Commits of this process: ${boundsText(commits)}.` : 'This process has committed nothing yet.'}
      {changes ? ` Its changes were in force everywhere: ${boundsText(changes)}.` : ''}
    </p>
  )
}

function boundsText({ halfWithinMs, almostAllWithinMs }: NonNullable<Server['commits']>): string {
  return `half ${withinText(halfWithinMs)}, 99 % ${withinText(almostAllWithinMs)}`
}

function withinText(ms: number | undefined): string {
  return ms === undefined ? 'over 30 s' : `within ${durationText(ms)}`
}
