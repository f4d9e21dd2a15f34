import type { Outcome } from './outcome.ts'

/** Called with the outcome of one input, given by its index. */
export type OutcomeListener<Out> = (index: number, outcome: Outcome<Out>) => void

/**
 * One step of the pipeline.
 *
 * `run` returns one outcome per input, in input order. Expected failures are `fail` outcomes. A throw means that the
 * stage itself is broken; it fails the whole batch, but only for the destination the stage runs for. The runner counts,
 * times and records provenance; stages do not. Source: packages/docs/architecture.md#stages.
 */
export interface Stage<In, Out = In> {
  readonly name: string
  /** True when `run` may change the items it is given; the runner then hands it copies. */
  readonly mutatesInput: boolean
  /**
   * @param signal aborts when the pipeline stops; a waiting stage must then stop waiting.
   * @param onOutcome a stage that waits for others may call it with the index of an input and its final outcome, as soon
   * as that is known, at most once per input: what is done is stored then, though its neighbours still wait. The outcome
   * is returned with all others as well.
   */
  run(batch: readonly In[], signal: AbortSignal, onOutcome?: OutcomeListener<Out>): Promise<readonly Outcome<Out>[]>
}
