import {
  isJsonObject,
  type JsonObject,
  type Library,
  type SourcedEvent,
  systemClock,
  type Transformation,
} from '@sluice/core'
import { createDestinationTransformStage, type DeliveryRequest, type DestinationDefinition } from '@sluice/destinations'
import { ingestErrors, parseEvents, runStage } from '@sluice/pipeline'
import { createSandbox, type SandboxOptions } from '@sluice/sandbox'
import {
  createTransformationPrograms,
  createUserTransformStage,
  transformationVersionId,
} from '@sluice/transformations'

export interface OfflineSetup {
  readonly transformation?: { readonly name: string; readonly code: string; readonly libraries?: readonly Library[] }
  /** Limits, isolation and where user code runs; the defaults are those of production. */
  readonly sandbox?: SandboxOptions
  /** Settings are complete and valid: what `parseSettings` gave. */
  readonly destination?: { readonly definition: DestinationDefinition; readonly settings: JsonObject }
}

/** What became of one event, as production would have it up to the point of sending. */
export interface OfflineOutcome {
  /** Index of the event in what was given. */
  readonly index: number
  readonly messageId: string | null
  readonly outcome: 'passed' | 'dropped' | 'failed' | 'rejected'
  /** The events that came out, without a destination. */
  readonly output?: readonly JsonObject[]
  /** The requests that would be sent, with a destination. */
  readonly requests?: readonly DeliveryRequest[]
  /** Why it was dropped or rejected. */
  readonly reason?: string
  readonly error?: { readonly code: string; readonly message: string }
}

/** Code that cannot be loaded: nothing was run. */
export class OfflineLoadError extends Error {
  override readonly name = 'OfflineLoadError'
}

/** As many events as production hands to user code at a time. */
const batchMax = 200

/**
 * Runs events through the very stages of production, without a server, a store or the network. Yields one outcome per
 * event, in order, batch by batch, so that a long file needs no more memory than a short one.
 *
 * @param events parsed JSON, well-formed events or not.
 * @throws OfflineLoadError when the transformation cannot be loaded.
 */
export async function* runOffline(
  events: AsyncIterable<unknown> | Iterable<unknown>,
  setup: OfflineSetup,
): AsyncGenerator<OfflineOutcome> {
  const sandbox = await createSandbox(setup.sandbox)
  const programs = createTransformationPrograms({ sandbox })
  try {
    const transformation = setup.transformation && toTransformation(setup.transformation)
    if (transformation) {
      const compiled = await programs.program(transformation)
      if (!compiled.ok) throw new OfflineLoadError(compiled.error.message)
    }
    const userTransform = transformation && createUserTransformStage({ programs, transformation })
    const destinationTransform = setup.destination && createDestinationTransformStage(toStageOptions(setup.destination))
    let index = 0
    for await (const batch of inBatches(events)) {
      yield* await runBatch(batch, index)
      index += batch.length
    }

    async function runBatch(batch: readonly unknown[], offset: number): Promise<readonly OfflineOutcome[]> {
      const signal = new AbortController().signal
      const { events: parsed, rejected } = parseEvents('batch', { batch })
      const inputs = parsed.map(({ index, event }) => ({ origin: index, item: sourced(event) }))
      const endings: Parameters<typeof runStage>[2] = []
      const transformed = userTransform ? await runStage(userTransform, inputs, endings, signal) : inputs
      const mapped = destinationTransform && (await runStage(destinationTransform, transformed, endings, signal))

      return batch.map((event, i): OfflineOutcome => {
        const about = { index: offset + i, messageId: messageIdOf(event) }
        const refused = rejected.find(({ index }) => index === i)
        if (refused) return { ...about, outcome: 'rejected', reason: ingestErrors[refused.code] }
        const ending =
          endings.find(({ origin, outcome }) => origin === i && outcome.kind === 'fail') ??
          endings.find(({ origin }) => origin === i)
        if (ending?.outcome.kind === 'fail') return { ...about, outcome: 'failed', error: ending.outcome.error }
        const requests = mapped?.filter(({ origin }) => origin === i).flatMap(({ item }) => item.requests)
        const output = transformed.filter(({ origin }) => origin === i).map(({ item }) => item.event)
        if (ending?.outcome.kind === 'drop' && (requests ?? output).length === 0)
          return { ...about, outcome: 'dropped', reason: ending.outcome.reason }
        return { ...about, outcome: 'passed', ...(requests ? { requests } : { output }) }
      })
    }
  } finally {
    await programs.close()
    await sandbox.close()
  }
}

function toTransformation({ name, code, libraries = [] }: NonNullable<OfflineSetup['transformation']>): Transformation {
  return { versionId: transformationVersionId(code, libraries), name, code, libraries }
}

function toStageOptions({ definition, settings }: NonNullable<OfflineSetup['destination']>) {
  const destination = { id: 'offline', name: 'offline', type: definition.type }
  return { definition, settings, destination, clock: systemClock }
}

function sourced(event: JsonObject): SourcedEvent {
  return { workspaceId: 'offline', sourceId: 'offline', writeKey: '', event }
}

function messageIdOf(event: unknown): string | null {
  const messageId = isJsonObject(event) ? event['messageId'] : undefined
  return typeof messageId === 'string' ? messageId : null
}

async function* inBatches(events: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<readonly unknown[]> {
  let batch: unknown[] = []
  for await (const event of events) {
    batch.push(event)
    if (batch.length < batchMax) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
