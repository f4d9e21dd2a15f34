import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { consentNames, gateNames, sourcePlatform } from '@sluice/destinations/gates'

/** The settings of a destination as one source of the export has them. */
interface Occurrence {
  readonly settings: JsonObject
  /** Type of the source; undefined when it is not known. */
  readonly sourceType: string | undefined
}

interface GatesForAllSources {
  readonly gates: JsonObject
  /** Gates that differ between sources, in a way that settings cannot express. */
  readonly differing: readonly string[]
}

/** Returns the gates of a destination that each source of an export shows as they are for its kind of source. */
export function gatesForAllSources(occurrences: readonly Occurrence[]): GatesForAllSources {
  const gates: Record<string, JsonValue> = {}
  const differing: string[] = []
  for (const name of gateNames) {
    const values = occurrences.map(({ settings }) => settings[name])
    const [first] = values
    const isSame = values.every((value) => isDeepStrictEqual(value, first))
    const value = isSame ? first : consentNames.includes(name) ? listsByPlatform(name, occurrences) : undefined
    if (value !== undefined) gates[name] = value
    else if (!isSame) differing.push(name)
  }
  return { gates, differing }
}

/** @returns undefined when a source is of no known kind, or two of the same kind differ. */
function listsByPlatform(name: string, occurrences: readonly Occurrence[]): JsonObject | undefined {
  const lists = new Map<string, JsonValue>()
  for (const { settings, sourceType } of occurrences) {
    const platform = sourcePlatform(sourceType)
    const list = settings[name] ?? []
    if (platform === undefined || isJsonObject(list)) return undefined
    const known = lists.get(platform)
    if (known !== undefined && !isDeepStrictEqual(known, list)) return undefined
    lists.set(platform, list)
  }
  return Object.fromEntries(lists)
}
