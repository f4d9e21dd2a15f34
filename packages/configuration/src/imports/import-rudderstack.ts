import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type DestinationDefinition,
  type DestinationRegistry,
  gateNames,
  parseSettings,
  unreadableGate,
} from '@sluice/destinations/kit'
import { shown } from '../definition/problems/problem.ts'
import { unknownSettings } from '../definition/problems/unknown-settings.ts'
import {
  destinationTypeOf,
  type ExportedConnection,
  type ExportedDestination,
  readExport,
  sourceTypeOf,
} from '../rudder-export/read-export.ts'
import { trackingPlanLink } from '../rudder-export/tracking-plan-link.ts'
import type { ImportedWorkspace, ImportNote } from './imported-workspace.ts'
import { isSet, leftOutSettings, unreachable } from './left-out-settings.ts'

/**
 * Converts exports of RudderStack: `workspaceConfig.json`, and answers of its API with the lists `sources`,
 * `destinations` and `connections`. What keeps events from a destination, or changes them, is carried over; where it
 * cannot be, the destination, the source or the connection is disabled, and a note says why.
 */
export function importRudderStack(files: readonly JsonValue[], destinations: DestinationRegistry): ImportedWorkspace {
  const notes: ImportNote[] = []
  const objects = files.flat().filter(isJsonObject)
  const exported = readExport(objects)
  const sources = exported.sources.filter((source) => isEventStream(source, notes))
  const sourceIds = new Set(sources.map(({ id }) => id))
  const linked = exported.connections.filter(({ source }) => sourceIds.has(source))
  const deviceOnly = deviceOnlyIn(linked)
  const converted = exported.destinations.flatMap(
    (destination) => toDestination(destination, deviceOnly.has(destination.id), destinations, notes) ?? [],
  )
  const kept = new Set(converted.map((destination) => destination.id))
  const names = new Map([...sources, ...converted].map((each) => [String(each['id']), nameOf(each)]))
  const connections = linked
    .filter(({ destination }) => kept.has(destination))
    .map(({ source, destination, closed }) => {
      const isClosed = closed !== undefined && !deviceOnly.has(destination)
      const text = isClosed ? closedTexts[closed] : undefined
      const name = `${names.get(String(source))} → ${names.get(destination)}`
      if (text !== undefined) notes.push({ outcome: 'disabled', kind: 'connection', name, text })
      return defined({ source, destination, enabled: isClosed ? false : undefined })
    })
  for (const library of objects.flatMap((file) => objectsIn(file, 'libraries')))
    notes.push({
      outcome: 'left out',
      kind: 'library',
      name: nameOf(library),
      text: 'the export has no code of libraries; write it into a file and name it under libraries',
    })
  for (const plan of objects.flatMap((file) => [
    ...objectsIn(file, 'trackingPlans'),
    ...objectsIn(file, 'tracking-plans'),
  ]))
    notes.push({ outcome: 'left out', kind: 'tracking plan', name: nameOf(plan), text: planText })
  const id = [...objects, ...sources].map((each) => each['workspaceId']).find((each) => typeof each === 'string')
  return {
    workspace: {
      id: id ?? 'default',
      sources: sources.map((source) => toSource(source, notes)),
      destinations: converted,
      connections,
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
  const { id, name, writeKey, enabled } = source
  const plan = trackingPlanLink(source)
  if (plan)
    notes.push({ outcome: 'left out', kind: 'tracking plan', name: `of source ${nameOf(source)}`, text: planText })
  if (plan?.drops)
    notes.push({
      outcome: 'disabled',
      kind: 'source',
      name: nameOf(source),
      text: 'its tracking plan drops events or parts of them, and the export has no rules; add them, then enable it',
    })
  return defined({
    id,
    name,
    type: sourceTypeOf(source),
    writeKey,
    enabled: plan?.drops || enabled === false ? false : undefined,
  })
}

function toDestination(
  { id, record, settings, differing, changes }: ExportedDestination,
  isDeviceOnly: boolean,
  destinations: DestinationRegistry,
  notes: ImportNote[],
): (JsonObject & { readonly id: string }) | undefined {
  const { name, enabled, config } = record
  const type = destinationTypeOf(record)
  const note = (outcome: ImportNote['outcome'], text: string): void => {
    notes.push({ outcome, kind: 'destination', name: nameOf(record), text })
  }
  const definition = destinations.get(String(type))
  if (definition === undefined) {
    note('left out', `Sluice has no destination type ${String(type)}; sluice destination-types list shows what it has`)
    return undefined
  }
  const unknown = unknownSettings(definition, settings).map((each) => each.name)
  const unreadable = gateNames.filter((gate) => unreadableGate({ [gate]: settings[gate] }) !== undefined)
  const stops = [
    ...(isDeviceOnly ? ['device mode only: SDKs send to it themselves. Enable it to send from Sluice instead'] : []),
    ...(config === undefined || isJsonObject(config)
      ? []
      : [`its settings are ${shown(config)}, not an object; write them, then enable it`]),
    ...(definition.load ? unreachable(settings) : []),
    ...unreadable.map((gate) => `${gate} is ${shown(settings[gate])}, a form that cannot be read; ${mend(gate)}`),
    ...differing.map((gate) => `${gate} differs between its sources; ${mend(gate)}`),
    ...unknown
      .filter((member) => guards.test(member) && isSet(settings[member]))
      .map((member) => `${member} may keep events or data from it, and ${definition.type} has no such setting here`),
    ...([record['transformations']].flat().some((each) => each !== undefined)
      ? ['it has a transformation whose code is not in the export; connect the code, then enable it']
      : []),
  ]
  const leftOut = [...unknown, ...unreadable]
  const kept = Object.fromEntries(Object.entries(settings).filter(([member]) => !leftOut.includes(member)))
  for (const text of [...changes, ...leftOutSettings(definition, unknown, settings), ...missing(definition, kept)])
    note('check', text)
  for (const text of stops) note('disabled', text)
  return {
    ...defined({
      id,
      name,
      type: definition.type,
      enabled: stops.length > 0 || enabled === false ? false : undefined,
      settings: kept,
    }),
    id,
  }
}

const mend = (gate: string): string => `write ${gate} into its settings, then enable it`

/** Names of settings that keep events or personal data from a destination. */
const guards = /consent|opt_?out|(black|white|deny|allow|block)_?list|pii/i

/** Returns what sluice check will say about settings that the export does not have, or has in another form. */
function missing(definition: DestinationDefinition, settings: JsonObject): readonly string[] {
  const parsed = parseSettings(definition, settings)
  if (parsed.ok) return []
  return [`write into its settings: ${parsed.problems.map(({ path, allowed }) => `${path} (${allowed})`).join(', ')}`]
}

const closedTexts: Readonly<Record<NonNullable<ExportedConnection['closed']>, string | undefined>> = {
  // So it was in the export.
  disabled: undefined,
  'device mode': 'device mode: SDKs of this kind send themselves. Enable it to send from Sluice instead',
  'own settings': 'it has settings of its own, which may keep events out; write what they do, then enable it',
}

/** Returns the destinations that nothing but SDKs sends to: they are disabled as a whole. */
function deviceOnlyIn(connections: readonly ExportedConnection[]): ReadonlySet<string> {
  const sentTo = new Set(connections.flatMap((each) => (each.closed === 'device mode' ? [] : [each.destination])))
  return new Set(connections.flatMap(({ destination }) => (sentTo.has(destination) ? [] : [destination])))
}

function nameOf({ id, name, importName, versionId }: JsonObject): string {
  return String(name ?? importName ?? id ?? versionId ?? 'without a name')
}

function objectsIn(file: JsonObject, list: string): readonly JsonObject[] {
  const value = file[list]
  return Array.isArray(value) ? value.filter(isJsonObject).filter(({ deleted }) => deleted !== true) : []
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
