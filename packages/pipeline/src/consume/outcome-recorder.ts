import {
  type Backoff,
  type Clock,
  type ErrorCode,
  type EventOrigin,
  keysOfEvent,
  type Random,
  type SourcedEvent,
  type StageError,
  unitedOrigins,
  userKeyOf,
  uuidV7,
} from '@sluice/core'
import { backoffMs, type Deferral, type DeliveryTry } from '@sluice/delivery'
import { suppressedReason } from '@sluice/regulation'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { DestinationResult } from '../flow/destination-result.ts'
import { triesMax } from '../flow/try-log.ts'
import type { Mutable } from '../mutable.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import { eventDayOf } from '../ports/event-day-of.ts'
import { type CountDelta, utcDay } from '../ports/stores/counter-store.ts'
import type { DeadLetter } from '../ports/stores/dead-letter-store.ts'
import type { EventReceipt } from '../ports/stores/receipt-store.ts'
import { CountTally } from '../reports/counts/count-tally.ts'
import { notAllowed, outcomeReason } from '../reports/counts/outcome-reason.ts'
import { type DestinationFailure, FailureTally } from '../reports/destination-failure.ts'
import { DelayCounts } from '../reports/history/delay-counts.ts'
import type { MinuteMeasures } from '../reports/history/minute-measures.ts'
import { type Tap, type TapEntry, tapEntry } from '../reports/tap.ts'

const reasonLengthMax = 200
/** Quick attempts at the start; the waits of the backoff begin after them. */
const quickAttempts = 3

/** What is to be stored of a batch that went through a destination. */
interface OutcomeRecords {
  readonly counts: readonly CountDelta[]
  readonly receipts: readonly EventReceipt[]
  readonly deferred: readonly DeferredEvent[]
  readonly deadLetters: readonly DeadLetter[]
}

/** A deferred event of whose attempts one took long. */
export interface SlowEvent {
  readonly event: DeferredEvent
  /** Its attempts may still run: see `resultOfRest`. */
  readonly result: DestinationResult
  readonly path: DestinationPath
}

export interface OutcomeRecorderOptions {
  readonly workspaceId: string
  readonly destinationId: string
  readonly clock: Clock
  readonly random: Random
  /** How long a deferred event waits before it is tried again. */
  readonly backoff: Backoff
  /** False writes no receipts; default true. */
  readonly receipts?: boolean
  /** Shows outcomes to people who watch. */
  readonly tap?: Tap
  /** Gets how long events took, and which were tried again. Left out, that is not measured. */
  readonly measures?: MinuteMeasures
  /** Gets why events failed or wait; nothing of what is in them. */
  onFailures?(failures: readonly DestinationFailure[]): void
}

/**
 * Records what became of events at one destination. Every event is counted once, when it ends; until then it is
 * pending. Source: packages/docs/architecture.md#the-laws.
 */
export class OutcomeRecorder {
  readonly #options: OutcomeRecorderOptions
  readonly #tally: CountTally
  readonly #receipts: EventReceipt[] = []
  readonly #deferred: DeferredEvent[] = []
  readonly #deadLetters: DeadLetter[] = []
  readonly #watched: TapEntry[] = []
  readonly #failures = new FailureTally()
  readonly #slow = new Map<string, SlowEvent>()
  /** How long delivered events took since they were received. */
  #delays: DelayCounts | undefined
  /** Events that were tried again, by source. */
  #retried: Map<string, number> | undefined

  constructor(options: OutcomeRecorderOptions) {
    this.#options = options
    this.#tally = new CountTally(options.workspaceId)
  }

  /** Whether an event failed or is deferred. */
  get hasFailures(): boolean {
    return this.#deferred.length + this.#deadLetters.length > 0
  }

