import type { StageError } from './stage-error.ts'

/** Result of a stage for one input. A plain value: stored, counted and compared. */
export type Outcome<T> =
  | { readonly kind: 'pass'; readonly items: readonly T[] }
  | { readonly kind: 'drop'; readonly reason: string }
  | { readonly kind: 'fail'; readonly error: StageError }

/** Passes the input to the next stage, as one or several items. */
export function pass<T>(...items: readonly [T, ...T[]]): Outcome<T> {
  return { kind: 'pass', items }
}

/** Drops the input on purpose. `reason` is counted and shown, so use a short fixed text, never a value of the event. */
export function drop(reason: string): Outcome<never> {
  return { kind: 'drop', reason }
}

/** Fails the input because of an error in the event or in processing it. */
export function fail(error: StageError): Outcome<never> {
  return { kind: 'fail', error }
}
