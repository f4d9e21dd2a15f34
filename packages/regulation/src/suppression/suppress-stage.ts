import {
  drop,
  type Event,
  identifierText,
  keysOfEvent,
  pass,
  type SourcedEvent,
  type Stage,
  someIdentifier,
  someKey,
} from '@sluice/core'
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
  /** Position of the newest regulation that `run` knows: see `SuppressionIndex`. */
  readonly position: number
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
 * Creates the stage that drops events of users under an active regulation: of the person of the event, by any of the
 * identifiers in it, and of the persons of all other events that it may have been made of. Source:
 * packages/docs/behaviour/regulations.md#suppression.
 */
export function createSuppressStage(
  index: Pick<SuppressionIndex, 'mayMatch' | 'hasFurtherKeys' | 'check' | 'position'>,
  onUnavailable: WhenUnavailable = 'refuse',
): SuppressStage {
  const some = (event: Event, mayMatch: (key: string) => boolean): boolean =>
    index.hasFurtherKeys ? someKey(event, mayMatch) : someIdentifier(event, (id) => mayMatch(identifierText(id)))
  return {
    name: 'suppress',
    get position() {
      return index.position
    },
    mayStop: ({ workspaceId, sourceId, event, otherOrigins }) =>
      some(event, (userId) => index.mayMatch({ workspaceId, sourceId, userId })) ||
      otherOrigins?.some((other) =>
        other.identifiers.some((userId) => index.mayMatch({ workspaceId, sourceId: other.sourceId, userId })),
      ) === true,
    async run(batch) {
      const questions: SuppressionQuestion[] = []
      // Where the questions of each item end.
      const ends = batch.map((item) => questions.push(...questionsOf(item)))
      try {
        const answers = await index.check(questions)
        const isSuppressed = (i: number): boolean => answers.slice(ends[i - 1] ?? 0, ends[i]).includes(true)
        return batch.map((item, i) => (isSuppressed(i) ? drop(suppressedReason) : pass(item)))
      } catch (error) {
        if (error instanceof SuppressionMismatchError) throw error
        if (onUnavailable === 'pass' && error instanceof SuppressionUnavailableError)
          return batch.map((item) => pass(item))
        throw error
      }
    },
  }
}

function questionsOf({ workspaceId, sourceId, event, otherOrigins = [] }: SourcedEvent): SuppressionQuestion[] {
  const origins = [{ sourceId, identifiers: keysOfEvent(event) }, ...otherOrigins]
  return origins.flatMap((origin) =>
    origin.identifiers.map((userId) => ({ workspaceId, sourceId: origin.sourceId, userId })),
  )
}
