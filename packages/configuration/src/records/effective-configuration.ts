import { isJsonObject, type JsonObject, type JsonValue, type Workspace } from '@sluice/core'
import type { KnownParts } from '../definition/parse-context.ts'
import { unknownReference } from '../definition/parse-workspace.ts'
import { type ParsedWorkspaces, parseWorkspaces } from '../definition/parse-workspaces.ts'
import type { Problem } from '../definition/problems/problem.ts'
import { type ConfigurationRecord, keyText, type RecordKey } from './configuration-record.ts'
import { connectionId } from './connection-id.ts'
import { mergeRecords, pairOf } from './merge-records.ts'
import { type ParsedPart, parseRecords, type RecordContext, withinRecord } from './parse-records.ts'
import {
  definedKey,
  nameOfElement,
  type Part,
  type PartKind,
  type PartValues,
  partKinds,
  type WorkspaceParts,
  WorkspacePartsDraft,
} from './workspace-parts.ts'

/** A stored record that is not in use, and why. Paths are within the record. */
export interface LeftOut {
  readonly record: ConfigurationRecord
  readonly problems: readonly Problem[]
}

/** What a file and stored records define together. It does not change; `EffectiveDraft` makes another one. */
export interface EffectiveConfiguration {
  /** By id: those of the file in its order, then stored ones in order of creation. */
  readonly workspaces: ReadonlyMap<string, WorkspaceParts>
  /** By `keyText`. */
  readonly leftOut: ReadonlyMap<string, LeftOut>
  /** Who has a write key or token: `keyText` of the record, or the place in the file. */
  readonly owners: Owners
}

export const noConfiguration: EffectiveConfiguration = {
  workspaces: new Map(),
  leftOut: new Map(),
  owners: { ownerOf: () => undefined },
}

interface Owners {
  ownerOf(secret: string): string | undefined
}

const taken = 'a value no other entry has'

/**
 * Makes a configuration from another one. What it does costs what is added and removed, and one copy of the lists in which
 * something changes.
 */
export class EffectiveDraft {
  readonly #context: RecordContext
  readonly #before: EffectiveConfiguration
  readonly #drafts = new Map<string, WorkspacePartsDraft>()
  readonly #added = new Map<string, WorkspaceParts>()
  readonly #leftOut = new Map<string, LeftOut>()
  /** Undefined: no longer taken. */
  readonly #owners = new Map<string, string | undefined>()

  constructor(before: EffectiveConfiguration, context: RecordContext) {
    this.#before = before
    this.#context = context
  }

  /**
   * Adds what a file defines. To be called before anything stored is put.
   * @param known stored sources and destinations that its connections may name: see `unknownInFile`.
   */
  define(definition: unknown, known: (workspaceId: string) => KnownParts): ParsedWorkspaces {
    const { storedRefusal: _, ...context } = this.#context
    const parsed = parseWorkspaces(definition, { ...context, known })
    if (parsed.problems.length > 0) return parsed
    for (const [index, workspace] of parsed.workspaces.entries()) {
      const parts = definedParts(workspace, workspacesOf(definition)[index] ?? {})
      this.#added.set(workspace.id, parts)
      for (const source of parts.parts.source.values())
        for (const { secret } of writeKeysOf(source.value)) this.#owners.set(secret, 'file')
      for (const token of parts.parts.token.values()) this.#owners.set(tokenSecret(token.value.sha256), 'file')
    }
    return parsed
  }

  /** Frees what records that are to change, or to go, have for themselves, so that others may take it in the same change. */
  release(keys: readonly RecordKey[]): void {
    for (const { workspaceId, kind, id } of keys) {
      const parts = this.#parts(workspaceId)
      if (kind === 'source')
        for (const { secret } of writeKeysOf(parts?.parts.source.get(id)?.value)) this.#owners.set(secret, undefined)
      const token = kind === 'token' && parts?.parts.token.get(id)
      if (token) this.#owners.set(tokenSecret(token.value.sha256), undefined)
    }
  }

