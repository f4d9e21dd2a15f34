import { drop, pass, type SourcedEvent, type Stage } from '@sluice/core'
import type { SuppressionIndex } from './suppression-index.ts'

/** The stage no flow can be built without. */
export interface SuppressStage extends Stage<SourcedEvent> {
  readonly name: 'suppress'
}

/** The reason under which suppressed events are counted: the only thing that is ever kept of them. */
export const suppressedReason = 'suppressed'

/** Drops events of users under an active regulation. Source: interface spec 1 and 3.2. */
export function createSuppressStage(index: SuppressionIndex): SuppressStage {
  return {
    name: 'suppress',
    mutatesInput: false,
    async run(batch) {
      return batch.map((item) => {
        const suppressed = index.matches(item.workspaceId, item.sourceId, item.event['userId'])
        return suppressed ? drop(suppressedReason) : pass(item)
      })
    },
  }
}
