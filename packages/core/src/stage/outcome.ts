import type { StageError } from './stage-error.ts'

/** Result of a stage for one input. A plain value: stored, counted and compared. */
export type Outcome<T> =
  | { readonly kind: 'pass'; readonly items: readonly T[] }
  /** `stage`: the one that the drop is reported under, where it is not the one that ran. */
  | { readonly kind: 'drop'; readonly reason: string; readonly stage?: string }
  | { readonly kind: 'fail'; readonly error: StageError }

/** Passes the input to the next stage, as one or several items. */
export function pass<T>(...items: readonly [T, ...T[]]): Outcome<T> {
  return { kind: 'pass', items }
}

/**
 * Drops the input on purpose. `reason` is counted and shown, so use a short fixed text, never a value of the event.
 * @param stage the stage that this is reported under, for one that does the work of another. Default: the one that runs.
 */
export function drop(reason: string, stage?: string): Outcome<never> {
  return { kind: 'drop', reason, ...(stage === undefined ? {} : { stage }) }
}

/** Fails the input because of an error in the event or in processing it. */
export function fail(error: StageError): Outcome<never> {
  return { kind: 'fail', error }
}