  /**
   * @param result undefined when the event was suppressed before the first stage.
   * @param before what was deferred of it before.
   * @returns its receipt, when it has ended and is not suppressed.
   */
  add(
    item: SourcedEvent,
    path: DestinationPath,
    result: DestinationResult | undefined,
    before?: DeferredEvent,
  ): EventReceipt | undefined {
    const { destinationId, clock } = this.#options
    const tally = this.#tally
    const sent = before?.delivered ?? 0
    if (result === undefined || isSuppressed(result, sent)) {
      // Suppressed before the first stage or right before it was sent: only its number is kept.
      tally.add(item.sourceId, destinationId, 'dropped', suppressedReason, 1)
      tally.add(item.sourceId, destinationId, 'suppressed', utcDay(clock.now()), 1)
      const { day } = eventDayOf(item, clock.now())
      tally.addNamed(item.sourceId, destinationId, 'dropped', {
        reason: notAllowed,
        named: { day, name: '' },
        count: 1,
      })
      return undefined
    }
    if (before && before.attempts > 0) {
      this.#retried ??= new Map()
      this.#retried.set(item.sourceId, (this.#retried.get(item.sourceId) ?? 0) + 1)
    }
    tally.add(item.sourceId, destinationId, 'outputs', '', result.outputs)
    const tries = triesOf(item, path, before)
    this.#addDeadLetters(item, result, before, tries)
    if (result.outcome === 'deferred') {
      const deferral = this.#deferral(item, result, before, tries)
      this.#deferred.push(deferral)
      if (result.deferrals.some(({ isSlow }) => isSlow)) this.#slow.set(deferral.id, { event: deferral, result, path })
      this.#watch(item, { outcome: 'deferred', stage: result.stage, code: deferral.lastError?.code })
      const cause = result.deferrals.find((each) => each.cause !== undefined)?.cause
      if (cause) this.#failures.add(this.#place(result.stage), cause, deferral.dueAt)
      return undefined
    }
    const ending = endingOf(result, before)
    const reason = ending.error?.code ?? ending.reason ?? ''
    tally.add(item.sourceId, destinationId, ending.outcome, reason, 1)
    tally.addNamed(item.sourceId, destinationId, ending.outcome, {
      reason: outcomeReason(ending, path.versionId),
      named: eventDayOf(item, clock.now()),
      count: 1,
    })
    this.#watch(item, { ...ending, code: ending.error?.code })
    if (ending.error) this.#failures.add(this.#place(ending.stage), ending.error)
    const receipt: Mutable<EventReceipt> = {
      workspaceId: item.workspaceId,
      messageId: item.event.messageId ?? '',
      sourceId: item.sourceId,
      destinationId,
      outcome: ending.outcome,
      stage: ending.stage,
      outputs: sent + result.outputs,
      at: clock.now(),
    }
    // Assigned one by one: spreading an object for each would take longer than the rest of a receipt.
    if (item.receivedAt !== undefined) receipt.receivedAt = item.receivedAt
    if (path.versionId !== undefined) receipt.versionId = path.versionId
    if (ending.reason !== undefined) receipt.reason = ending.reason
    if (ending.error !== undefined) {
      receipt.reason = ending.error.message
      receipt.code = ending.error.code
    }
    if (tries.length > 0) receipt.tries = tries
    if (this.#options.receipts !== false) this.#receipts.push(receipt)
    if (ending.outcome === 'delivered' && item.receivedAt !== undefined) {
      this.#delays ??= new DelayCounts()
      this.#delays.record(receipt.at - item.receivedAt)
    }
    return receipt
  }

  records(): OutcomeRecords {
    return {
      counts: this.#tally.deltas(),
      receipts: this.#receipts,
      deferred: this.#deferred,
      deadLetters: this.#deadLetters,
    }
  }

  /** Events that are deferred because their attempts take long, by id; this is not stored. */
  get slow(): ReadonlyMap<string, SlowEvent> {
    return this.#slow
  }

  /** Shows the outcomes to people who watch, and reports failures and times: to be called once they are stored. */
  show(): void {
    this.#measure()
    if (this.#watched.length > 0) this.#options.tap?.show(this.#watched)
    const failures = this.#failures.failures()
    if (failures.length > 0) this.#options.onFailures?.(failures)
  }

  #measure(): void {
    const { workspaceId, destinationId, measures } = this.#options
    if (measures === undefined) return
    if (this.#delays) measures.delays(workspaceId, destinationId, 'deliveryMs').addAll(this.#delays)
    for (const [sourceId, count] of this.#retried ?? []) measures.retried(workspaceId, sourceId, destinationId, count)
  }

  #place(stage: string): Pick<DestinationFailure, 'workspaceId' | 'destinationId' | 'stage'> {
    const { workspaceId, destinationId } = this.#options
    return { workspaceId, destinationId, stage }
  }

  #watch(
    item: SourcedEvent,
    ending: Pick<TapEntry, 'outcome' | 'stage' | 'reason'> & { readonly code: ErrorCode | undefined },
  ): void {
    const { workspaceId, destinationId, clock, tap } = this.#options
    if (!tap) return
    const at = clock.now()
    if (tap.wanted(workspaceId, 1, at) === 0) return
    const { outcome, stage, reason, code } = ending
    const why = { reason, code }
    const took = item.receivedAt === undefined ? {} : { tookMs: Math.max(0, at - item.receivedAt) }
    this.#watched.push({ ...tapEntry(item, at), destinationId, ...took, outcome, stage, ...why })
  }

  /** Adds the failed parts of an event to the dead letters. */
  #addDeadLetters(
    source: SourcedEvent,
    result: DestinationResult,
    before: DeferredEvent | undefined,
    tries: readonly DeliveryTry[],
  ): void {
    const { failed, outputs, deferrals, ending, stage } = result
    const { workspaceId, destinationId, clock, random } = this.#options
    const shared = { workspaceId, destinationId, at: clock.now(), ...(tries.length > 0 ? { tries } : {}) }
    // An event that failed before anything was sent is replayed from the first stage: its code may have been fixed since.
    // Not when another part of it was sent, will be sent, or has a dead letter of its own.
    const isWhole = before?.outputs === undefined && outputs + deferrals.length === 0
    if (isWhole && failed.every((output) => output.stage === 'destination-transform')) {
      if (ending?.kind !== 'fail') return
      const userKeys = [userKeyOf(source.event)]
      // The error may quote the outputs, which are not kept.
      const quoted = failed.flatMap(({ event, otherOrigins }) => [
        otherOrigins,
        event === source.event ? undefined : [{ sourceId: source.sourceId, identifiers: keysOfEvent(event) }],
      ])
      const kept = withOrigins(source, unitedOrigins(source.otherOrigins, ...quoted))
      this.#deadLetters.push({
        ...shared,
        source: kept,
        id: uuidV7(clock, random),
        stage,
        error: ending.error,
        userKeys,
      })
      return
    }
    for (const { event, stage: at, error, otherOrigins } of failed)
      this.#deadLetters.push({
        ...shared,
        source: withOrigins(source, unitedOrigins(source.otherOrigins, otherOrigins)),
        id: uuidV7(clock, random),
        stage: at,
        error,
        outputs: [{ event, done: [] }],
        userKeys: [userKeyOf(event)],
      })
  }

  #deferral(
    source: SourcedEvent,
    result: DestinationResult,
    before: DeferredEvent | undefined,
    tries: readonly DeliveryTry[],
  ): DeferredEvent {
    const { workspaceId, destinationId, clock, random, backoff } = this.#options
    const { deferrals, failed, otherOrigins } = result
    // One call of transformBatch may have made very many outputs of one event.
    const firstTriedAt = deferrals.reduce(
      (first, each) => Math.min(first, each.firstTriedAt ?? first),
      Number.MAX_VALUE,
    )
    const [firstFailed] = failed
    const lost = before?.failure ?? (firstFailed && { stage: firstFailed.stage, error: firstFailed.error })
    const cause = deferrals.find((deferral) => deferral.cause !== undefined)?.cause
    const waitMs = deferrals.reduce((longest, deferral) => Math.max(longest, waitOf(deferral, backoff, random)), 0)
    return {
      id: before?.id ?? uuidV7(clock, random),
      workspaceId,
      destinationId,
      source: withOrigins(source, unitedOrigins(source.otherOrigins, otherOrigins)),
      outputs: deferrals.map(({ event, done, failure }) => ({ event, done, failure })),
      userKeys: [...new Set(deferrals.map(({ userKey }) => userKey))],
      delivered: (before?.delivered ?? 0) + result.outputs,
      attempts: deferrals.reduce((most, { attempts }) => Math.max(most, attempts), 0),
      dueAt: clock.now() + Math.ceil(waitMs),
      lastError: cause ? { code: cause.code, message: cause.message } : undefined,
      // Not in the future, where a clock that was set back since has put it: the event would be tried for that much longer.
      firstTriedAt: firstTriedAt === Number.MAX_VALUE ? undefined : Math.min(firstTriedAt, clock.now()),
      failure: lost,
      ...(tries.length > 0 ? { tries } : {}),
    }
  }
}

