import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import { unknownSettings } from '../definition/unknown-settings.ts'
import type { ImportedWorkspace, ImportNote } from './imported-workspace.ts'

/**
 * Converts exports of RudderStack: `workspaceConfig.json`, and answers of its API with the lists `sources`,
 * `destinations` and `connections`. A destination whose transformation is not in the export is disabled, because
 * delivering without it could leak what it removes.
 */
export function importRudderStack(files: readonly JsonValue[], destinations: DestinationRegistry): ImportedWorkspace {
  const notes: ImportNote[] = []
  const objects = files.flat().filter(isJsonObject)
  const all = (list: string): readonly JsonObject[] => objects.flatMap((file) => objectsIn(file, list)).filter(isThere)
  const sources = all('sources').filter((source) => isEventStream(source, notes))
  const nested = sources.flatMap((source) =>
    objectsIn(source, 'destinations')
      .filter(isThere)
      .map((destination) => ({ destination, source })),
  )
  const byId = new Map<string, JsonObject>()
  for (const destination of [...all('destinations'), ...nested.map((each) => each.destination)])
    if (!byId.has(String(destination['id']))) byId.set(String(destination['id']), destination)
  const converted = [...byId.values()].flatMap((destination) => toDestination(destination, destinations, notes) ?? [])
  const kept = new Set(converted.map(({ id }) => id))
  const connections = [
    ...nested.map(({ source, destination }) => ({ source: source['id'], destination: destination['id'] })),
    ...all('connections').map(({ sourceId, destinationId, enabled }) =>
      defined({ source: sourceId, destination: destinationId, enabled: enabled === false ? false : undefined }),
    ),
  ].filter((each: JsonObject) => kept.has(String(each['destination'])))
  for (const library of all('libraries'))
    notes.push({
      outcome: 'left out',
      kind: 'library',
      name: nameOf(library),
      text: 'the export has no code of libraries; write it into a file and name it under libraries',
    })
  for (const plan of [...all('trackingPlans'), ...all('tracking-plans')])
    notes.push({ outcome: 'left out', kind: 'tracking plan', name: nameOf(plan), text: planText })
  const id = [...objects, ...sources].map((each) => each['workspaceId']).find((each) => typeof each === 'string')
  return {
    workspace: {
      id: id ?? 'default',
      sources: sources.map((source) => toSource(source, notes)),
      destinations: converted,
      connections: unique(connections),
    },
    notes,
  }
}

const planText =
  'the export has no rules; export it with rudder-cli and give sluice check, serve or apply the folder, or write trackingPlan of the source'

/** Categories of sources whose events RudderStack fetches itself. */
const fetched = new Set(['cloud', 'singer-protocol', 'warehouse'])

function isEventStream(source: JsonObject, notes: ImportNote[]): boolean {
  const { sourceDefinition } = source
  const category = isJsonObject(sourceDefinition) ? sourceDefinition['category'] : undefined
  const isFetched = typeof category === 'string' && fetched.has(category)
  if (isFetched)
    notes.push({
      outcome: 'left out',
      kind: 'source',
      name: nameOf(source),
      text: `its events are fetched (${category}); Sluice takes only events that are sent`,
    })
  return !isFetched
}

function toSource(source: JsonObject, notes: ImportNote[]): JsonObject {
  const { id, name, writeKey, enabled, type, sourceDefinition } = source
  const definition = isJsonObject(sourceDefinition) ? sourceDefinition['name'] : type
  const { trackingPlan, dgSourceTrackingPlanConfig: config } = source
  const plan = isJsonObject(config) ? config['trackingPlan'] : trackingPlan
  if (isJsonObject(plan) && Object.keys(plan).length > 0)
    notes.push({ outcome: 'left out', kind: 'tracking plan', name: `of source ${nameOf(source)}`, text: planText })
  return defined({
    id,
    name,
    type: typeof definition === 'string' ? definition : undefined,
    writeKey,
    enabled: enabled === false ? false : undefined,
  })
}

function toDestination(
  destination: JsonObject,
  destinations: DestinationRegistry,
  notes: ImportNote[],
): (JsonObject & { readonly id: string }) | undefined {
  const { id, name, config, enabled, destinationDefinition } = destination
  const type = isJsonObject(destinationDefinition) ? destinationDefinition['name'] : destination['type']
  const note = (outcome: ImportNote['outcome'], text: string): void => {
    notes.push({ outcome, kind: 'destination', name: nameOf(destination), text })
  }
  const definition = destinations.get(String(type))
  if (definition === undefined) {
    note('left out', `Sluice has no destination type ${String(type)}; sluice destination-types list shows what it has`)
    return undefined
  }
  const settings = isJsonObject(config) ? config : {}
  const unknown = unknownSettings(definition, settings).map((each) => each.name)
  const modes = modesOf(settings)
  const isDeviceOnly = modes.length > 0 && modes.every((mode) => mode === 'device')
  if (isDeviceOnly)
    note('disabled', 'device mode only: SDKs send to it themselves. Enable it to send from Sluice instead')
  else if (modes.includes('device'))
    note('check', 'device mode for some SDKs: those send to it themselves, and so does Sluice')
  const without = unknown.filter((member) => !modeMembers.includes(member))
  if (without.length > 0)
    note('check', `settings that ${definition.type} does not have here, left out: ${without.join(', ')}`)
  const hasCode = [destination['transformations']].flat().some((each) => each !== undefined)
  if (hasCode)
    note('disabled', 'it has a transformation whose code is not in the export; connect the code, then enable it')
  return {
    ...defined({
      id: String(id),
      name,
      type: definition.type,
      enabled: isDeviceOnly || hasCode || enabled === false ? false : undefined,
      settings: Object.fromEntries(Object.entries(settings).filter(([member]) => !unknown.includes(member))),
    }),
    id: String(id),
  }
}

const modeMembers = ['connectionMode', 'useNativeSDK', 'useNativeSDKToSend']

/** Returns the modes of a destination, one for each kind of source. */
function modesOf({ connectionMode, useNativeSDK }: JsonObject): readonly ('device' | 'cloud')[] {
  const modes = isJsonObject(connectionMode) ? Object.values(connectionMode) : []
  const native = isJsonObject(useNativeSDK) ? Object.values(useNativeSDK) : []
  if (modes.length > 0) return modes.map((mode) => (mode === 'device' ? 'device' : 'cloud'))
  return native.map((isNative) => (isNative === true ? 'device' : 'cloud'))
}

function unique(connections: readonly JsonObject[]): readonly JsonObject[] {
  const byPair = new Map(connections.map((each) => [JSON.stringify([each['source'], each['destination']]), each]))
  return [...byPair.values()]
}

function isThere({ deleted }: JsonObject): boolean {
  return deleted !== true
}

function nameOf({ id, name }: JsonObject): string {
  return String(name ?? id)
}

function objectsIn(file: JsonObject, list: string): readonly JsonObject[] {
  const value = file[list]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
