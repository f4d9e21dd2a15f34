import type { Workspace } from '@sluice/core'
import type { EngineOptions } from '../engine-options.ts'
import { buildFlow, type FlowParts } from '../flow/build-flow.ts'
import type { Flow } from '../flow/flow.ts'
import { failingWhilePaused } from '../flow/stages/failing-while-paused.ts'
import { completeEvents, countCall } from '../ingest/complete-events.ts'
import { type IngestCall, refusal } from '../ingest/ingest-call.ts'
import { ingestErrors } from '../ingest/ingest-error.ts'
import type { Ingestion } from '../ingest/ingestion.ts'
import { parseEvents } from '../ingest/parse-events.ts'
import type { IngestSource } from '../ingest/write-keys.ts'
import { DirectProcessing } from './direct-processing.ts'
import type { ProcessResult } from './process-result.ts'

/** Takes calls through the whole flow in one go, without the log. */
export class DirectCalls {
  readonly #options: EngineOptions
  readonly #flowParts: FlowParts
  readonly #ingestion: Ingestion
  readonly #directs = new Map<string, DirectProcessing>()
  readonly #flows = new WeakMap<Workspace, Promise<Flow>>()

  constructor(options: EngineOptions, flowParts: FlowParts, ingestion: Ingestion) {
    this.#options = options
    this.#flowParts = flowParts
    this.#ingestion = ingestion
  }

  /** Resolves when each event has ended at every destination. @throws the reason of `signal` when it aborts. */
  async process(
    workspace: Workspace | undefined,
    source: IngestSource,
    call: IngestCall,
    signal: AbortSignal,
  ): Promise<ProcessResult> {
    // The caller waits for the result, so its events need not be copied.
    const parsed = parseEvents(call.type, call.payload, 'pipeline')
    const refused = await this.#ingestion.refused(source, call, parsed)
    if (refused || workspace === undefined) return refused ?? refusal('unavailable')
    const direct = this.#directs.get(workspace.id) ?? this.#direct(workspace.id)
    if (direct.isFull) return refusal('unavailable')
    const { clock, random } = this.#options
    const receivedAt = clock.now()
    // With their time, so that what became of them is counted on the day on which they were accepted.
    const items = completeEvents(source, call, parsed, receivedAt, random).map((item) => ({ ...item, receivedAt }))
    const flow = await this.#flow(workspace)
    const processed = await direct.run(
      flow,
      items,
      source.destinationIds,
      (admitted) => countCall(source, parsed, receivedAt, admitted),
      signal,
    )
    return {
      ok: true,
      events: items.map(({ event }, i) => ({ messageId: event.messageId, destinations: processed[i] ?? [] })),
      rejected: parsed.rejected.map(({ index, code }) => ({ index, reason: ingestErrors[code] })),
    }
  }

  /** Waits until the batches under way have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.#directs.values()].map((direct) => direct.stop()))
  }

  #direct(workspaceId: string): DirectProcessing {
    const { store, clock, random } = this.#options
    const onError = (error: unknown) => this.#options.onError?.(error)
    const direct = new DirectProcessing({ workspaceId, store, clock, random, onError })
    this.#directs.set(workspaceId, direct)
    return direct
  }

  /** A flow of its own: it defers nothing, and what it observes is not stored with a cursor. */
  async #flow(workspace: Workspace): Promise<Flow> {
    const { deferring: _, ...parts } = this.#flowParts
    const flow = this.#flows.get(workspace) ?? directFlow(workspace, parts)
    this.#flows.set(workspace, flow)
    return flow
  }
}

async function directFlow(workspace: Workspace, parts: FlowParts): Promise<Flow> {
  const flow = await buildFlow(workspace, parts, 'direct')
  return { ...flow, destinations: flow.destinations.map(failingWhilePaused) }
}
