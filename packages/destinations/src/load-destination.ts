import { loadableDestinations } from './generated/loadable-destinations.ts'
import type { DestinationDefinition } from './kit/define/define-destination.ts'

export type { LoadableDestination } from './loadable-destination.ts'
export { loadableDestinations }

/**
 * Loads the built-in destination of a type, and no other. @param type in any case: `webhook` and `WEBHOOK` are the same.
 * @returns undefined when there is no such type.
 */
export async function loadDestination(type: string): Promise<DestinationDefinition | undefined> {
  const name = type.toUpperCase()
  return loadableDestinations.find((each) => each.type === name)?.load()
}
