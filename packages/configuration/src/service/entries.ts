import { type Destination, isJsonObject, type JsonObject, type JsonValue, type Source } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import {
  type DestinationDefinition,
  type DestinationRegistry,
  maskedText,
  maskSentSettings,
  maskSettings,
} from '@sluice/destinations/kit'
import type { ConfigurationRecord, RecordKind } from '../records/configuration-record.ts'
import type { EffectiveConfiguration } from '../records/effective-configuration.ts'
import {
  type Part,
  type PartKind,
  type PartValues,
  partKinds,
  partOf,
  type WorkspaceParts,
} from '../records/workspace-parts.ts'
import type { ConfigurationEntry } from './configuration.ts'

/** Shows parts of the configuration as entries. Each entry is made once, when it is first shown. */
export class Entries {
  readonly #destinations: DestinationRegistry
  readonly #shown = new WeakMap<Part<unknown>, ConfigurationEntry>()

  constructor(destinations: DestinationRegistry) {
    this.#destinations = destinations
  }

  find(
    configuration: EffectiveConfiguration,
    workspaceId: string,
    kind: RecordKind,
    id: string,
  ): ConfigurationEntry | undefined {
    const parts = configuration.workspaces.get(workspaceId)
    if (parts === undefined) return undefined
    if (kind === 'workspace') return id === workspaceId ? workspaceEntry(parts) : undefined
    if (!isPartKind(kind)) return undefined
    const part = partOf(parts, kind, id)
    return part ? this.#entry(parts, kind, part) : this.#leftOut(configuration, workspaceId, kind, id)[0]
  }

  /** Those of the file first, then stored ones in order of creation; those that are not in use last. */
  list(configuration: EffectiveConfiguration, workspaceId: string, kind: RecordKind): readonly ConfigurationEntry[] {
    const parts = configuration.workspaces.get(workspaceId)
    if (parts === undefined) return []
    if (kind === 'workspace') return [workspaceEntry(parts)]
    if (!isPartKind(kind)) return []
    const used = [...parts.parts[kind].values()].map((part) => this.#entry(parts, kind, part))
    return [...used, ...this.#leftOut(configuration, workspaceId, kind)]
  }

  #leftOut(
    { leftOut }: EffectiveConfiguration,
    workspaceId: string,
    kind: RecordKind,
    id?: string,
  ): readonly ConfigurationEntry[] {
    return [...leftOut.values()].flatMap(({ record, problems }) => {
      if (record.workspaceId !== workspaceId || record.kind !== kind || (id !== undefined && record.id !== id))
        return []
      const body = shownBody(record, this.#destinations)
      return [{ workspaceId, kind, id: record.id, ...storedMembers(record), body, problems }]
    })
  }

  #entry<Kind extends PartKind>(
    { id: workspaceId }: WorkspaceParts,
    kind: Kind,
    part: Part<PartValues[Kind]>,
  ): ConfigurationEntry {
    const known = this.#shown.get(part)
    if (known) return known
    const { id, record } = part
    const managed = record ? storedMembers(record) : { managedBy: 'file' as const }
    const body = bodies[kind](part, this.#destinations)
    const problems = part.unfinished ? { problems: part.unfinished } : {}
    const entry: ConfigurationEntry = { workspaceId, kind, id, ...managed, body, ...problems }
    this.#shown.set(part, entry)
    return entry
  }
}

function workspaceEntry({ id, name, record, workspace }: WorkspaceParts): ConfigurationEntry {
  const managed = record ? storedMembers(record) : { managedBy: 'file' as const }
  return {
    workspaceId: id,
    kind: 'workspace',
    id,
    ...managed,
    body: defined({ name, showSecrets: workspace.showSecrets ? true : undefined }),
  }
}

type Bodies = {
  readonly [Kind in PartKind]: (part: Part<PartValues[Kind]>, destinations: DestinationRegistry) => JsonObject
}

const bodies: Bodies = {
  source: ({ value }) => sourceBody(value),
  destination: ({ value, record }, destinations) =>
    record ? { name: value.name, ...shownBody(record, destinations) } : destinationBody(value, destinations),
  connection: ({ element }) => ({ ...element, enabled: element['enabled'] ?? true }),
  token: ({ value: { name, scopes } }) => ({ name, scopes: [...scopes] }),
  credential: () => ({}),
}

function sourceBody({ id: _, formerWriteKey, observe, trackingPlan, ...source }: Source): JsonObject {
  return json({
    ...source,
    formerWriteKey: formerWriteKey
      ? { ...formerWriteKey, validUntil: new Date(formerWriteKey.validUntil).toISOString() }
      : undefined,
    observe,
    trackingPlan,
  })
}

function destinationBody(
  { name, type, enabled, settings }: Destination,
  destinations: DestinationRegistry,
): JsonObject {
  const known = destinations.get(type)
  return { name, type, enabled, settings: known ? maskSettings(known, settings) : masked(settings) }
}

function shownBody({ kind, body }: ConfigurationRecord, destinations: DestinationRegistry): JsonObject {
  if (kind === 'credential') return {}
  if (kind === 'token') return { name: body['name'], scopes: body['scopes'] }
  if (kind !== 'destination') return { enabled: true, ...body }
  const settings = isJsonObject(body['settings']) ? body['settings'] : {}
  const known = destinations.get(String(body['type']))
  const shown = known ? { type: typeOf(known, body['type']), settings: maskSentSettings(known, settings) } : undefined
  return { enabled: true, ...body, ...(shown ?? { settings: masked(settings) }) }
}

/** Returns the name of a type in its usual case: its own, or the other one by which it was named. */
function typeOf({ type, otherTypes = [] }: DestinationDefinition, given: JsonValue | undefined): string {
  const name = String(given).toUpperCase()
  return otherTypes.includes(name) ? name : type
}

function masked(settings: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(settings).map((key): [string, JsonValue] => [key, maskedText]))
}

/** Shows a stored record that is no part of what runs, such as a property of tracking plans. */
export function recordEntry({ workspaceId, kind, id, body, ...record }: ConfigurationRecord): ConfigurationEntry {
  return { workspaceId, kind, id, ...storedMembers(record), body }
}

function storedMembers({
  revision,
  createdAt,
  updatedAt,
  externalId,
}: Pick<ConfigurationRecord, 'revision' | 'createdAt' | 'updatedAt' | 'externalId'>) {
  const members = { managedBy: 'api' as const, revision, createdAt, updatedAt }
  return externalId === undefined ? members : { ...members, externalId }
}

function isPartKind(kind: RecordKind): kind is PartKind {
  return partKinds.some((each) => each === kind)
}

/** These values come from JSON. */
function json(value: object): JsonObject {
  return value as JsonObject
}
