import { type Clock, InvariantError, pass, type SourcedEvent, type Stage } from '@sluice/core'
import { flattenEvent } from './flatten-event.ts'
import { modelKeyOf } from './model-key.ts'
import { createSchemaAccumulator } from './schema-accumulator.ts'
import type { SchemaDelta } from './schema-delta.ts'
import { schemaHash } from './schema-hash.ts'

/** Learns the shapes of the events that pass; stops none. */
export interface ObserveStage extends Stage<SourcedEvent> {
  readonly name: 'observe'
  /** What was seen since the last call. The caller stores it together with the cursor it was read at. */
  take(): SchemaDelta
}

/**
 * Counts every event that belongs to a model under the version of its schema, seen at the time of the clock. Events of
 * no model (no `type`, a track call without a name) pass uncounted.
 *
 * A delta carries no workspace, so one stage observes one workspace between two calls of `take`; memory grows with the
 * distinct versions in between.
 *
 * @throws InvariantError from `run` when events of two workspaces come without a `take` between them.
 *
 * Sources: governance facts 1.1 to 1.4; design, The picture.
 */
export function createObserveStage({ clock }: { readonly clock: Clock }): ObserveStage {
  const seen = createSchemaAccumulator()
  let workspaceId: string | undefined
  return {
    name: 'observe',
    mutatesInput: false,
    async run(batch) {
      // Checked before anything is counted, so that a batch is counted whole or not at all.
      for (const item of batch) {
        workspaceId ??= item.workspaceId
        if (item.workspaceId !== workspaceId) throw new InvariantError('observe was given events of two workspaces')
      }
      const now = clock.now()
      return batch.map((item) => {
        const model = modelKeyOf(item)
        if (model !== undefined) {
          const schema = flattenEvent(item.event)
          seen.add({ ...model, schemaHash: schemaHash(schema), schema, count: 1, firstSeen: now, lastSeen: now })
        }
        return pass(item)
      })
    },
    take: () => {
      workspaceId = undefined
      return seen.take()
    },
  }
}
