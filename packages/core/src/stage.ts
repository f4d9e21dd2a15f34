import type { Outcome } from './outcome.ts'

/**
 * One step of the pipeline.
 *
 * `run` answers one outcome per input, in input order. Expected failures are `fail` outcomes; a throw means that the
 * stage itself is broken, and fails the whole batch it was given (contained to the destination it runs for).
 * The runner counts, times and keeps provenance; stages do not. Source: packages/docs/architecture.md#stages.
 */
export interface Stage<In, Out = In> {
  readonly name: string
  /** True when `run` may change the items it is given; the runner then hands it copies. */
  readonly mutatesInput: boolean
  /** @param signal aborts when the pipeline stops; a stage that waits ends its waits then. */
  run(batch: readonly In[], signal: AbortSignal): Promise<readonly Outcome<Out>[]>
}
