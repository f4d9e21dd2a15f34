import type { AccessToken, Connection, Destination, JsonObject, Source, Workspace } from '@sluice/core'
import type { Problem } from '../definition/problems/problem.ts'
import type { ConfigurationRecord } from './configuration-record.ts'
import { LayeredMap } from './layered-map.ts'
import { pairOf } from './merge-records.ts'

/** One part of a workspace that is in effect. */
export interface Part<T> {
  /** The id of the record; of what a file defines, its own id, name or `connectionId`. */
  readonly id: string
  /** Absent for what the workspace file defines. */
  readonly record?: ConfigurationRecord
  /** As the file or the record has it. */
  readonly element: JsonObject
  /** What it means. */
  readonly value: T
  /** Why a destination that is stored cannot work yet. Absent when it can. */
  readonly unfinished?: readonly Problem[]
}

/** What the parts of each kind mean. A connection that is disabled means nothing. */
export interface PartValues {
  source: Source
  destination: Destination
  connection: Connection | undefined
  token: AccessToken
  credential: string
}

export type PartKind = keyof PartValues

export const partKinds: readonly PartKind[] = ['source', 'destination', 'connection', 'token', 'credential']

type PartMaps = { readonly [Kind in PartKind]: ReadonlyMap<string, Part<PartValues[Kind]>> }
type MutablePartMaps = { [Kind in PartKind]: LayeredMap<Part<PartValues[Kind]>> }

/** The parts of one workspace by kind and id, what the file defines first, stored ones in order of creation. */
export interface WorkspaceParts {
  readonly id: string
  readonly name: string
  /** The record of a workspace that the file does not define. */
  readonly record?: ConfigurationRecord
  /** Names of variables that stored credentials may name: see `WorkspaceSchema`. */
  readonly credentialVariables?: readonly string[]
  readonly parts: PartMaps
  /** The names that the file gives to parts of each kind: see `nameOfElement`. */
  readonly defined: Readonly<Record<PartKind, ReadonlySet<string>>>
  /** Stored pauses by destination. */
  readonly pauses: ReadonlyMap<string, ConfigurationRecord>
  /** What runs. Lists stay the same objects where no part of the kind changed, as do their elements. */
  readonly workspace: Workspace
}

/** Keys of parts that a file defines: ids have no space, so that no record can have such a key. */
export function definedKey(id: string): string {
  return ` ${id}`
}

/** Returns the part with an id; what the file defines wins. */
export function partOf<Kind extends PartKind>(
  { parts }: WorkspaceParts,
  kind: Kind,
  id: string,
): Part<PartValues[Kind]> | undefined {
  return parts[kind].get(definedKey(id)) ?? parts[kind].get(id)
}

/** Returns the name by which the definition of a part hides stored ones. */
export function nameOfElement(kind: PartKind, element: JsonObject, id: string): string {
  if (kind === 'connection') return pairOf(element)
  return kind === 'token' ? String(element['name']) : id
}

/** Changes the parts of a workspace, at the cost of the changes: see `LayeredMap`. */
export class WorkspacePartsDraft {
  readonly #before: WorkspaceParts
  readonly #parts: Partial<MutablePartMaps> = {}
  /** Keys of the parts that were put. */
  readonly #put = new Map<PartKind, Set<string>>()
  /** Kinds that lost a part. */
  readonly #removed = new Set<PartKind>()
  #pauses: Map<string, ConfigurationRecord> | undefined
  #about: Pick<Workspace, 'name' | 'showSecrets'>
  #record: ConfigurationRecord | undefined

  constructor(before: WorkspaceParts) {
    this.#before = before
    this.#about = before.workspace
    this.#record = before.record
  }

  map<Kind extends PartKind>(kind: Kind): PartMaps[Kind] {
    return this.#parts[kind] ?? this.#before.parts[kind]
  }

  /** Changes what is set for the workspace as a whole. */
  describe(about: Pick<Workspace, 'name' | 'showSecrets'>, record: ConfigurationRecord): void {
    this.#about = about
    this.#record = record
  }

  put<Kind extends PartKind>(kind: Kind, part: Part<PartValues[Kind]>): void {
    const key = part.record ? part.id : definedKey(part.id)
    this.#set(kind, key, part)
    if (kind === 'destination') this.#pause(key, part.id)
  }

