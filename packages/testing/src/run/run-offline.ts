import { isJsonObject, type JsonObject } from '@sluice/core'
import { ingestErrors, parseEvents } from '@sluice/pipeline'
import type { SandboxOptions } from '@sluice/sandbox'
import type { EventEnding, OfflineDestination, Subject } from './offline-run.ts'
import { createOfflineRunner } from './offline-runner.ts'

export interface OfflineSetup {
  readonly transformation?: Subject
  /** Limits, isolation and mode; the defaults are those of production. */
  readonly sandbox?: SandboxOptions
  readonly destination?: OfflineDestination
  /** Values of `getCredential`. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Called with the lines that user code logged in one batch, before its outcomes are yielded. */
  onLog?(lines: readonly string[]): void
}

/** Result of one event, as in production up to the point of sending. */
export interface OfflineOutcome extends Omit<EventEnding, 'outcome' | 'output'> {
  /** Index in the given events. */
  readonly index: number
  readonly messageId: string | null
  readonly outcome: EventEnding['outcome'] | 'rejected'
  /** The resulting events; only without a destination. */
  readonly output?: readonly JsonObject[]
}

/** Batch size of production. */
export const batchMax = 200

/**
 * Runs events through the stages of production, without a server, store or network. Yields one outcome per event, in
 * order, batch by batch, so that a long file needs no more memory than a short one.
 *
 * @param events parsed JSON, valid events or not.
 * @throws OfflineLoadError when the transformation cannot be loaded.
 * @example
 * ```ts
 * import { runOffline } from '@sluice/testing'
 *
 * for await (const outcome of runOffline([{ type: 'track', event: 'Seen', userId: 'u1' }], {})) console.log(outcome) // { index: 0, messageId: null, outcome: 'passed', output: [ { type: 'track', event: 'Seen', userId: 'u1' } ] }
 * ```
 */
export async function* runOffline(
  events: AsyncIterable<unknown> | Iterable<unknown>,
  { transformation, sandbox, destination, credentials, onLog }: OfflineSetup,
): AsyncGenerator<OfflineOutcome> {
  const runner = await createOfflineRunner(sandbox)
  try {
    // Reports code that cannot be loaded even when there are no events.
    if (transformation) await runner.run(transformation, [])
    let index = 0
    for await (const batch of inBatches(events)) {
      yield* await runBatch(batch, index)
      index += batch.length
    }
  } finally {
    await runner.close()
  }

  async function runBatch(batch: readonly unknown[], offset: number): Promise<readonly OfflineOutcome[]> {
    const { events: parsed, rejected } = parseEvents('batch', { batch }, 'pipeline')
    const inputs = parsed.map(({ event }) => event)
    const { endings, log } = await runner.run(transformation, inputs, {
      destination,
      credentials,
    })
    if (log.length > 0) onLog?.(log)
    const endingAt = new Map(parsed.map(({ index }, place) => [index, endings[place]]))
    return batch.map((event, i): OfflineOutcome => {
      const about = { index: offset + i, messageId: messageIdOf(event) }
      const refused = rejected.find(({ index }) => index === i)
      const ending = endingAt.get(i)
      if (refused || ending === undefined)
        return { ...about, outcome: 'rejected', reason: ingestErrors[refused?.code ?? 'eventInvalid'] }
      const { output, requests, ...rest } = ending
      if (ending.outcome !== 'passed') return { ...about, ...rest }
      return { ...about, ...rest, ...(requests ? { requests } : { output }) }
    })
  }
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
