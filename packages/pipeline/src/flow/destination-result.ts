import {
  type Event,
  type EventOrigin,
  type Outcome,
  pass,
  type SourcedEvent,
  type StageError,
  unitedOrigins,
} from '@sluice/core'
import type { Deferral, Delivery, RunningAttempt } from '@sluice/delivery'
import { type Ending, stageOf } from './run-stage.ts'

/** What became of one event at one destination. */
export interface DestinationResult {
  /** Index of the event in its batch. */
  readonly index: number
  /**
   * `deferred` when some of its outputs are to be tried again later; else `failed` when any of them failed, `delivered`
   * when any of them was, `dropped` when nothing was left to send.
   */
  readonly outcome: 'delivered' | 'deferred' | 'dropped' | 'failed'
  /** The stage it ended in, or waits at. */
  readonly stage: string
  /** Requests that were delivered. */
  readonly outputs: number
  /** What decided the outcome. */
  readonly ending?: Ending['outcome']
  readonly deferrals: readonly Deferral[]
  /** Other events that what is deferred may have been made of. */
  readonly otherOrigins?: readonly EventOrigin[]
  /** Outputs of the user transformation that failed; empty when the event failed in it. */
  readonly failed: readonly FailedOutput[]
}

export interface FailedOutput {
  readonly event: Event
  /** See `SourcedEvent`. */
  readonly otherOrigins?: readonly EventOrigin[]
  readonly stage: string
  readonly error: StageError
}

/** Where and why an event, or an output of it, ended. */
type StageEnding = Pick<Ending, 'stage' | 'outcome'>

/** An output of the user transformation. */
type Output = Pick<SourcedEvent, 'event' | 'otherOrigins'>

/** Adds up what the stages of a destination make of one event. */
export class ResultBuilder {
  readonly #index: number
  readonly #failed: FailedOutput[] = []
  readonly #deferrals: Deferral[] = []
  #outputs = 0
  #otherOrigins: readonly EventOrigin[] | undefined
  #decisive: StageEnding | undefined

  constructor(index: number) {
    this.#index = index
  }

  /** @param output the output of the user transformation that was delivered or deferred. */
  delivered(delivery: Delivery, output?: Output): void {
    if (delivery.kind === 'deferred') {
      this.#deferrals.push(delivery)
      this.#otherOrigins = unitedOrigins(this.#otherOrigins, output?.otherOrigins)
    } else this.#outputs += delivery.requests ?? 1
  }

  /** An output is part of a load: it is one row or several. */
  collected(): void {
    this.#outputs += 1
  }

  /** @param output the output of the user transformation that ended; left out, the whole event ended. */
  ended(ending: StageEnding, output?: Output): void {
    const { stage, outcome } = ending
    // A failure outweighs a drop: of several outputs, it is the one that needs attention.
    if (this.#decisive === undefined || (this.#decisive.outcome.kind === 'drop' && outcome.kind === 'fail'))
      this.#decisive = ending
    if (outcome.kind !== 'fail') return
    this.#outputs += Number(outcome.error.detail?.['delivered'] ?? 0)
    if (output === undefined) return
    const { event, otherOrigins } = output
    this.#failed.push({ event, stage, error: outcome.error, otherOrigins })
  }

  /** @param lastStage where an event ends that nothing stopped. */
  build(lastStage: string): DestinationResult {
    const index = this.#index
    const outputs = this.#outputs
    const deferrals = this.#deferrals
    const failed = this.#failed
    const decisive = this.#decisive
    if (deferrals.length > 0) {
      const waiting = this.#otherOrigins ? { deferrals, otherOrigins: this.#otherOrigins } : { deferrals }
      return { index, outcome: 'deferred', stage: lastStage, outputs, ...waiting, failed }
    }
    if (decisive === undefined || (decisive.outcome.kind === 'drop' && outputs > 0))
      return { index, outcome: 'delivered', stage: lastStage, outputs, deferrals, failed }
    const { stage, outcome: ending } = decisive
    return { index, outcome: ending.kind === 'fail' ? 'failed' : 'dropped', stage, outputs, ending, deferrals, failed }
  }
}

/**
 * Waits for the attempts of an event that still ran when it was deferred. Returns what became of all that was deferred of
 * it, beside what was delivered before. @throws the reason when an attempt is aborted.
 */
export async function resultOfRest({ index, stage, deferrals }: DestinationResult): Promise<DestinationResult> {
  const builder = new ResultBuilder(index)
  const ended = await Promise.all(deferrals.map(restOf))
  for (const [place, outcome] of ended.entries()) {
    const { event } = deferrals[place] ?? {}
    const output = event && { event }
    if (outcome.kind === 'pass') for (const delivery of outcome.items) builder.delivered(delivery, output)
    else builder.ended({ stage: stageOf(stage, outcome), outcome }, output)
  }
  return builder.build(stage)
}

async function restOf(deferral: Deferral): Promise<Outcome<Delivery>> {
  return deferral.running?.ended ?? pass<Delivery>(deferral)
}

/** Returns the attempts of an event that still run. */
export function runningOf({ deferrals }: Pick<DestinationResult, 'deferrals'>): readonly RunningAttempt[] {
  return deferrals.flatMap(({ running }) => running ?? [])
}
