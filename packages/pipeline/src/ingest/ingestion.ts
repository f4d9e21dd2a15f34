import type { SourcedEvent } from '@sluice/core'
import type { EngineOptions } from '../engine.ts'
import { type Flow, suppress } from '../flow/flow.ts'
import type { MainTurns } from '../flow/main-turns.ts'
import { tapEntry } from '../insight/tap.ts'
import { around } from '../ports/telemetry.ts'
import { completeEvents, countCall } from './accepted-call.ts'
import { CountTally } from './count-tally.ts'
import { type IngestCall, type IngestResult, type Refusal, refusal } from './ingest-call.ts'
import { type IngestErrorCode, ingestErrors } from './ingest-error.ts'
import { type ParsedEvents, parseEvents } from './parse-events.ts'
import type { Route } from './write-keys.ts'

/** Events of a call that are completed in one turn: a millisecond, more or less. */
const sliceEvents = 100

/** Takes calls of known senders into the log: parsed, completed, suppressed, durable, counted. */
export class Ingestion {
  readonly #options: EngineOptions
  readonly #turns: MainTurns
  readonly #flowOf: (workspaceId: string) => Flow | undefined

  constructor(options: EngineOptions, turns: MainTurns, flowOf: (workspaceId: string) => Flow | undefined) {
    this.#options = options
    this.#turns = turns
    this.#flowOf = flowOf
  }

  /** The events are durable when it resolves with `ok`. @throws StoreFullError, and whatever the store throws. */
  async take(route: Route, call: IngestCall): Promise<IngestResult> {
    const parsed = await this.#turns.run(route.workspaceId, async () => parseEvents(call.type, call.payload))
    const refused = parsed.rejected.length > 0 ? await this.refused(route, call, parsed) : undefined
    return refused ?? this.#accept(route, call, parsed)
  }

  /** Refuses a call as a whole where one malformed event is enough, or no other is left. */
  async refused(route: Route, call: IngestCall, parsed: ParsedEvents): Promise<Refusal | undefined> {
    const [refused] = parsed.rejected
    if (refused === undefined || (parsed.events.length > 0 && call.onInvalid === 'refuse-event')) return undefined
    await this.countRejected(route, new Map([[refused.code, parsed.received]]))
    return refusal(refused.code)
  }

  /** Counts events that were refused, by code, against their source. */
  async countRejected({ workspaceId, sourceId }: Route, codes: ReadonlyMap<IngestErrorCode, number>): Promise<void> {
    const tally = new CountTally(workspaceId)
    for (const [code, count] of codes) {
      tally.add(sourceId, '', 'received', '', count)
      tally.add(sourceId, '', 'rejected', ingestErrors[code], count)
    }
    await this.#options.store.counters.add(tally.deltas()).catch((error) => this.#options.onError?.(error))
  }

  async #accept(route: Route, call: IngestCall, parsed: ParsedEvents): Promise<IngestResult> {
    const { store, deduplication, clock, random } = this.#options
    const { workspaceId, sourceId, writeKey, destinationIds } = route
    const flow = this.#flowOf(workspaceId)
    if (flow === undefined) return refusal('unavailable')
    const receivedAt = clock.now()
    const items = await this.#turns.slices(workspaceId, parsed.events, sliceEvents, (events) =>
      completeEvents(route, call, { ...parsed, events }, receivedAt, random),
    )
    const allowed = await suppress(flow, items, new AbortController().signal)
    const counts = countCall(route, parsed, receivedAt, items.length, allowed.length)
    if (allowed.length === 0) {
      // Refused when the others are: a full store must not tell who is suppressed.
      await store.log.requireRoom(workspaceId)
      await store.counters.add(counts)
    } else {
      const kept = allowed.map(({ item }) => item.event)
      const isExact = call.isOwn === true && parsed.isExact
      const batch = { workspaceId, sourceId, writeKey, receivedAt, destinationIds, events: kept, isExact }
      const work = { kind: 'append', workspaceId, sourceId, inputs: kept.length } as const
      const append = async (): Promise<readonly number[]> => {
        if (deduplication) return (await store.log.appendNew(batch, counts, deduplication)).duplicates
        await store.log.append(batch, counts)
        return []
      }
      // The store writes the events as text first, in this thread.
      const duplicates = await around(this.#options.telemetry, work, () => this.#turns.run(workspaceId, append))
      this.#watch(allowed.map(({ item }) => item).filter((_, place) => !duplicates.includes(place)))
    }
    return {
      ok: true,
      messageIds: items.map(({ event }) => event.messageId),
      rejected: parsed.rejected.map(({ index, code }) => ({ index, reason: ingestErrors[code] })),
    }
  }

  /** Shows those who watch what was accepted. */
  #watch(accepted: readonly SourcedEvent[]): void {
    const { tap, clock } = this.#options
    const [first] = accepted
    if (first === undefined || !tap?.isOpen(first.workspaceId)) return
    const at = clock.now()
    tap.tell(accepted.map((item) => ({ ...tapEntry(item, at), outcome: 'accepted', stage: 'ingest' })))
  }
}
