import {
  fail,
  InvariantError,
  type JsonObject,
  type Outcome,
  type SourcedEvent,
  type Stage,
  type Transformation,
} from '@sluice/core'
import type { TransformationPrograms } from './transformation-programs.ts'

export interface UserTransformOptions {
  readonly programs: TransformationPrograms
  readonly transformation: Transformation
  /** The workspace whose turn user code takes in the sandbox; default that of the events. */
  readonly workspaceId?: string
  /**
   * What `metadata(event)` shows besides what the event itself tells: destination, source name and the like. It wins
   * over that.
   */
  metadataOf?(item: SourcedEvent): JsonObject
  /** What `getCredential` gives. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Gets the lines that user code logged in one batch. They hold values of events. */
  onLog?(lines: readonly string[]): void
  /** Told what the outcomes of a batch take, more or less, in bytes of JSON text. */
  onOutput?(bytes: number): void
}

/**
 * Runs one version of a transformation for one destination. What it returns for an event keeps the workspace, source
 * and write key of that event. Code that cannot be loaded fails every event. Source:
 * packages/docs/behaviour/user-code.md#returned-values.
 */
export function createUserTransformStage(options: UserTransformOptions): Stage<SourcedEvent> {
  const { programs, transformation, workspaceId, metadataOf, credentials = {}, onLog, onOutput } = options
  return {
    name: 'user-transform',
    mutatesInput: false,
    async run(batch, signal) {
      const compiled = await programs.program(transformation, workspaceId ?? batch[0]?.workspaceId)
      if (!compiled.ok) return batch.map(() => fail(compiled.error))
      const inputs = batch.map((item) => ({
        event: item.event,
        metadata: { ...metadataFor(item, transformation), ...metadataOf?.(item) },
      }))
      const { outcomes, log, bytes } = await compiled.program.run(inputs, signal, { credentials })
      if (log.length > 0) onLog?.(log)
      onOutput?.(bytes)
      return batch.map((item, index): Outcome<SourcedEvent> => {
        const outcome = outcomes[index]
        if (outcome === undefined) throw new InvariantError('a program must answer once per input')
        if (outcome.kind !== 'pass') return outcome
        return { kind: 'pass', items: outcome.items.map((event) => ({ ...item, event })) }
      })
    },
  }
}

/**
 * Source: packages/docs/behaviour/user-code.md#metadata; the name stands for the id of a transformation that has
 * none.
 */
function metadataFor({ workspaceId, sourceId, event }: SourcedEvent, transformation: Transformation): JsonObject {
  return {
    workspaceId,
    sourceId,
    messageId: event.messageId,
    rudderId: event['rudderId'],
    receivedAt: event.receivedAt,
    eventName: event['event'],
    eventType: event['type'],
    transformationId: transformation.id ?? transformation.name,
    transformationVersionId: transformation.versionId,
  }
}
