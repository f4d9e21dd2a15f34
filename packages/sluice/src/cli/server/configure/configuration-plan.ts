import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { maskedText } from '@sluice/destinations/kit'
import { CliError } from '../../cli-error.ts'
import type { ServerFlags } from '../ask-server.ts'
import {
  type ConfigurationPart,
  change,
  type PartChange,
  type PartKind,
  partKey,
  partName,
} from './configuration-part.ts'
import type { FilePart, FileWorkspace } from './file-parts.ts'
import { type MemberChange, memberChanges } from './member-changes.ts'

/** One part that is created, changed or deleted. */
export interface PlannedPart {
  /** `replace`: a destination gets another type. */
  readonly action: 'create' | 'update' | 'replace' | 'delete'
  readonly kind: PartKind
  readonly name: string
  readonly members: readonly MemberChange[]
  readonly change: PartChange
}

export interface ConfigurationPlan {
  readonly parts: readonly PlannedPart[]
  readonly unchanged: number
  /** What the workspace file of the server defines, which the API cannot change. */
  readonly managedByFile: readonly string[]
  /** What only the server has, without `prune`. */
  readonly onlyOnServer: readonly string[]
}

export interface PlanOptions {
  /** Whether to delete what only the server has. */
  readonly prune: boolean
  readonly force: boolean
}

/**
 * Compares a workspace of a file with a server. The server checks all changes together, says how each part would look,
 * and whether it would differ: so defaults and secrets are compared without being sent.
 */
export async function planConfiguration(
  flags: ServerFlags,
  file: FileWorkspace,
  server: readonly ConfigurationPart[],
  { prune, force }: PlanOptions,
): Promise<ConfigurationPlan> {
  const keyOf = (part: ConfigurationPart): string => partKey({ kind: part.kind, name: partName(part) })
  const present = new Map(server.map((part) => [keyOf(part), part]))
  const wanted = file.parts.map((part) => ({ part, before: present.get(partKey(part)) }))
  const named = new Set([...file.parts.map(partKey), ...file.kept])
  const ours = wanted.filter(({ before }) => before?.managedBy !== 'file')
  const others = server.filter((part) => isPrunable(part) && part.managedBy === 'api' && !named.has(keyOf(part)))
  const deleted = prune ? inDeletionOrder(others).map(plannedDeletion) : []
  const puts = ours.map(({ part, before }) => changeTo(part, before))
  const answered = await change(flags, [...deleted.map((each) => each.change), ...puts], { validate: true, force })
  const after = new Map(answered.map((part) => [keyOf(part), part]))
  const changed = ours.flatMap(({ part, before }, i): readonly PlannedPart[] => {
    const next = after.get(partKey(part))
    const { kind, name } = part
    const request = puts[i]
    if (request === undefined || (before && next?.revision === before.revision)) return []
    const members = memberChanges(before?.body ?? {}, next?.body ?? part.body, secretPaths(part))
    const action = before === undefined ? 'create' : before.body['type'] === next?.body['type'] ? 'update' : 'replace'
    return [
      {
        action: kind === 'destination' || before === undefined ? action : 'update',
        kind,
        name,
        members,
        change: request,
      },
    ]
  })
  const parts = await withSecretChanges(flags, changed, wanted)
  return {
    parts: [...deleted, ...parts],
    unchanged: ours.length - changed.length,
    managedByFile: wanted.flatMap(({ part, before }) =>
      before?.managedBy === 'file' ? [`${part.kind} ${part.name}`] : [],
    ),
    onlyOnServer: prune ? [] : others.map((part) => `${part.kind} ${partName(part)}`),
  }
}

/** Access tokens are never pruned: the one in use is among them. */
function isPrunable({ kind }: ConfigurationPart): boolean {
  return kind !== 'workspace' && kind !== 'token'
}

/** Connections first: what they refer to cannot be deleted before. */
function inDeletionOrder(parts: readonly ConfigurationPart[]): readonly ConfigurationPart[] {
  return [...parts].sort((a, b) => Number(b.kind === 'connection') - Number(a.kind === 'connection'))
}

function plannedDeletion(part: ConfigurationPart): PlannedPart {
  const kind = part.kind as PartKind
  const condition = part.revision === undefined ? {} : { ifRevision: part.revision }
  return {
    action: 'delete',
    kind,
    name: partName(part),
    members: [],
    change: { action: 'delete', kind, id: part.id, ...condition },
  }
}

/** Members that the server keeps for itself. */
const ownMembers = new Set(['writeKey', 'formerWriteKey', 'token'])

