import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { carriedSettings } from './carried-settings.ts'
import { gatesForAllSources } from './gates-for-all-sources.ts'
import { isDeviceMode } from './is-device-mode.ts'

/** What exports of RudderStack have, `workspaceConfig.json` as well as answers of its API, without what is deleted. */
interface RudderExport {
  readonly sources: readonly JsonObject[]
  readonly destinations: readonly ExportedDestination[]
  readonly connections: readonly ExportedConnection[]
}

export interface ExportedDestination {
  readonly id: string
  /** As it is first in the export. */
  readonly record: JsonObject
  /** Its settings, with gates that hold for all its sources. */
  readonly settings: JsonObject
  /** Gates that differ between its sources in a way that settings cannot express. `settings` is without them. */
  readonly differing: readonly string[]
  /** What works differently here, in words. */
  readonly changes: readonly string[]
}

export interface ExportedConnection {
  readonly source: JsonValue | undefined
  readonly destination: string
  /** Why nothing is delivered through it; absent when something is. */
  readonly closed?: 'disabled' | 'device mode' | 'own settings'
}

/** Reads exports together. A destination that is in several places is taken from the first. */
export function readExport(files: readonly JsonObject[]): RudderExport {
  const all = (list: string): readonly JsonObject[] => files.flatMap((file) => objectsIn(file[list])).filter(isThere)
  const sources = all('sources')
  const nested = sources.flatMap((source) =>
    objectsIn(source['destinations'])
      .filter(isThere)
      .map((record) => ({ source, record })),
  )
  // The API shows a destination as it is for all sources, so that one is enough.
  const listed = all('destinations').map((record) => ({ record, sourceType: undefined }))
  const shown = nested.map(({ source, record }) => ({ record, sourceType: sourceTypeOf(source) }))
  const byId = new Map(
    [...byIdOf(shown), ...byIdOf(listed)].map(([id, found]): [string, ExportedDestination] => [
      id,
      exportedDestination(id, found),
    ]),
  )
  const typeOf = new Map(sources.map((source) => [source['id'], sourceTypeOf(source)]))
  const connections = new Map<string, ExportedConnection>()
  const connect = (source: JsonValue | undefined, destination: string, reason: ExportedConnection['closed']): void => {
    if (!typeOf.has(source) || !byId.has(destination)) return
    const key = JSON.stringify([source, destination])
    const isDevice = isDeviceMode(byId.get(destination)?.settings ?? {}, typeOf.get(source))
    const closed = connections.get(key)?.closed ?? reason ?? (isDevice ? 'device mode' : undefined)
    connections.set(key, { source, destination, closed })
  }
  for (const { source, record } of nested)
    connect(source['id'], String(record['id']), isOff({ ...record, enabled: true }) ? 'disabled' : undefined)
  for (const link of all('connections')) {
    const own = [link['config'], link['settings']].some((each) => Object.keys(Object(each)).length > 0)
    connect(
      link['sourceId'],
      String(link['destinationId']),
      isOff(link) ? 'disabled' : own ? 'own settings' : undefined,
    )
  }
  return { sources, destinations: [...byId.values()], connections: [...connections.values()] }
}

interface Shown {
  readonly record: JsonObject
  readonly sourceType: string | undefined
}

function byIdOf(all: readonly Shown[]): ReadonlyMap<string, readonly [Shown, ...Shown[]]> {
  const byId = new Map<string, [Shown, ...Shown[]]>()
  for (const each of all) {
    const id = String(each.record['id'])
    const found = byId.get(id)
    if (found) found.push(each)
    else byId.set(id, [each])
  }
  return byId
}

function exportedDestination(id: string, occurrences: readonly [Shown, ...Shown[]]): ExportedDestination {
  const [{ record }] = occurrences
  const { settings, changes } = carriedSettings(destinationTypeOf(record), settingsOf(record))
  const { gates, differing } = gatesForAllSources(
    occurrences.map((each) => ({ settings: settingsOf(each.record), sourceType: each.sourceType })),
  )
  const kept = Object.entries(settings).filter(([name]) => !differing.includes(name))
  return { id, record, settings: { ...Object.fromEntries(kept), ...gates }, differing, changes }
}

function settingsOf({ config }: JsonObject): JsonObject {
  return isJsonObject(config) ? config : {}
}

/** Whether a connection is switched off: in itself, or in a destination as a source shows it. */
function isOff({ enabled, isConnectionEnabled, isProcessorEnabled, processorEnabled }: JsonObject): boolean {
  return [enabled, isConnectionEnabled, isProcessorEnabled, processorEnabled].includes(false)
}

function isThere({ deleted }: JsonObject): boolean {
  return deleted !== true
}

/** Returns the objects of a list, or of an object by id. */
function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  const values: readonly (JsonValue | undefined)[] = Array.isArray(list) ? list : Object.values(Object(list))
  return values.filter(isJsonObject)
}

/** Returns the type of a destination, as RudderStack names it. */
export function destinationTypeOf({ destinationDefinition, type }: JsonObject): JsonValue | undefined {
  return isJsonObject(destinationDefinition) ? destinationDefinition['name'] : type
}

/** Returns the type of a source, such as `Javascript`. */
export function sourceTypeOf({ sourceDefinition, type }: JsonObject): string | undefined {
  const name = isJsonObject(sourceDefinition) ? sourceDefinition['name'] : type
  return typeof name === 'string' ? name : undefined
}
