import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type Problem, WorkspaceFileError } from './problem.ts'

/** Returns whether a parsed file looks like RudderStack's `workspaceConfig.json`: sources with nested destinations. */
export function isRudderConfig(file: unknown): file is JsonObject {
  return isJsonObject(file) && list(file['sources']).some((source) => isJsonObject(source) && 'destinations' in source)
}

/**
 * Converts RudderStack's `workspaceConfig.json` to a workspace file. Unused members are left out. A destination nested
 * under several sources becomes one destination, taken from its first occurrence, with several connections.
 *
 * @throws WorkspaceFileError when a destination has a transformation: the file does not contain its code, and
 * delivering without it could leak data that it removes.
 */
export function fromRudderConfig(file: JsonObject): JsonObject {
  const problems: Problem[] = []
  const destinations = new Map<JsonValue | undefined, JsonObject>()
  const connections: JsonObject[] = []
  const sources = list(file['sources']).filter(isJsonObject)
  sources.forEach((source, s) => {
    list(source['destinations'])
      .filter(isJsonObject)
      .forEach((destination, d) => {
        const path = `sources[${s}].destinations[${d}]`
        if (list(destination['transformations']).length > 0)
          problems.push({
            path: `${path}.transformations`,
            value: 'a list that is not empty',
            allowed:
              'an empty list; move the code into a workspace file of Sluice (destinations[].transformation.code)',
          })
        const { id } = destination
        if (!destinations.has(id)) destinations.set(id, toDestination(destination))
        connections.push({ source: source['id'], destination: id })
      })
  })
  if (problems.length > 0) throw new WorkspaceFileError(problems)
  const id = sources.map((source) => source['workspaceId']).find((each) => typeof each === 'string')
  const workspace = {
    id: file['workspaceId'] ?? id ?? 'default',
    sources: sources.map(({ id, name, writeKey, enabled }) => defined({ id, name, writeKey, enabled })),
    destinations: [...destinations.values()],
    connections,
  }
  return { workspaces: [workspace] }
}

function toDestination(destination: JsonObject): JsonObject {
  const { id, name, enabled, config, destinationDefinition } = destination
  const type = isJsonObject(destinationDefinition) ? destinationDefinition['name'] : undefined
  return defined({ id, name, enabled, type, settings: config })
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

function list(value: unknown): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}
