import type { EngineOptions } from '../engine-options.ts'
import type { Flow } from '../flow/flow.ts'
import type { MainTurns } from '../flow/main-turns.ts'
import { CountTally } from '../reports/counts/count-tally.ts'
import type { MinuteMeasures } from '../reports/history/minute-measures.ts'
import { type AcceptPlace, accept } from './accept.ts'
import { CallBudget, eventsOf, eventsPerCallMax } from './call-budget.ts'
import { type IngestCall, type IngestResult, type Refusal, refusal } from './ingest-call.ts'
import { type IngestErrorCode, ingestErrors } from './ingest-error.ts'
import { type ParsedEvents, parseEventsInTurns, partsOf } from './parse-events.ts'
import type { IngestSource } from './write-keys.ts'

/**
 * Events of a call that become one batch of the log, which everything after it reads whole. Usual calls have far fewer;
 * larger ones become several batches.
 */
const eventsPerBatchMax = 2_000
/** Takes calls of known senders into the log: parsed, completed, admitted, durable, counted. */
export class Ingestion {
  readonly #options: EngineOptions
  readonly #turns: MainTurns
  readonly #place: AcceptPlace
  readonly #budget = new CallBudget()
  readonly #measures: Pick<MinuteMeasures, 'received'>

  constructor(
    options: EngineOptions,
    turns: MainTurns,
    flowOf: (workspaceId: string) => Flow | undefined,
    measures: Pick<MinuteMeasures, 'received'>,
  ) {
    this.#measures = measures
    this.#options = options
    this.#turns = turns
    this.#place = { ...options, turns, flowOf }
  }

  /**
   * Accepts a call; its events are durable when the promise resolves with `ok`.
   * @throws StoreFullError, and what the store or a stage before the log throws.
   */
  async take(source: IngestSource, call: IngestCall): Promise<IngestResult> {
    const events = eventsOf(call)
    this.#measures.received(source.workspaceId, source.sourceId, call.bytes ?? 0)
    const isTooMany = events > eventsPerCallMax
    // Before anything is awaited: until then nothing limits how many calls there are.
    const release = isTooMany ? undefined : this.#budget.take(source.workspaceId, call)
    if (release === undefined) {
      const code = isTooMany ? 'bodyTooLarge' : 'unavailable'
      await this.countRejected(source, new Map([[code, events]]))
      return refusal(code, isTooMany ? `more than ${eventsPerCallMax} events; send them in parts` : undefined)
    }
    try {
      return await this.#take(source, call)
    } finally {
      release()
    }
  }

  async #take(source: IngestSource, call: IngestCall): Promise<IngestResult> {
    const owner = call.isOwn ? 'pipeline' : 'caller'
    const parsed = await parseEventsInTurns(call.type, call.payload, owner, (items, work) =>
      this.#turns.each(source.workspaceId, items, work),
    )
    const refused = parsed.rejected.length > 0 ? await this.refused(source, call, parsed) : undefined
    return refused ?? this.#acceptInParts(source, call, parsed)
  }

  /** Accepts parts one after the other. Where one is refused, the sender sends them all again. */
  async #acceptInParts(source: IngestSource, call: IngestCall, parsed: ParsedEvents): Promise<IngestResult> {
    // All parts of a call were received at the same moment: stages know them by it.
    const receivedAt = this.#options.clock.now()
    if (parsed.events.length <= eventsPerBatchMax) return accept(this.#place, source, call, parsed, receivedAt)
    const messageIds: string[] = []
    for (const part of partsOf(parsed, eventsPerBatchMax)) {
      const result = await accept(this.#place, source, call, part, receivedAt)
      if (!result.ok) return result
      for (const id of result.messageIds) messageIds.push(id)
    }
    return {
      ok: true,
      messageIds,
      rejected: parsed.rejected.map(({ index, code }) => ({ index, reason: ingestErrors[code] })),
    }
  }

  /** Refuses a call as a whole when one malformed event is enough for that, or no other event is left. */
  async refused(source: IngestSource, call: IngestCall, parsed: ParsedEvents): Promise<Refusal | undefined> {
    const [refused] = parsed.rejected
    const onInvalid = call.onInvalid ?? source.onInvalid ?? this.#options.onInvalid
    if (refused === undefined || (parsed.events.length > 0 && onInvalid === 'refuse-event')) return undefined
    await this.countRejected(source, new Map([[refused.code, parsed.received]]))
    return refusal(refused.code)
  }

  /** Counts events that were refused, by code, against their source. */
  async countRejected(
    { workspaceId, sourceId }: IngestSource,
    codes: ReadonlyMap<IngestErrorCode, number>,
  ): Promise<void> {
    const tally = new CountTally(workspaceId)
    for (const [code, count] of codes) {
      tally.add(sourceId, '', 'received', '', count)
      tally.add(sourceId, '', 'rejected', ingestErrors[code], count)
    }
    await this.#options.store.counters.add(tally.deltas()).catch((error) => this.#options.onError?.(error))
  }
}
