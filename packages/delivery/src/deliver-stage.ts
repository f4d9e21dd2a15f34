import { type Clock, drop, fail, InvariantError, type Outcome, pass, type Random, type Stage } from '@sluice/core'
import type { DeliveryRequest, MappedEvent } from '@sluice/destinations'
import PQueue from 'p-queue'
import { type Backoff, backoffMs } from './backoff.ts'
import { replyExcerpt } from './reply-excerpt.ts'
import { hostOf, type Transport, type TransportResult } from './transport.ts'
import { judge } from './verdict.ts'

export interface Retry extends Backoff {
  /** How often a request is sent at most, the first time included. */
  readonly attemptsMax: number
}

export interface DeliverOptions<T extends MappedEvent = MappedEvent> {
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /** Default: 3 attempts, waiting 200 ms and then twice that, never more than 5,000 ms. */
  readonly retry?: Retry
  /** Users with a request under way at the same time. Default 8. */
  readonly concurrency?: number
  /** For one attempt, from connecting to the end of the reply. Default 10,000. */
  readonly timeMs?: number
  /**
   * Asked right before every attempt, the first included: why the event must not be sent any more, undefined while it
   * may. What holds when a batch begins may not hold when the turn of an event comes, or after the wait for a retry.
   * When `signal` aborts it rejects. Without it everything is sent.
   */
  reasonToDrop?(event: T, signal: AbortSignal): Promise<string | undefined>
}

/** A request that the destination took. */
export interface Delivery {
  readonly status: number
  /** How often it was sent. */
  readonly attempts: number
}

/**
 * Sends the requests of one destination.
 *
 * Requests of one user (`userKey`) go one after the other, in batch order: the next one waits until the one before is
 * delivered or given up, retries included. A request that is given up does not hold its successors back. Users do not
 * wait for each other beyond `concurrency`. What `reasonToDrop` stops ends as dropped, its successors are asked about in
 * their turn. A call of `run` starts when the one before has ended, so that the order holds
 * across batches; callers hand over one batch at a time and need not rely on that.
 *
 * Delivery is at least once: an attempt that timed out may have arrived. When `signal` aborts, `run` stops waiting and
 * sending and rejects with its reason; the caller discards the batch and hands it over again later.
 *
 * @throws RangeError when an option is out of its range.
 */
export function createDeliverStage<T extends MappedEvent = MappedEvent>(
  options: DeliverOptions<T>,
): Stage<T, Delivery> {
  const { transport, clock, random, concurrency = 8, timeMs = 10_000 } = options
  const retry = options.retry ?? { attemptsMax: 3, baseMs: 200, capMs: 5_000 }
  requireAtLeastOne({ concurrency, timeMs, attemptsMax: retry.attemptsMax })
  const runs = new PQueue({ concurrency: 1 })
  const users = new PQueue({ concurrency })

  async function deliver(event: T, signal: AbortSignal): Promise<Outcome<Delivery>> {
    const { request } = event
    for (let attempts = 1; ; attempts += 1) {
      const reason = await options.reasonToDrop?.(event, signal)
      if (reason !== undefined) return drop(reason)
      signal.throwIfAborted()
      const result = await transport.send(request, { signal, timeMs })
      const verdict = judge(result, clock.now())
      if (verdict.kind === 'delivered') return pass({ status: verdict.status, attempts })
      if (verdict.kind === 'refused') return failed('deliver.refused', verdict.cause, request, result, attempts)
      if (attempts >= retry.attemptsMax) {
        return failed('deliver.unavailable', verdict.cause, request, result, attempts)
      }
      await clock.sleep(backoffMs(attempts, retry, random, verdict.retryAfterMs), signal)
    }
  }

  async function deliverBatch(batch: readonly T[], signal: AbortSignal): Promise<Outcome<Delivery>[]> {
    const outcomes = new Map<number, Outcome<Delivery>>()
    const ended = await Promise.allSettled(
      [...groupByUser(batch)].map((events) =>
        users.add(async () => {
          for (const [index, event] of events) outcomes.set(index, await deliver(event, signal))
        }),
      ),
    )
    signal.throwIfAborted()
    // Only now, so that nothing of this batch is still being sent when the caller learns of it.
    for (const end of ended) if (end.status === 'rejected') throw end.reason
    return batch.map((_, index) => outcomes.get(index) ?? neverDelivered(index))
  }

  return {
    name: 'deliver',
    mutatesInput: false,
    run: (batch, signal) => runs.add(() => deliverBatch(batch, signal)),
  }
}

function groupByUser<T extends MappedEvent>(
  batch: readonly T[],
): Iterable<readonly (readonly [index: number, event: T])[]> {
  const groups = new Map<string, (readonly [index: number, event: T])[]>()
  for (const [index, event] of batch.entries()) {
    const group = groups.get(event.userKey)
    if (group) group.push([index, event])
    else groups.set(event.userKey, [[index, event]])
  }
  return groups.values()
}

function failed(
  code: 'deliver.refused' | 'deliver.unavailable',
  cause: string,
  request: DeliveryRequest,
  result: TransportResult,
  attempts: number,
): Outcome<never> {
  const what = code === 'deliver.refused' ? 'refused the request' : `did not take the request in ${attempts} attempts`
  const detail =
    result.kind === 'reply'
      ? { status: result.status, attempts, reply: replyExcerpt(result.body, request) }
      : { cause: result.code, attempts }
  return fail({ code, message: `${hostOf(request)} ${what}. ${cause}`, detail })
}

function requireAtLeastOne(options: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(value >= 1)) throw new RangeError(`${name} is ${value}; it must be 1 or more.`)
  }
}

function neverDelivered(index: number): never {
  throw new InvariantError(`Request ${index} of a batch ended without an outcome.`)
}
