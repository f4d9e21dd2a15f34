import { drop, pass, type SourcedEvent, type Stage } from '@sluice/core'
import { type SuppressionIndex, SuppressionUnavailableError } from './suppression-index.ts'

/** The stage no flow can be built without. */
export interface SuppressStage extends Stage<SourcedEvent> {
  readonly name: 'suppress'
}

/** The reason under which suppressed events are counted: the only thing that is ever kept of them. */
export const suppressedReason = 'suppressed'

/**
 * What is done with events while it is not known who is suppressed: `refuse` them (the stage throws
 * SuppressionUnavailableError; senders are told to come back), or let them `pass`.
 */
export type WhenUnavailable = 'refuse' | 'pass'

/** Drops events of users under an active regulation. Source: packages/docs/behaviour/regulations.md#suppression. */
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
