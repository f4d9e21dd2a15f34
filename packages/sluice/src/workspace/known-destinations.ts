import {
  builtInDestinations,
  createDestinationRegistry,
  type DestinationDefinition,
  type DestinationRegistry,
  type DestinationSource,
} from '@sluice/destinations'
import { type WarehouseDestinationsOptions, warehouseDestinations } from '@sluice/warehouse'

/** Destination types of a running pipeline: the built-in ones, and others that change with its workspaces. */
export interface KnownDestinations {
  /** Always has the current types, also for earlier holders. */
  readonly registry: DestinationRegistry
  /** Returns the built-in and the added types. @throws InvariantError when two have the same name. */
  withAdded(added: readonly DestinationSource[]): DestinationRegistry
  /** Runs `work` with other additional types, and restores the previous ones when it fails. */
  during(next: DestinationRegistry, work: () => Promise<void>): Promise<void>
}

/** Returns the types that need no package of their own: destinations, and warehouses. */
export function nativeDestinations(warehouses?: WarehouseDestinationsOptions): readonly DestinationDefinition[] {
  return [...builtInDestinations, ...warehouseDestinations(warehouses)]
}

/** Returns the native and the added types. @throws InvariantError when two have the same name. */
export function registryWith(
  added: readonly DestinationSource[],
  warehouses?: WarehouseDestinationsOptions,
): DestinationRegistry {
  return createDestinationRegistry([...nativeDestinations(warehouses), ...added])
}

export function createKnownDestinations(
  added: readonly DestinationSource[],
  warehouses: WarehouseDestinationsOptions,
): KnownDestinations {
  let present = registryWith(added, warehouses)
  return {
    registry: {
      get: (type) => present.get(type),
      familyOf: (type) => present.familyOf(type),
      list: () => present.list(),
      types: () => present.types(),
      allowedInsteadOf: (type) => present.allowedInsteadOf(type),
      describe: () => present.describe(),
    },
    withAdded: (others) => registryWith(others, warehouses),
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
