import type { Outcome } from './outcome.ts'

/**
 * One step of the pipeline.
 *
 * `run` returns one outcome per input, in input order, and changes nothing of what it is given: others may hold the same
 * objects. Expected failures are `fail` outcomes. A throw means that the stage itself is broken; it fails the whole batch,
 * but only for the destination the stage runs for. The runner counts, times and records provenance; stages do not.
 * Source: packages/docs/architecture.md#stages.
 */
export interface Stage<In, Out = In> {
  readonly name: string
  /** @param signal aborts when the pipeline stops; a waiting stage must then stop waiting. */
  run(batch: readonly In[], signal: AbortSignal): Promise<readonly Outcome<Out>[]>
}
