import { drop, pass, type SourcedEvent, type Stage } from '@sluice/core'
import { type SuppressionIndex, SuppressionUnavailableError } from './suppression-index.ts'

/** The suppress stage. Every flow must include it. */
export interface SuppressStage extends Stage<SourcedEvent> {
  readonly name: 'suppress'
}

/** Drop reason under which suppressed events are counted. Nothing else about them is stored. */
export const suppressedReason = 'suppressed'

/**
 * What to do with events while the suppression index is unavailable: `refuse` them (the stage throws
 * SuppressionUnavailableError, and senders are asked to retry), or let them `pass`.
 */
export type WhenUnavailable = 'refuse' | 'pass'

/**
 * Creates the stage that drops events of users under an active regulation. Source:
 * packages/docs/behaviour/regulations.md#suppression.
 */
export function createSuppressStage(index: SuppressionIndex, onUnavailable: WhenUnavailable = 'refuse'): SuppressStage {
  return {
    name: 'suppress',
    mutatesInput: false,
    async run(batch) {
      const questions = batch.map(({ workspaceId, sourceId, event }) => ({
        workspaceId,
        sourceId,
        userId: event['userId'],
      }))
      try {
        const suppressed = await index.check(questions)
        return batch.map((item, i) => (suppressed[i] ? drop(suppressedReason) : pass(item)))
      } catch (error) {
        if (onUnavailable === 'pass' && error instanceof SuppressionUnavailableError)
          return batch.map((item) => pass(item))
        throw error
      }
    },
  }
}