/** Returns the newest tries of an event, those before included. */
function triesOf(item: SourcedEvent, path: DestinationPath, before: DeferredEvent | undefined): readonly DeliveryTry[] {
  const now = path.tries?.take(item) ?? []
  const earlier = before?.tries ?? []
  return earlier.length === 0 ? now : [...earlier, ...now].slice(-triesMax)
}

function withOrigins(source: SourcedEvent, otherOrigins: readonly EventOrigin[] | undefined): SourcedEvent {
  return otherOrigins === undefined || otherOrigins === source.otherOrigins ? source : { ...source, otherOrigins }
}

function waitOf({ cause, attempts, retryAfterMs }: Deferral, backoff: Backoff, random: Random): number {
  if (cause === undefined) return 0
  return Math.max(retryAfterMs, backoffMs(Math.max(1, attempts - quickAttempts + 1), backoff, random))
}

/** An event that was partly delivered before is not counted as suppressed: its delivery is recorded already. */
function isSuppressed({ outcome, ending }: DestinationResult, sent: number): boolean {
  return outcome === 'dropped' && sent === 0 && ending?.kind === 'drop' && ending.reason === suppressedReason
}

interface FinalEnding {
  readonly outcome: 'delivered' | 'dropped' | 'failed'
  readonly stage: string
  readonly reason?: string
  readonly error?: StageError
}

/** How an event ends, earlier tries included. The reason of a drop may come from the embedding program: it is cut and made storable. */
function endingOf({ outcome, stage, ending }: DestinationResult, before?: DeferredEvent): FinalEnding {
  if (ending?.kind === 'fail') return { outcome: 'failed', stage, error: ending.error }
  if (before?.failure) return { outcome: 'failed', ...before.failure }
  if (outcome === 'dropped' && ending?.kind === 'drop' && !before?.delivered)
    return { outcome: 'dropped', stage, reason: Buffer.from(ending.reason.slice(0, reasonLengthMax)).toString() }
  return { outcome: 'delivered', stage }
}
