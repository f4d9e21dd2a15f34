import {
  builtInDestinations,
  createDestinationRegistry,
  type DestinationRegistry,
  type DestinationSource,
} from '@sluice/destinations'

/** Destination types of a running pipeline: the built-in ones, and others that change with its workspaces. */
export interface KnownDestinations {
  /** Always has the current types, also for earlier holders. */
  readonly registry: DestinationRegistry
  /** Runs `work` with other additional types, and restores the previous ones when it fails. */
  during(next: DestinationRegistry, work: () => Promise<void>): Promise<void>
}

/** Returns the built-in and the added types. @throws InvariantError when two have the same name. */
export function registryWith(added: readonly DestinationSource[]): DestinationRegistry {
  return createDestinationRegistry([...builtInDestinations, ...added])
}

export function createKnownDestinations(added: readonly DestinationSource[]): KnownDestinations {
  let present = registryWith(added)
  return {
    registry: {
      get: (type) => present.get(type),
      familyOf: (type) => present.familyOf(type),
      list: () => present.list(),
      types: () => present.types(),
      allowedInsteadOf: (type) => present.allowedInsteadOf(type),
      describe: () => present.describe(),
    },
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
