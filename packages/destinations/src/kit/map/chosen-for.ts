import { specifiedName } from '../ecommerce/ecommerce-events.ts'

/** A pair of settings: the name of an event, and what it becomes. */
interface Pair {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Returns what an operator has chosen for an event, in the order of the settings. Names compare as `specifiedName` writes them. */
export function chosenFor(event: string, pairs: readonly Pair[]): readonly string[] {
  if (pairs.length === 0) return []
  const name = specifiedName(event)
  return pairs.flatMap(({ from, to }) => (to && from !== undefined && specifiedName(from) === name ? [to] : []))
}
