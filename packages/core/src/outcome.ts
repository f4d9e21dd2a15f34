import type { StageError } from './stage-error.ts'

/** What a stage made of one input. A plain value: stored, counted and compared. */
export type Outcome<T> =
  | { readonly kind: 'pass'; readonly items: readonly T[] }
  | { readonly kind: 'drop'; readonly reason: string }
  | { readonly kind: 'fail'; readonly error: StageError }

/** The input goes on, as one or several items. */
export function pass<T>(...items: readonly [T, ...T[]]): Outcome<T> {
  return { kind: 'pass', items }
}

/** The input ends here on purpose. `reason` is counted and shown, so it is a short fixed text: never a value of the event. */
export function drop(reason: string): Outcome<never> {
  return { kind: 'drop', reason }
}

/** The input ends here because something was wrong with it or with what it met. */
export function fail(error: StageError): Outcome<never> {
  return { kind: 'fail', error }
}