  /** Puts records of one workspace: its sources and destinations before connections that name them. */
  put(workspaceId: string, records: readonly ConfigurationRecord[]): void {
    const own = records.filter(({ kind, id }) => kind === 'workspace' && id === workspaceId)
    for (const record of own) this.#putWorkspace(record)
    const parts = this.#parts(workspaceId)
    if (parts === undefined) return
    const draft = this.#draft(parts)
    for (const record of records) if (record.kind === 'pause') draft.setPause(record.id, record)
    const usable = records.filter((record) => isPartKind(record.kind) && !isHidden(parts, record))
    if (usable.length === 0) return
    const known = { sources: knownIn(draft, 'source'), destinations: knownIn(draft, 'destination') }
    const hasOthers = this.#before.workspaces.size + this.#added.size > 1
    const parsed = parseRecords(parts, usable, { known, hasOthers }, this.#context)
    const problems = new Map<string, readonly Problem[]>(parsed.invalid)
    for (const one of parsed.parts) {
      const text = keyText({ workspaceId, kind: one.kind, id: one.part.id })
      const duplicates = this.#claim(one, text)
      if (duplicates.length > 0) problems.set(text, duplicates)
      else putPart(draft, one)
    }
    for (const record of usable) {
      const ofOne = problems.get(keyText(record))
      if (ofOne) this.#leftOut.set(keyText(record), { record, problems: ofOne })
    }
  }

  remove(keys: readonly RecordKey[]): void {
    for (const { workspaceId, kind, id } of keys) {
      const parts = this.#parts(workspaceId)
      if (parts === undefined) continue
      if (kind === 'pause') this.#draft(parts).setPause(id, undefined)
      else if (isPartKind(kind)) this.#draft(parts).remove(kind, id)
    }
  }

  /** Records that were put and cannot be used. */
  get invalid(): ReadonlyMap<string, LeftOut> {
    return this.#leftOut
  }

  /** Returns the connections that name one of some sources and destinations, which are gone. */
  connectionsOf(workspaceId: string, gone: readonly RecordKey[]): readonly Part<unknown>[] {
    const isNamed = (kind: 'source' | 'destination'): ReadonlySet<unknown> =>
      new Set(gone.flatMap((key) => (key.kind === kind && !this.#has(workspaceId, kind, key.id) ? key.id : [])))
    const [sources, destinations] = [isNamed('source'), isNamed('destination')]
    const parts = this.#parts(workspaceId)
    if (parts === undefined || sources.size + destinations.size === 0) return []
    return [...this.#draft(parts).map('connection').values()].filter(
      ({ element }) => sources.has(element['source']) || destinations.has(element['destination']),
    )
  }

  /** Returns what is wrong with connections of the file that name stored parts, once all of these are put. */
  unknownInFile(definition: unknown): readonly Problem[] {
    return workspacesOf(definition).flatMap((workspace, index) => {
      const parts = this.#parts(String(workspace['id']))
      if (parts === undefined) return []
      const draft = this.#draft(parts)
      return elements(workspace, 'connections').flatMap((connection, i) =>
        (['source', 'destination'] as const).flatMap((kind) => {
          const id = String(connection[kind])
          if (this.#has(parts.id, kind, id)) return []
          return unknownReference(id, `workspaces[${index}].connections[${i}].${kind}`, [knownIn(draft, kind)])
        }),
      )
    })
  }

  /** @returns the configuration, which is in effect once `settle` was called. */
  finish(): { readonly next: EffectiveConfiguration; settle(): void } {
    const workspaces = new Map(this.#before.workspaces)
    for (const [id, parts] of this.#added) workspaces.set(id, parts)
    for (const [id, draft] of this.#drafts) workspaces.set(id, draft.finish())
    const leftOut =
      this.#leftOut.size === 0 ? this.#before.leftOut : new Map([...this.#before.leftOut, ...this.#leftOut])
    const owners = this.#before.owners instanceof SettledOwners ? this.#before.owners : new SettledOwners()
    return { next: { workspaces, leftOut, owners }, settle: () => owners.settle(this.#owners) }
  }

  #putWorkspace(record: ConfigurationRecord): void {
    const { id } = record
    const known = this.#parts(id)
    if (known && known.record === undefined) return
    const merged = mergeRecords({ workspaces: [] }, [record])
    const { storedRefusal: _, ...context } = this.#context
    const parsed = parseWorkspaces(merged.definition, context)
    const [workspace] = parsed.workspaces
    if (parsed.problems.length > 0 || workspace === undefined) {
      const problems = parsed.problems.map((problem) => ({ ...problem, path: withinRecord(problem.path) }))
      this.#leftOut.set(keyText(record), { record, problems })
    } else if (known) this.#draft(known).describe(workspace, record)
    // Users who may write records must not decide whose code is trusted.
    else this.#added.set(id, { ...definedParts({ ...workspace, trustsCode: undefined }, {}), record })
  }

  #has(workspaceId: string, kind: 'source' | 'destination', id: string): boolean {
    const parts = this.#parts(workspaceId)
    const map = parts && this.#draft(parts).map(kind)
    return map !== undefined && (map.has(id) || map.has(definedKey(id)))
  }

  /** Takes the write keys or the token of a part for it. @returns a problem for each that another one has. */
  #claim({ kind, part }: ParsedPart, text: string): readonly Problem[] {
    const wanted =
      kind === 'source'
        ? writeKeysOf(part.value)
        : kind === 'token'
          ? [{ secret: tokenSecret(part.value.sha256), path: 'token' }]
          : []
    const own = new Set<string>()
    const duplicates = wanted.filter(({ secret }) => {
      const owner = this.#ownerOf(secret)
      const isTaken = own.has(secret) || (owner !== undefined && owner !== text)
      own.add(secret)
      return isTaken
    })
    if (duplicates.length === 0) for (const { secret } of wanted) this.#owners.set(secret, text)
    return duplicates.map(({ path }) => ({ path, value: '(hidden)', allowed: taken }))
  }

  #ownerOf(secret: string): string | undefined {
    return this.#owners.has(secret) ? this.#owners.get(secret) : this.#before.owners.ownerOf(secret)
  }

  #parts(workspaceId: string): WorkspaceParts | undefined {
    return this.#added.get(workspaceId) ?? this.#before.workspaces.get(workspaceId)
  }

  #draft(parts: WorkspaceParts): WorkspacePartsDraft {
    const known = this.#drafts.get(parts.id)
    if (known) return known
    const draft = new WorkspacePartsDraft(parts)
    this.#drafts.set(parts.id, draft)
    return draft
  }
}

class SettledOwners implements Owners {
  readonly #owners = new Map<string, string>()

  ownerOf(secret: string): string | undefined {
    return this.#owners.get(secret)
  }

  settle(changes: ReadonlyMap<string, string | undefined>): void {
    for (const [secret, owner] of changes)
      if (owner === undefined) this.#owners.delete(secret)
      else this.#owners.set(secret, owner)
  }
}

/** Returns the parts of a workspace that a file defines. */
function definedParts(workspace: Workspace, definition: JsonObject): WorkspaceParts {
  const of = <T>(list: string, values: readonly T[], idOf: (element: JsonObject, index: number) => string) =>
    keyed(elements(definition, list).map((element, i) => ({ id: idOf(element, i), element, value: values[i] as T })))
  const byPair = new Map(
    workspace.connections.map((each) => [pairOf({ source: each.sourceId, destination: each.destinationId }), each]),
  )
  const connections = elements(definition, 'connections').map((element) => ({
    id: connectionId(element),
    element,
    value: byPair.get(pairOf(element)),
  }))
  const credentials = Object.entries(workspace.credentials ?? {}).map(([id, value]) => ({ id, element: {}, value }))
  const parts = {
    source: of('sources', workspace.sources, ({ id }) => String(id)),
    destination: of('destinations', workspace.destinations, ({ id }) => String(id)),
    connection: keyed(connections),
    token: of('accessTokens', workspace.accessTokens, ({ name }) => String(name)),
    credential: keyed(credentials),
  }
  const namesOf = (kind: PartKind): ReadonlySet<string> =>
    new Set([...parts[kind].values()].map(({ element, id }) => nameOfElement(kind, element, id)))
  const { credentialVariables } = definition
  return {
    id: workspace.id,
    name: workspace.name,
    parts,
    defined: {
      source: namesOf('source'),
      destination: namesOf('destination'),
      connection: namesOf('connection'),
      token: namesOf('token'),
      credential: namesOf('credential'),
    },
    pauses: new Map(),
    workspace,
    credentialVariables: Array.isArray(credentialVariables) ? credentialVariables.map(String) : undefined,
  }
}

function keyed<T>(parts: readonly Part<T>[]): ReadonlyMap<string, Part<T>> {
  return new Map(parts.map((part) => [definedKey(part.id), part]))
}

function putPart(draft: WorkspacePartsDraft, { kind, part }: ParsedPart): void {
  draft.put<PartKind>(kind, part as Part<PartValues[PartKind]>)
}

function isPartKind(kind: string): kind is PartKind {
  return partKinds.some((each) => each === kind)
}

/** Whether the file has a part of the same name, which wins. */
function isHidden({ defined }: WorkspaceParts, { kind, id, body }: ConfigurationRecord): boolean {
  return isPartKind(kind) && defined[kind].has(nameOfElement(kind, body, id))
}

function writeKeysOf(source: PartValues['source'] | undefined): readonly { secret: string; path: string }[] {
  if (source === undefined) return []
  const former = source.formerWriteKey
  return [
    { secret: `key ${source.writeKey}`, path: 'writeKey' },
    ...(former ? [{ secret: `key ${former.writeKey}`, path: 'formerWriteKey.writeKey' }] : []),
  ]
}

function tokenSecret(sha256: string): string {
  return `token ${sha256}`
}

function knownIn(draft: WorkspacePartsDraft, kind: 'source' | 'destination') {
  const map = draft.map(kind)
  return {
    get size() {
      return map.size
    },
    has: (id: string) => map.has(id) || map.has(definedKey(id)),
    *keys() {
      for (const { id } of map.values()) yield id
    },
  }
}

/** Returns the workspaces of a definition in the form of a workspace file. */
export function workspacesOf(definition: unknown): readonly JsonObject[] {
  const workspaces = isJsonObject(definition) ? definition['workspaces'] : undefined
  return Array.isArray(workspaces) ? workspaces.filter(isJsonObject) : []
}

/** Returns the elements of a list of a workspace. */
function elements(workspace: JsonObject, list: string): readonly JsonObject[] {
  const value: JsonValue | undefined = workspace[list]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
