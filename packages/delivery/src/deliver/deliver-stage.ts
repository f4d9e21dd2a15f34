import { setMaxListeners } from 'node:events'
import { type Clock, type JsonObject, onAbort, type Random, type Stage, type StageError } from '@sluice/core'
import { createSecretMask, type DeliveryRequest, type DestinationDefinition } from '@sluice/destinations'
import PQueue from 'p-queue'
import type { Transport, TransportResult } from '../transport/transport.ts'
import { createAccount } from './account.ts'
import { type Backoff, backoffMs } from './backoff.ts'
import { type Admission, type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'
import { createDeliveryFailure } from './delivery-failure.ts'
import { type DeliverableEvent, type Delivery, Parcel } from './parcel.ts'
import { retryAfterMsMax } from './retry-after.ts'
import { type Part, packParts, type Shipment } from './shipments.ts'
import { type Judgement, judge } from './verdict.ts'

export interface Retry extends Backoff {
  /** How often a request is sent in one round at most, the first time included. */
  readonly attemptsMax: number
}

/** Events that were tried in vain are handed back, to be brought again later, instead of being given up. */
export interface Deferring {
  /** An event is given up when it was first tried so long ago, ... */
  readonly windowMs: number
  /** ... and so often, over all rounds. */
  readonly attemptsMin: number
  /** Whether earlier events of this user were handed back and are not done: later ones must not overtake them. */
  isHeld(userKey: string): boolean
  /**
   * Asked for by each call of `run`. Once it is aborted nothing of that call waits any more, for a retry or for the
   * destination: whatever would is handed back.
   */
  readonly drain?: AbortSignal
}

export interface DeliverOptions<T extends DeliverableEvent = DeliverableEvent> {
  readonly transport: Transport
  /** Sends what has to be asked before, such as for the tokens of an account; default `transport`. */
  readonly lookupTransport?: Transport
  readonly clock: Clock
  readonly random: Random
  /** How requests share a batch, how replies are read, what is secret. Left out, each event goes by itself. */
  readonly destination?: { readonly definition: DestinationDefinition; readonly settings: JsonObject }
  /** Default: 3 attempts, waiting 200 ms and then twice that, never more than 5,000 ms. */
  readonly retry?: Retry
  /** Left out, what was tried in vain is given up at the end of the round. */
  readonly deferring?: Deferring
  /** Requests under way at the same time. Default 8. */
  readonly concurrency?: number
  /** For one attempt, from connecting to the end of the reply. Default 10,000. */
  readonly timeMs?: number
  /** Keeps a dead destination from being asked; default one with its defaults. */
  readonly breaker?: CircuitBreaker
  /**
   * Asked right before every attempt, the first included: why each event must not be sent any more, undefined while it
   * may. What holds when a batch begins may not hold when the turn of an event comes, or after the wait for a retry.
   * When `signal` aborts it rejects. Without it everything is sent.
   */
  reasonsToDrop?(events: readonly T[], signal: AbortSignal): Promise<readonly (string | undefined)[]>
}

/**
 * Sends the requests of one destination, packed as its definition says.
 *
 * Requests of one user (`userKey`) go one after the other, in batch order: the next one waits until the one before is
 * delivered or given up, retries included. A request that is given up does not hold its successors back; an event that
 * is deferred does, and they are deferred with it. Users do not wait for each other beyond `concurrency` and the batches
 * they share. A batch that is refused as a whole is sent again event by event, so that only the culprit fails. What
 * `reasonsToDrop` stops ends as dropped, its successors are asked about in their turn. All this holds across calls of
 * `run`, which may overlap.
 *
 * A destination that fails, or asks to wait, is left alone by all: see `CircuitBreaker`.
 *
 * Delivery is at least once: an attempt that timed out may have arrived. When `signal` aborts, `run` stops waiting and
 * sending and rejects with its reason; the caller discards the batch and hands it over again later.
 *
 * @throws RangeError when an option is out of its range.
 */
export function createDeliverStage<T extends DeliverableEvent = DeliverableEvent>(
  options: DeliverOptions<T>,
): Stage<T, Delivery> {
  const { transport, clock, random, destination, deferring, concurrency = 8, timeMs = 10_000 } = options
  const retry = options.retry ?? { attemptsMax: 3, baseMs: 200, capMs: 5_000 }
  requireAtLeastOne({ concurrency, timeMs, attemptsMax: retry.attemptsMax })
  const breaker = options.breaker ?? createCircuitBreaker({ clock })
  const pool = new PQueue({ concurrency })
  const definition: Pick<DestinationDefinition, 'batch' | 'respond' | 'account'> = destination?.definition ?? {}
  const settings = destination?.settings ?? {}
  const respond = definition.respond?.bind(definition)
  /** The last shipment under way of each user, over all rounds. */
  const lastOf = new Map<string, Promise<void>>()
  const account =
    definition.account &&
    createAccount({
      rule: definition.account,
      settings,
      transport: options.lookupTransport ?? transport,
      clock,
      timeMs,
    })
  const failure = createDeliveryFailure(destination && createSecretMask(destination.definition, settings))

  /** Sends a shipment until each of its parts is delivered, given up, dropped or deferred. */
  async function ship(shipment: Shipment<T>, round: Round, signal: AbortSignal): Promise<void> {
    const { parts } = shipment
    // The rounds of an event that was deferred are its retries.
    const attemptsMax = parts.some(({ parcel }) => parcel.wasTried) ? 1 : retry.attemptsMax
    const { drain } = round
    let isRenewed = false
    for (let open = parts; open.length > 0; ) {
      const allowed = await stillToSend(open, round, signal)
      if (allowed.length < parts.length) return shipAnew(allowed, round, signal)
      const admission = await breaker.admit(signal, { until: waitUntil(parts), ...(drain ? { drain } : {}) })
      if (admission === undefined) return drain?.aborted ? holdAll(parts, round) : outwaited(parts, round)
      const met = await attempt(shipment, admission, round, signal)
      if (met === undefined) continue
      const { judgement, attempts } = met
      if (judgement.outcome === 'refresh' && !isRenewed) {
        isRenewed = true
        continue
      }
      open = settle(parts, met)
      if (judgement.outcome === 'aborted' && !judgement.items) {
        // One of many may have spoilt it: each by itself shows which.
        for (const part of open) await ship({ request: part.request, parts: [part] }, round, signal)
        return
      }
      if (judgement.outcome === 'throttled' && deferring) {
        const overdue = new Set(open.filter(({ parcel }) => isOverdue(parcel)))
        for (const part of overdue) putOff(part, met)
        open = open.filter((part) => !overdue.has(part))
      } else if (attempts >= attemptsMax) {
        for (const part of open) putOff(part, met)
        return
      } else if (open.length > 0 && judgement.outcome !== 'throttled')
        await pause(backoffMs(attempts, retry, random, judgement.retryAfterMs), [signal, drain])
      if (drain?.aborted) return holdAll(open, round)
    }
  }

  /** Packs again what is left of a shipment: what was delivered or stopped must not be sent with it. */
  async function shipAnew(parts: readonly Part<T>[], round: Round, signal: AbortSignal): Promise<void> {
    for (const shipment of packParts(parts, definition, settings)) await ship(shipment, round, signal)
  }

  /** @returns undefined when it was not made: while it waited, something of the shipment was stopped. */
  async function attempt(
    shipment: Shipment<T>,
    admission: Admission,
    round: Round,
    signal: AbortSignal,
  ): Promise<Met | undefined> {
    const { request, parts } = shipment
    try {
      if (admission.hasWaited && (await stillToSend(parts, round, signal)).length < parts.length) return undefined
      const now = clock.now()
      for (const { parcel, place } of parts) parcel.tried(place, now)
      const { sent, result, judgement } = await exchange(request, signal)
      const health = healthOf(result, judgement)
      if (health) admission.record({ ...health, isRepeated: parts.every(({ parcel }) => parcel.wasTried) })
      const attempts = Math.max(...parts.map(({ parcel, place }) => parcel.attemptsOf(place)))
      return { sent, result, judgement, attempts, round }
    } finally {
      admission.release()
    }
  }

  /** Sends a request once, through the account where there is one. */
  async function exchange(request: DeliveryRequest, signal: AbortSignal): Promise<Exchange> {
    // Tokens go where the settings lead, and nowhere else.
    const authorized = request.withheld === undefined ? await account?.authorize(request, signal) : undefined
    if (authorized?.ok === false) {
      const { result } = authorized
      const judgement = judge(result, clock.now(), request)
      return {
        sent: request,
        result,
        judgement: { ...judgement, cause: `Its account gave no tokens. ${judgement.cause}` },
      }
    }
    const sent = authorized?.request ?? request
    const result = await transport.send(sent, { signal, timeMs })
    const judgement = judge(result, clock.now(), request, respond)
    if (authorized === undefined || !isTokenRefused(judgement)) return { sent, result, judgement }
    account?.refuse(authorized.tokens)
    return { sent, result, judgement: { ...judgement, outcome: 'refresh' } }
  }

  /** Waits before the next attempt, unless nobody waits any more. */
  async function pause(milliseconds: number, signals: readonly (AbortSignal | undefined)[]): Promise<void> {
    const waiting = new AbortController()
    const wake = (): void => waiting.abort()
    if (signals.some((each) => each?.aborted)) return
    const unwatch = signals.map((each) => each && onAbort(each, wake))
    await clock.sleep(milliseconds, waiting.signal)
    for (const each of unwatch) each?.()
  }

  /** A destination that answers, if only to refuse, works. Of a request that never reached it nothing is learnt. */
  function healthOf(
    { kind }: TransportResult,
    { outcome, retryAfterMs }: Judgement,
  ): { readonly works: boolean; readonly pauseMs?: number } | undefined {
    if (kind !== 'reply' && outcome === 'aborted') return undefined
    if (outcome === 'throttled') {
      const pauseMs = Math.max(retryAfterMs ?? 0, backoffMs(1, retry, random))
      return { works: false, pauseMs: Math.min(pauseMs, deferring ? retryAfterMsMax : retry.capMs) }
    }
    return { works: outcome !== 'retry' }
  }

  /** What may be sent now; the reasons of the others are written down. */
  async function stillToSend(parts: readonly Part<T>[], round: Round, signal: AbortSignal) {
    const open = parts.filter(({ parcel }) => !parcel.isOver)
    const reasons = await options.reasonsToDrop?.(
      open.map(({ parcel }) => parcel.item),
      signal,
    )
    return open.filter(({ parcel }, i) => {
      const reason = reasons?.[i]
      const { userKey, history } = parcel.item
      if (reason !== undefined) parcel.dropped(reason)
      else if (round.held.has(userKey)) parcel.deferred()
      else if (history === undefined && deferring?.isHeld(userKey)) hold(parcel, round)
      return !parcel.isOver
    })
  }

  /** Takes in what an attempt came to. @returns the parts to be tried again. */
  function settle(parts: readonly Part<T>[], met: Met): readonly Part<T>[] {
    const { judgement } = met
    const { items } = judgement
    if (!items && judgement.outcome === 'aborted' && new Set(parts.map(({ parcel }) => parcel)).size > 1) return parts
    return parts.filter((part, i) => {
      const { outcome, status, message } = items?.[i] ?? { ...judgement, message: undefined }
      if (outcome === 'delivered') part.parcel.delivered(part.place, status ?? 200)
      else if (outcome === 'aborted' || outcome === 'refresh')
        part.parcel.failed(part.place, failureOf('deliver.refused', part, met, message))
      else return true
      return false
    })
  }

  function failureOf(
    code: 'deliver.refused' | 'deliver.unavailable',
    { parcel, request }: Part<T>,
    { sent, result, judgement }: Met,
    cause?: string,
  ) {
    // The request of the part: that of its shipment holds the events of others.
    return failure({ code, request, sent, result, judgement, attempts: parcel.attempts, ...(cause ? { cause } : {}) })
  }

  /** Defers an event that was tried in vain, or gives its request up when its time is over. */
  function putOff(part: Part<T>, met: Met): void {
    const error = failureOf('deliver.unavailable', part, met)
    if (!deferring || isOverdue(part.parcel)) part.parcel.failed(part.place, error)
    else hold(part.parcel, met.round, met.judgement.retryAfterMs, error)
  }

  function hold(parcel: Parcel<T>, round: Round, retryAfterMs?: number, cause?: StageError): void {
    parcel.deferred(retryAfterMs, cause)
    round.held.add(parcel.item.userKey)
  }

  function holdAll(parts: readonly Part<T>[], round: Round): void {
    for (const { parcel } of parts) if (!parcel.isOver) hold(parcel, round)
  }

  function isOverdue({ firstTriedAt, attempts }: Parcel<T>): boolean {
    if (!deferring || firstTriedAt === undefined) return false
    return attempts >= deferring.attemptsMin && clock.now() - firstTriedAt >= deferring.windowMs
  }

  /** Until when the events of a shipment may wait for a destination that takes nothing. */
  function waitUntil(parts: readonly Part<T>[]): number {
    const { failingSince } = breaker
    if (!deferring || failingSince === undefined) return Number.POSITIVE_INFINITY
    const starts = parts.map(({ parcel }) => {
      return parcel.firstTriedAt ?? Math.max(failingSince, parcel.item.receivedAt ?? failingSince)
    })
    return Math.max(...starts) + deferring.windowMs
  }

  /** Nothing was taken for as long as an event may wait: those behind need not be tried one by one. */
  function outwaited(parts: readonly Part<T>[], round: Round): void {
    for (const part of parts) {
      const result: TransportResult = {
        kind: 'network',
        code: 'ECIRCUITOPEN',
        message: outwaitedText(breaker.failingSince),
      }
      const judgement: Judgement = { outcome: 'retry', cause: result.message }
      const met = { sent: part.request, result, judgement, attempts: 0, round }
      part.parcel.failed(part.place, failureOf('deliver.unavailable', part, met))
    }
  }

  return {
    name: 'deliver',
    mutatesInput: false,
    async run(batch, signal) {
      const parcels = batch.map((item) => new Parcel(item))
      const parts: Part<T>[] = []
      for (const parcel of parcels)
        for (const [place, request] of parcel.remaining()) parts.push({ parcel, place, request })
      const drain = deferring?.drain
      // All requests under way listen to these; Node would take more than ten for a leak.
      setMaxListeners(0, signal, ...(drain ? [drain] : []))
      const round: Round = { held: new Set(), ...(drain ? { drain } : {}) }
      const lanes = new Set<Promise<void>>()
      for (const shipment of packParts(parts, definition, settings)) {
        const users = usersOf(shipment)
        const earlier: Promise<void>[] = []
        for (const user of users) {
          const lane = lastOf.get(user)
          // What breaks here ends this round; what broke in another is told there.
          if (lane) earlier.push(lanes.has(lane) ? lane : lane.catch(() => {}))
        }
        const send = (): Promise<void> => pool.add(() => ship(shipment, round, signal))
        const lane = earlier.length === 0 ? send() : Promise.all(earlier).then(send)
        lanes.add(lane)
        for (const user of users) lastOf.set(user, lane)
      }
      const ended = await Promise.allSettled(lanes)
      for (const [user, lane] of lastOf) if (lanes.has(lane)) lastOf.delete(user)
      signal.throwIfAborted()
      // Only now, so that nothing of this batch is still being sent when the caller learns of it.
      for (const end of ended) if (end.status === 'rejected') throw end.reason
      return parcels.map((parcel) => parcel.outcome())
    },
  }
}

/** Tokens may have expired before their time, or been taken back. */
function isTokenRefused({ outcome, status }: Judgement): boolean {
  return outcome === 'refresh' || (outcome === 'aborted' && status === 401)
}

function usersOf<T extends DeliverableEvent>({ parts }: Shipment<T>): readonly string[] {
  const users = parts.map(({ parcel }) => parcel.item.userKey)
  return users.length === 1 ? users : [...new Set(users)]
}

/** What the events of one call of `run` share. */
interface Round {
  /** Users of whom an event was deferred in this round. */
  readonly held: Set<string>
  readonly drain?: AbortSignal
}

/** A request that was sent, and what came of it. */
interface Exchange {
  /** With what opens the account: not to be told. */
  readonly sent: DeliveryRequest
  readonly result: TransportResult
  readonly judgement: Judgement
}

/** An attempt and what came of it. */
interface Met extends Exchange {
  /** In this round. */
  readonly attempts: number
  readonly round: Round
}

function outwaitedText(failingSince = 0): string {
  return `It has taken nothing since ${new Date(failingSince).toISOString()}.`
}

function requireAtLeastOne(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(value >= 1)) throw new RangeError(`${name} is ${value}; it must be 1 or more.`)
  }
}
