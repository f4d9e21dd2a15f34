import {
  type Event,
  type EventOrigin,
  fail,
  InvariantError,
  type JsonObject,
  keysOfEvent,
  type Outcome,
  type SourcedEvent,
  type Stage,
  type Transformation,
  unitedOrigins,
} from '@sluice/core'
import type { TransformationPrograms } from './transformation-programs.ts'

export interface UserTransformOptions {
  readonly programs: TransformationPrograms
  readonly transformation: Transformation
  /** The workspace charged for the time in the sandbox. Default: that of the events. */
  readonly workspaceId?: string
  /**
   * Additional metadata for `metadata(event)`, such as destination and source name. It overrides what comes from the
   * event.
   */
  metadataOf?(item: SourcedEvent): JsonObject
  /** Values of `getCredential`. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Called with the lines that user code logged in one batch. They may contain values of events. */
  onLog?(lines: readonly string[]): void
  /** Called with the approximate size of a batch's outcomes, in bytes of JSON text. */
  onOutput?(bytes: number): void
}

/**
 * Creates the stage that runs one version of a transformation for one destination. The events it returns keep the
 * workspace, source and write key of their input, and name all other inputs that they may have been made of. Code that
 * cannot be loaded fails every event. Source: packages/docs/behaviour/user-code.md#returned-values.
 */
export function createUserTransformStage(options: UserTransformOptions): Stage<SourcedEvent> {
  const { programs, transformation, workspaceId, metadataOf, credentials = {}, onLog, onOutput } = options
  return {
    name: 'user-transform',
    async run(batch, signal) {
      const compiled = await programs.program(transformation, workspaceId ?? batch[0]?.workspaceId)
      if (!compiled.ok) return batch.map(() => fail(compiled.error))
      const inputs = batch.map((item) => ({
        event: item.event,
        metadata: { ...metadataFor(item, transformation), ...metadataOf?.(item) },
      }))
      const { outcomes, origins, log, bytes } = await compiled.program.run(inputs, signal, { credentials })
      if (log.length > 0) onLog?.(log)
      onOutput?.(bytes)
      const otherOriginsOf = originsOf(batch, origins)
      return batch.map((item, index): Outcome<SourcedEvent> => {
        const outcome = outcomes[index]
        if (outcome === undefined) throw new InvariantError('a program must return one result per input')
        if (outcome.kind !== 'pass') return outcome
        return {
          kind: 'pass',
          items: outcome.items.map((event) => {
            const otherOrigins = otherOriginsOf?.(event)
            return otherOrigins ? { ...item, event, otherOrigins } : { ...item, event }
          }),
        }
      })
    },
  }
}

/** Returns a function that finds the origins of an output that may have been made of several inputs. */
function originsOf(
  batch: readonly SourcedEvent[],
  inputsOf: ReadonlyMap<Event, readonly number[]> = new Map(),
): ((output: Event) => readonly EventOrigin[] | undefined) | undefined {
  if (inputsOf.size === 0) return undefined
  // Outputs of one call share their list of inputs, and so their list of origins.
  const known = new Map<readonly number[], readonly EventOrigin[]>()
  return (output) => {
    const indexes = inputsOf.get(output)
    if (indexes === undefined) return undefined
    const origins = known.get(indexes) ?? unitedOrigins(...indexes.flatMap((index) => listsOf(batch[index]))) ?? []
    known.set(indexes, origins)
    return origins
  }
}

function listsOf(item: SourcedEvent | undefined): readonly (readonly EventOrigin[] | undefined)[] {
  return item ? [[{ sourceId: item.sourceId, identifiers: keysOfEvent(item.event) }], item.otherOrigins] : []
}

/**
 * Builds `metadata(event)`. A transformation without an id is identified by its name. Source:
 * packages/docs/behaviour/user-code.md#metadata.
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
