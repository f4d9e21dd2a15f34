import { InvariantError } from '@sluice/core'
import type { DestinationDefinition } from './define-destination.ts'

/** The destination types of a process. */
export interface DestinationRegistry {
  /** @param type in any case: `webhook` and `WEBHOOK` are the same. */
  get(type: string): DestinationDefinition | undefined
  /** Returns all definitions in the order in which they were given. */
  list(): readonly DestinationDefinition[]
}

/** @throws InvariantError when two definitions have the same type. */
export function createDestinationRegistry(definitions: readonly DestinationDefinition[]): DestinationRegistry {
  const byType = new Map<string, DestinationDefinition>()
  for (const definition of definitions) {
    const type = definition.type.toUpperCase()
    if (byType.has(type)) throw new InvariantError(`Two destinations have the type ${type}; rename one.`)
    byType.set(type, definition)
  }
  return {
    get: (type) => byType.get(type.toUpperCase()),
    list: () => [...byType.values()],
  }
}
