import { isJsonObject, type JsonObject } from '@sluice/core'
import { nearestName } from '@sluice/core/nearest-name'
import type { DestinationDefinition, DestinationRegistry } from '@sluice/destinations'
import { type Problem, unknownMember } from './problem.ts'

/** A member of settings that has no effect. */
interface UnknownSetting {
  readonly name: string
  /** The setting that was probably meant. */
  readonly nearest?: string
}

/** Returns the members of settings that a destination type does not have. They have no effect, and no harm. */
export function unknownSettings({ settings }: DestinationDefinition, given: JsonObject): readonly UnknownSetting[] {
  const known = Object.keys(settings.properties)
  const missing = known.filter((name) => !Object.hasOwn(given, name))
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const nearest = nearestName(name, missing)
      return { name, nearest }
    })
}

/** Settings of a definition that their destination types do not have. */
interface UnknownSettings {
  /** Of workspaces that must be right: they are refused. */
  readonly problems: readonly Problem[]
  /** Of workspaces with `lenient: true`. */
  readonly accepted: readonly Problem[]
}

/**
 * Returns the settings in a definition that have no effect, because the type of their destination does not have them. Of
 * unknown types, and where the form is wrong, it returns none. Shows no values.
 * @param definition `{workspaces: […]}`.
 */
export function unknownSettingsIn(definition: unknown, destinations: DestinationRegistry): UnknownSettings {
  const found = listOf(definition, 'workspaces').map((workspace, w) => ({
    isLenient: isJsonObject(workspace) && workspace['lenient'] === true,
    problems: listOf(workspace, 'destinations').flatMap((destination, d) =>
      isJsonObject(destination) ? problemsOf(destination, `workspaces[${w}].destinations[${d}]`, destinations) : [],
    ),
  }))
  return {
    problems: found.flatMap(({ isLenient, problems }) => (isLenient ? [] : problems)),
    accepted: found.flatMap(({ isLenient, problems }) => (isLenient ? problems : [])),
  }
}

function problemsOf(
  { type, settings }: JsonObject,
  path: string,
  destinations: DestinationRegistry,
): readonly Problem[] {
  if (typeof type !== 'string' || !isJsonObject(settings)) return []
  const definition = destinations.get(type)
  if (definition === undefined) return []
  return unknownSettings(definition, settings).map(({ name, nearest }) => ({
    path: `${path}.settings.${name}`,
    value: unknownMember,
    allowed: `${nearest === undefined ? '' : `${nearest} (similar), or `}one of ${Object.keys(definition.settings.properties).join(', ')}`,
  }))
}

function listOf(parent: unknown, list: string): readonly unknown[] {
  const value = isJsonObject(parent) ? parent[list] : undefined
  return Array.isArray(value) ? value : []
}
