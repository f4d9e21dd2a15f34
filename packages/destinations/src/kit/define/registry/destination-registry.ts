import { InvariantError } from '@sluice/core'
import { nearestName } from '@sluice/core/nearest-name'
import type { DestinationDefinition } from '../define-destination.ts'
import {
  type DestinationFamily,
  type DestinationSource,
  isDestinationFamily,
  type LoadedDefinition,
} from './destination-family.ts'
import { type PublicDefinition, publicDefinition } from './public-definition.ts'

/** The destination types of a process. */
export interface DestinationRegistry {
  /**
   * Returns the definition of a type; undefined when there is none, or it cannot be loaded.
   *
   * @param type in any case: `webhook` and `WEBHOOK` are the same. Also one of the other names of a type.
   */
  get(type: string): DestinationDefinition | undefined
  /** Returns the family that a type belongs to; undefined for single definitions and unknown types. */
  familyOf(type: string): DestinationFamily | undefined
  /** Returns all definitions in the order in which they were given, without those of families. */
  list(): readonly DestinationDefinition[]
  /** Returns the names of all types: single definitions in the given order, then those of families. */
  types(): readonly string[]
  /** Describes which types are allowed in place of one that `get` does not return, or why it cannot be loaded. */
  allowedInsteadOf(type: string): string
  /** Returns the public descriptions of all types. Takes up to seconds at the first call when there are families. */
  describe(): Promise<readonly PublicDefinition[]>
}

/** Names that are listed in full. */
const listedMax = 60

/**
 * @throws InvariantError when two definitions have the same type, or two families the same prefix.
 * @example
 * ```ts
 * import { builtInDestinations, createDestinationRegistry } from '@sluice/destinations'
 *
 * const registry = createDestinationRegistry(builtInDestinations)
 * console.log(registry.get('WEBHOOK')?.type) // WEBHOOK
 * ```
 */
export function createDestinationRegistry(sources: readonly DestinationSource[]): DestinationRegistry {
  const byType = new Map<string, DestinationDefinition>()
  const byOtherName = new Map<string, DestinationDefinition>()
  const families = new Map<string, DestinationFamily>()
  for (const source of sources) {
    const isFamily = isDestinationFamily(source)
    const name = isFamily ? source.prefix.toLowerCase() : source.type.toUpperCase()
    if (isFamily ? families.has(name) : byType.has(name))
      throw new InvariantError(`Two destinations have the type ${name}; rename one.`)
    if (isFamily) families.set(name, source)
    else byType.set(name, source)
    if (!isFamily) for (const other of source.otherTypes ?? []) byOtherName.set(other, source)
  }
  const loaded = new Map<string, LoadedDefinition>()

  function familyOf(type: string): DestinationFamily | undefined {
    const name = type.toLowerCase()
    const family = families.get(name.slice(0, name.indexOf('/') + 1))
    return family?.types.includes(name) ? family : undefined
  }

  function fromFamily(type: string): LoadedDefinition | undefined {
    const name = type.toLowerCase()
    const family = familyOf(name)
    if (family === undefined) return undefined
    const known = loaded.get(name) ?? family.load(name)
    loaded.set(name, known)
    return known
  }
  const types = (): readonly string[] => [
    ...[...byType.values()].map(({ type }) => type),
    ...[...families.values()].flatMap((family) => family.types),
  ]
  let descriptions: Promise<readonly PublicDefinition[]> | undefined

  return {
    get(type) {
      const found = fromFamily(type)
      const name = type.toUpperCase()
      return found?.ok ? found.definition : (byType.get(name) ?? byOtherName.get(name))
    },
    familyOf,
    list: () => [...byType.values()],
    types,
    allowedInsteadOf(type) {
      const found = fromFamily(type)
      if (found?.ok === false) return found.problem
      const all = types()
      if (all.length <= listedMax) return `one of ${all.join(', ')}`
      const own = [...byType.values()].map((each) => each.type)
      const others = [...families.values()].map(
        ({ prefix, origin, types: names }) => `one of the ${names.length} types ${prefix}… of ${origin}`,
      )
      const similar = similarTypes(type, all)
      const hint = similar.length === 0 ? '' : `${similar.join(', ')} (similar), or `
      return `${hint}${[`one of ${own.join(', ')}`, ...others].join('; or ')}`
    },
    async describe() {
      descriptions ??= Promise.all([...families.values()].map((family) => family.describe())).then((all) => [
        ...[...byType.values()].map(publicDefinition),
        ...all.flat(),
      ])
      // A failure may be temporary: the next call tries again.
      descriptions.catch(() => {
        descriptions = undefined
      })
      return descriptions
    },
  }
}

/** Returns at most five types: the one with the nearest name, and those whose name contains the wanted one or is in it. */
function similarTypes(type: string, all: readonly string[]): readonly string[] {
  const bare = (name: string): string =>
    name
      .slice(name.indexOf('/') + 1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '')
  const wanted = bare(type)
  if (wanted.length < 3) return []
  const nearest = nearestName(type, all)
  const containing = all.filter((each) => bare(each).includes(wanted) || wanted.includes(bare(each)))
  return [...new Set([...(nearest === undefined ? [] : [nearest]), ...containing])].slice(0, 5)
}
