import {
  builtInDestinations,
  createDestinationRegistry,
  type DestinationDefinition,
  type DestinationRegistry,
} from '@sluice/destinations'

/** The destination types of a running pipeline: those built in, and others that come and go with its workspaces. */
export interface KnownDestinations {
  /** Always the present ones, whoever holds it. */
  readonly registry: DestinationRegistry
  /** Runs `work` with other types beside the built-in ones; they stay when it succeeds, those before come back when it fails. */
  during(next: DestinationRegistry, work: () => Promise<void>): Promise<void>
}

/** The built-in types and `added` ones. @throws InvariantError when two have the same type. */
export function registryWith(added: readonly DestinationDefinition[]): DestinationRegistry {
  return createDestinationRegistry([...builtInDestinations, ...added])
}

export function createKnownDestinations(added: readonly DestinationDefinition[]): KnownDestinations {
  let present = registryWith(added)
  return {
    registry: { get: (type) => present.get(type), list: () => present.list() },
    async during(next, work) {
      const before = present
      present = next
      try {
        await work()
      } catch (error) {
        present = before
        throw error
      }
    },
  }
}
