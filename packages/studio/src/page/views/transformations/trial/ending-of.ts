import type { EventEnding } from '@sluice/testing/diff'
import type { CodeTrial } from '@sluice/transformations'

/** Returns what became of an event in the page as the diff engine compares it. */
export function endingOf(outcome: CodeTrial['outcomes'][number]): EventEnding {
  switch (outcome.kind) {
    case 'pass':
      return { outcome: 'passed', output: outcome.items }
    case 'drop':
      return { outcome: 'dropped', output: [], reason: outcome.reason }
    default:
      return { outcome: 'failed', output: [], error: outcome.error }
  }
}
