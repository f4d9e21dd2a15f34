import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue, type Workspace } from '@sluice/core'
import { type DestinationRegistry, maskedText, maskSettings } from '@sluice/destinations/kit'
import { type ConfigurationRecord, keyText, type RecordKey, type RecordKind } from '../records/configuration-record.ts'
import { pairOf } from '../records/merge-records.ts'
import type { ResolvedConfiguration } from '../records/resolve-records.ts'
import type { ConfigurationEntry } from './configuration.ts'

/** The entries of a workspace, by kind and id. */
export type WorkspaceEntries = ReadonlyMap<RecordKind, ReadonlyMap<string, ConfigurationEntry>>

/**
 * Returns everything of a workspace as it may be shown, stored records that are not in use included.
 * @param resolved without problems.
 */
export function entriesOf(
  workspaceId: string,
  resolved: ResolvedConfiguration,
  records: readonly ConfigurationRecord[],
  destinations: DestinationRegistry,
): WorkspaceEntries {
  const index = resolved.workspaces.findIndex(({ id }) => id === workspaceId)
  const workspace = resolved.workspaces[index]
  const definition = workspacesOf(resolved.definition)[index]
  const entries = new Map<RecordKind, Map<string, ConfigurationEntry>>()
  if (workspace === undefined || definition === undefined) return entries
  const byKey = new Map(records.map((record) => [keyText(record), record]))
  const add = (kind: RecordKind, path: string, ownId: string, body: JsonObject): void => {
    const key = resolved.keyAt(path)
    const id = key?.id ?? ownId
    const ofKind = entries.get(kind) ?? new Map<string, ConfigurationEntry>()
    entries.set(kind, ofKind)
    ofKind.set(id, {
      workspaceId,
      kind,
      id,
      ...(key ? storedMembers(byKey.get(keyText(key))) : { managedBy: 'file' }),
      body,
    })
  }
  const path = `workspaces[${index}]`
  add('workspace', `${path}.name`, workspaceId, { name: workspace.name })
  for (const [kind, list] of listed(workspace, definition, destinations))
    for (const [at, { id, body }] of list.entries()) add(kind, `${path}.${listOf[kind]}[${at}]`, id, body)
  for (const name of Object.keys(isJsonObject(definition['credentials']) ? definition['credentials'] : {}))
    add('credential', `${path}.credentials.${name}`, name, {})
  for (const record of records) {
    const problems = resolved.leftOut.get(keyText(record))
    if (problems === undefined || record.workspaceId !== workspaceId) continue
    const ofKind = entries.get(record.kind) ?? new Map<string, ConfigurationEntry>()
    entries.set(record.kind, ofKind)
    ofKind.set(record.id, {
      ...keyOf(record),
      ...storedMembers(record),
      body: shownBody(record, destinations),
      problems,
    })
  }
  return entries
}

const listOf = {
  source: 'sources',
  destination: 'destinations',
  connection: 'connections',
  token: 'accessTokens',
} as const satisfies Partial<Record<RecordKind, string>>

type Listed = readonly { readonly id: string; readonly body: JsonObject }[]

/** Returns the elements of each list of a workspace, in the order in which the definition has them. */
function listed(
  workspace: Workspace,
  definition: JsonObject,
  destinations: DestinationRegistry,
): readonly (readonly [keyof typeof listOf, Listed])[] {
  const sources = workspace.sources.map(({ id, formerWriteKey, observe, trackingPlan, ...source }) => ({
    id,
    body: json({
      ...source,
      ...(formerWriteKey
        ? { formerWriteKey: { ...formerWriteKey, validUntil: new Date(formerWriteKey.validUntil).toISOString() } }
        : {}),
      ...(observe ? { observe } : {}),
      ...(trackingPlan ? { trackingPlan } : {}),
    }),
  }))
  const shown = workspace.destinations.map(({ id, name, type, enabled, settings }) => {
    const known = destinations.get(type)
    return { id, body: { name, type, enabled, settings: known ? maskSettings(known, settings) : masked(settings) } }
  })
  const connections = elements(definition, 'connections').map((connection) => ({
    id: connectionId(connection),
    body: { ...connection, enabled: connection['enabled'] ?? true },
  }))
  const tokens = workspace.accessTokens.map(({ name, scopes }) => ({ id: name, body: json({ name, scopes }) }))
  return [
    ['source', sources],
    ['destination', shown],
    ['connection', connections],
    ['token', tokens],
  ]
}

/** Returns an id for a connection of a file, which has none: the same for the same ends. */
export function connectionId(connection: JsonObject): string {
  return createHash('sha256').update(pairOf(connection)).digest('base64url').slice(0, 27)
}

function shownBody({ kind, body }: ConfigurationRecord, destinations: DestinationRegistry): JsonObject {
  if (kind === 'credential') return {}
  if (kind === 'token') return { name: body['name'], scopes: body['scopes'] }
  if (kind !== 'destination') return { enabled: true, ...body }
  const settings = isJsonObject(body['settings']) ? body['settings'] : {}
  const known = destinations.get(String(body['type']))
  return { enabled: true, ...body, settings: known ? maskSettings(known, settings) : masked(settings) }
}

function masked(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(settings).map((key) => [key, maskedText]))
}

function storedMembers(record: ConfigurationRecord | undefined) {
  if (record === undefined) return { managedBy: 'api' as const }
  const { revision, createdAt, updatedAt, externalId } = record
  return {
    managedBy: 'api' as const,
    revision,
    createdAt,
    updatedAt,
    ...(externalId === undefined ? {} : { externalId }),
  }
}

function keyOf({ workspaceId, kind, id }: RecordKey): RecordKey {
  return { workspaceId, kind, id }
}

/** Returns the workspaces of a definition in the form of a workspace file. */
export function workspacesOf(definition: unknown): readonly JsonObject[] {
  const workspaces = isJsonObject(definition) ? definition['workspaces'] : undefined
  return Array.isArray(workspaces) ? workspaces.filter(isJsonObject) : []
}

/** Returns the elements of a list of a workspace. */
export function elements(workspace: JsonObject, list: string): readonly JsonObject[] {
  const value: JsonValue | undefined = workspace[list]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

/** These values come from JSON. */
function json(value: object): JsonObject {
  return value as JsonObject
}