  remove(kind: PartKind, id: string): void {
    if (this.map(kind).has(id) && this.#own(kind).delete(id)) this.#removed.add(kind)
  }

  setPause(id: string, pause: ConfigurationRecord | undefined): void {
    this.#pauses ??= new Map(this.#before.pauses)
    if (pause) this.#pauses.set(id, pause)
    else this.#pauses.delete(id)
    const destinations = this.map('destination')
    for (const key of [definedKey(id), id]) if (destinations.has(key)) this.#pause(key, id)
  }

  /** Returns the workspace as it is now. */
  finish(): WorkspaceParts {
    const before = this.#before
    const parts = { ...before.parts, ...this.#parts } as PartMaps
    const workspace = toWorkspace(this.#about, parts, before, (kind) => this.#valuesOf(kind))
    const record = this.#record
    return {
      ...before,
      name: this.#about.name,
      parts,
      pauses: this.#pauses ?? before.pauses,
      workspace,
      ...(record ? { record } : {}),
    }
  }

  #set<Kind extends PartKind>(kind: Kind, key: string, part: Part<PartValues[Kind]>): void {
    this.#own(kind).set(key, part)
    const put = this.#put.get(kind) ?? new Set()
    this.#put.set(kind, put.add(key))
  }

  /** Returns what the parts of a kind mean, in order. Where few were put, it begins with the list from before. */
  #valuesOf<Kind extends ListedKind>(kind: Kind): readonly PartValues[Kind][] {
    const [parts, before] = [this.map(kind), this.#before.parts[kind]]
    const put = this.#put.get(kind) ?? new Set()
    if (this.#removed.has(kind) || put.size > listedAloneMax) return [...parts.values()].map(({ value }) => value)
    const values = [...(this.#before.workspace[listOf[kind]] as readonly PartValues[Kind][])]
    for (const key of put) {
      const [known, part] = [before.get(key), parts.get(key)]
      if (part) values.splice(known ? values.indexOf(known.value) : values.length, known ? 1 : 0, part.value)
    }
    return values
  }

  #own<Kind extends PartKind>(kind: Kind): LayeredMap<Part<PartValues[Kind]>> {
    const own = (this.#parts[kind] ?? new LayeredMap(this.#before.parts[kind])) as MutablePartMaps[Kind]
    this.#parts[kind] = own as MutablePartMaps[typeof kind]
    return own
  }

  /** Applies the pause that is stored for a destination, or the absence of one. */
  #pause(key: string, id: string): void {
    const part = this.map('destination').get(key)
    if (part === undefined) return
    const pause = (this.#pauses ?? this.#before.pauses).get(id)
    if (pause === undefined && part.value.pausedAt === undefined) return
    this.#set('destination', key, { ...part, value: withPause(part.value, pause) })
  }
}

/** Kinds whose parts are elements of a list of the workspace. */
type ListedKind = 'source' | 'destination' | 'token'
const listOf = { source: 'sources', destination: 'destinations', token: 'accessTokens' } as const
/** Parts that are put into a list one by one. */
const listedAloneMax = 100

function withPause(destination: Destination, pause: ConfigurationRecord | undefined): Destination {
  const { pausedAt: _, pausedBecause: __, ...running } = destination
  if (pause === undefined) return running
  const { reason } = pause.body
  const paused = { ...running, pausedAt: pause.createdAt }
  return typeof reason === 'string' ? { ...paused, pausedBecause: reason } : paused
}

function toWorkspace(
  { name, showSecrets = false }: Pick<Workspace, 'name' | 'showSecrets'>,
  parts: PartMaps,
  before: WorkspaceParts,
  valuesOf: <Kind extends ListedKind>(kind: Kind) => readonly PartValues[Kind][],
): Workspace {
  const isSame = (kind: PartKind): boolean => parts[kind] === before.parts[kind]
  const old = before.workspace
  const credentials = isSame('credential') ? old.credentials : credentialsOf(parts.credential)
  return {
    id: before.id,
    name,
    showSecrets: showSecrets || undefined,
    trustsCode: old.trustsCode,
    sources: isSame('source') ? old.sources : valuesOf('source'),
    destinations: isSame('destination') ? old.destinations : valuesOf('destination'),
    connections: isSame('connection') ? old.connections : connectionsOf(parts.connection),
    accessTokens: isSame('token') ? old.accessTokens : valuesOf('token'),
    credentials,
  }
}

function connectionsOf(parts: PartMaps['connection']): readonly Connection[] {
  return [...parts.values()].flatMap(({ value }) => value ?? [])
}

function credentialsOf(parts: ReadonlyMap<string, Part<string>>): Readonly<Record<string, string>> | undefined {
  if (parts.size === 0) return undefined
  return Object.fromEntries([...parts.values()].map(({ id, value }) => [id, value]))
}