function changeTo({ kind, id, name, body: given }: FilePart, before: ConfigurationPart | undefined): PartChange {
  const body = 'settings' in given ? { ...given, settings: kept(given['settings'], before?.body['settings']) } : given
  if (before === undefined && JSON.stringify(body).includes(maskedText))
    throw new CliError(`${kind} ${name}: a variable is not set, and the server has no value to keep`)
  if (before === undefined) return { action: 'create', kind, id, body }
  const gone = Object.keys(before.body).filter((member) => !(member in body) && !ownMembers.has(member))
  return {
    action: 'put',
    kind,
    id: before.id,
    ifRevision: before.revision,
    body: { ...body, ...Object.fromEntries(gone.map((member) => [member, null])) },
  }
}

/** Replaces what is to be kept by what the server shows there: its mask, or the value itself. */
function kept(given: JsonValue | undefined, shown: JsonValue | undefined): JsonValue {
  if (given === maskedText) return shown ?? maskedText
  if (Array.isArray(given))
    return given.map((item: JsonValue, i) => kept(item, Array.isArray(shown) ? shown[i] : undefined))
  if (!isJsonObject(given)) return given ?? null
  const members: JsonObject = isJsonObject(shown) ? shown : {}
  return Object.fromEntries(Object.entries(given).map(([key, member]) => [key, kept(member, members[key])]))
}

function secretPaths({ hidden }: FilePart): (path: string) => boolean {
  return (path) => path === 'writeKey' || path === 'token' || hidden.includes(path)
}

/**
 * Adds to changed parts which of their secrets change. A part that looks the same and would differ has a secret that
 * does; for a destination that looks different, a second check has its secrets alone.
 */
async function withSecretChanges(
  flags: ServerFlags,
  changed: readonly PlannedPart[],
  wanted: readonly { readonly part: FilePart; readonly before: ConfigurationPart | undefined }[],
): Promise<readonly PlannedPart[]> {
  const find = ({ kind, name }: PlannedPart) => wanted.find(({ part }) => part.kind === kind && part.name === name)
  const isUnclear = ({ kind, action, members }: PlannedPart): boolean =>
    kind === 'destination' && action === 'update' && members.length > 0
  const probes = changed.flatMap((each): readonly (PartChange & { readonly name: string })[] => {
    const found = find(each)
    if (!isUnclear(each) || found?.before === undefined) return []
    const shown = found.before.body['settings']
    const settings = secretsInto(shown, found.part.body['settings'])
    if (JSON.stringify(settings) === JSON.stringify(shown)) return []
    return [{ action: 'put', kind: each.kind, id: found.before.id, body: { settings }, name: each.name }]
  })
  const revisions = await revisionsAfter(flags, probes)
  return changed.map((each) => {
    const found = find(each)
    if (found?.before === undefined || each.action !== 'update') return each
    const revision = revisions.get(each.name)
    const isSecret = each.members.length === 0 || (revision !== undefined && revision !== found.before.revision)
    if (!isSecret) return each
    const paths = secretsIn(found.before.body['settings'], found.part.body['settings'], 'settings')
    const path = paths.length === 0 ? (found.part.kind === 'destination' ? 'settings' : 'value') : paths.join(' or ')
    return {
      ...each,
      members: [...each.members, { path: each.kind === 'token' ? 'token' : path, secret: true as const }],
    }
  })
}

/** @returns by name; empty when the server refuses, because that decides nothing about secrets. */
async function revisionsAfter(
  flags: ServerFlags,
  probes: readonly (PartChange & { readonly name: string })[],
): Promise<ReadonlyMap<string, number | undefined>> {
  if (probes.length === 0) return new Map()
  const changes = probes.map(({ name: _, ...probe }) => probe)
  const parts = await change(flags, changes, { validate: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return []
    throw error
  })
  return new Map(parts.map(({ id, revision }) => [id, revision]))
}

/** Returns shown settings with the secrets of other ones where they have masks. */
function secretsInto(shown: JsonValue | undefined, given: JsonValue | undefined): JsonValue {
  if (shown === maskedText) return given ?? maskedText
  if (Array.isArray(shown))
    return shown.map((item: JsonValue, i) => secretsInto(item, Array.isArray(given) ? given[i] : undefined))
  if (!isJsonObject(shown)) return shown ?? null
  const members: JsonObject = isJsonObject(given) ? given : {}
  return Object.fromEntries(Object.entries(shown).map(([key, member]) => [key, secretsInto(member, members[key])]))
}

/** Returns the paths of masks for which other settings have a secret. */
function secretsIn(shown: JsonValue | undefined, given: JsonValue | undefined, path: string): readonly string[] {
  if (shown === maskedText) return given === undefined || given === maskedText ? [] : [path]
  if (Array.isArray(shown) && Array.isArray(given))
    return shown.flatMap((item: JsonValue, i) => secretsIn(item, given[i], `${path}[${i}]`))
  if (!isJsonObject(shown) || !isJsonObject(given)) return []
  return Object.entries(shown).flatMap(([key, member]) => secretsIn(member, given[key], `${path}.${key}`))
}
