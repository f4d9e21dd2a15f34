import type { StageError } from './stage-error.ts'

/** Result of a stage for one input. A plain value: stored, counted and compared. */
export type Outcome<T> =
  | { readonly kind: 'pass'; readonly items: readonly T[] }
  /** `stage`: the one that the drop is reported under, where it is not the one that ran. */
  | { readonly kind: 'drop'; readonly reason: string; readonly stage?: string }
  | { readonly kind: 'fail'; readonly error: StageError }

/**
 * Passes the input to the next stage, as one or several items.
 * @example
 * ```ts
 * import { type Event, pass, type Stage } from '@sluice/core'
 *
 * const twice: Stage<Event> = { name: 'twice', run: async (batch) => batch.map((event) => pass(event, event)) }
 * console.log((await twice.run([{ type: 'page' }], new AbortController().signal))[0]?.kind) // pass
 * ```
 */
export function pass<T>(...items: readonly [T, ...T[]]): Outcome<T> {
  return { kind: 'pass', items }
}

/**
 * Drops the input on purpose. `reason` is counted and shown, so use a short fixed text, never a value of the event.
 * @param stage the stage that this is reported under, for one that does the work of another. Default: the one that runs.
 * @example
 * ```ts
 * import { drop } from '@sluice/core'
 *
 * const outcome = drop('bots are left out')
 * console.log(outcome.kind) // drop
 * ```
 */
export function drop(reason: string, stage?: string): Outcome<never> {
  return { kind: 'drop', reason, stage }
}

/**
 * Fails the input because of an error in the event or in processing it.
 * @example
 * ```ts
 * import { fail } from '@sluice/core'
 *
 * const outcome = fail({ code: 'stage.broken', message: 'the service does not answer' })
 * console.log(outcome.kind) // fail
 * ```
 */
export function fail(error: StageError): Outcome<never> {
  return { kind: 'fail', error }
}
