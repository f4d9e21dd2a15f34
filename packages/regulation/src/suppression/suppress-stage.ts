import { drop, pass, type SourcedEvent, type Stage } from '@sluice/core'
import {
  type SuppressionIndex,
  SuppressionMismatchError,
  type SuppressionQuestion,
  SuppressionUnavailableError,
} from './suppression-index.ts'

/** The suppress stage. Every flow must include it. */
export interface SuppressStage extends Stage<SourcedEvent> {
  readonly name: 'suppress'
  /** Returns whether `run` might now do anything but pass the event: asked first, because it answers at once. */
  mayStop(item: SourcedEvent): boolean
}

/** Drop reason under which suppressed events are counted. Nothing else about them is stored. */
export const suppressedReason = 'suppressed'

/**
 * What to do with events while the suppression index is unavailable: `refuse` them (the stage throws
 * SuppressionUnavailableError, and senders are asked to retry), or let them `pass`. An index that does not belong to its
 * regulations lets none pass: no retry would end that.
 */
export type WhenUnavailable = 'refuse' | 'pass'

/**
 * Creates the stage that drops events of users under an active regulation. Source:
 * packages/docs/behaviour/regulations.md#suppression.
 */
export function createSuppressStage(
  index: Pick<SuppressionIndex, 'mayMatch' | 'check'>,
  onUnavailable: WhenUnavailable = 'refuse',
): SuppressStage {
  return {
    name: 'suppress',
    mutatesInput: false,
    mayStop: (item) => index.mayMatch(questionOf(item)),
    async run(batch) {
      const questions = batch.map(questionOf)
      try {
        const suppressed = await index.check(questions)
        return batch.map((item, i) => (suppressed[i] ? drop(suppressedReason) : pass(item)))
      } catch (error) {
        if (error instanceof SuppressionMismatchError) throw error
        if (onUnavailable === 'pass' && error instanceof SuppressionUnavailableError)
          return batch.map((item) => pass(item))
        throw error
      }
    },
  }
}

function questionOf({ workspaceId, sourceId, event }: SourcedEvent): SuppressionQuestion {
  return { workspaceId, sourceId, userId: event['userId'] }
}
