import { createHash } from 'node:crypto'
import type { Clock, OnInvalid, Source, Workspace } from '@sluice/core'
import { type ChangedPart, changedPart } from '@sluice/core/changed-part'
import { connectedIn, sourceKey } from '../ports/routes.ts'

/** The source behind a write key, and where its events go. */
export interface IngestSource {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  readonly enabled: boolean
  readonly onInvalid?: OnInvalid | undefined
  readonly destinationIds: readonly string[]
}

type WrittenWorkspace = Pick<Workspace, 'id' | 'sources' | 'connections'>

interface KeyEntry {
  readonly source: IngestSource
  readonly validUntil?: number
}

/** What one source adds. */
interface Added {
  readonly source: IngestSource
  /** By the hash of its present key, and of the former one where it has one. */
  readonly entries: readonly (readonly [string, KeyEntry])[]
}

/** Finds sources by write key. Keys are looked up by their hash, so that timing reveals nothing about them. */
export class WriteKeys {
  readonly #byDigest = new Map<string, KeyEntry>()
  readonly #byId = new Map<string, IngestSource>()
  readonly #added = new Map<Source, Added>()
  #workspaces: ReadonlyMap<string, WrittenWorkspace> = new Map()
  readonly #clock: Pick<Clock, 'now'>

  /**
   * @param clock decides until when former write keys are accepted.
   * @throws RangeError when two sources share a write key.
   */
  constructor(workspaces: readonly WrittenWorkspace[], clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    this.change(workspaces)()
  }

  /**
   * Checks other workspaces. It costs what changes: sources and connections that are the same objects cost next to nothing.
   * @returns a function that puts them in the place of the present ones.
   * @throws RangeError when two sources share a write key; then nothing changes.
   */
  change(workspaces: readonly WrittenWorkspace[]): () => void {
    const next = new Map(workspaces.map((workspace) => [workspace.id, workspace]))
    const removed = new Set<Source>()
    const fresh: (readonly [Source, Added])[] = []
    for (const { id, sources } of this.#workspaces.values())
      if (!next.has(id)) for (const source of sources) removed.add(source)
    for (const workspace of workspaces) {
      const sources = this.#changedSources(workspace)
      for (const source of sources.removed) removed.add(source)
      const ids = new Set(sources.added.map(({ id }) => id))
      const connections = ids.size === 0 ? [] : workspace.connections.filter(({ sourceId }) => ids.has(sourceId))
      const connected = connectedIn({ connections })
      for (const source of sources.added)
        fresh.push([source, addedOf(workspace.id, source, [...(connected.get(source.id) ?? [])])])
    }
    this.#requireUnique(fresh, removed)
    return () => {
      for (const source of removed) this.#remove(source)
      for (const [source, added] of fresh) this.#add(source, added)
      this.#workspaces = next
    }
  }

  /** Returns the sources that are gone or have other destinations, and those that come, or come again. */
  #changedSources({ id: workspaceId, sources, connections }: WrittenWorkspace): ChangedPart<Source> {
    const before = this.#workspaces.get(workspaceId)
    const { removed, added } = changedPart(before?.sources ?? [], sources)
    const changed = changedPart(before?.connections ?? [], connections)
    const ids = new Set([...changed.removed, ...changed.added].map(({ sourceId }) => sourceId))
    // A source that only moved in the list comes again, with what it has.
    const gone = new Set(removed)
    const come = new Set(added)
    if (ids.size > 0)
      for (const source of sources)
        if (ids.has(source.id) && !come.has(source)) {
          gone.add(source)
          come.add(source)
        }
    return { removed: [...gone], added: [...come] }
  }

  #requireUnique(fresh: readonly (readonly [Source, Added])[], removed: ReadonlySet<Source>): void {
    const freed = new Set<string>()
    for (const source of removed) for (const [digest] of this.#added.get(source)?.entries ?? []) freed.add(digest)
    const seen = new Set<string>()
    for (const [, { source, entries }] of fresh)
      for (const [digest] of entries) {
        if (seen.has(digest) || (this.#byDigest.has(digest) && !freed.has(digest)))
          throw new RangeError(
            `source ${source.sourceId} of workspace ${source.workspaceId} has the write key of another source`,
          )
        seen.add(digest)
      }
  }

  #add(source: Source, added: Added): void {
    for (const [digest, entry] of added.entries) this.#byDigest.set(digest, entry)
    this.#byId.set(sourceKey(added.source.workspaceId, added.source.sourceId), added.source)
    this.#added.set(source, added)
  }

  #remove(source: Source): void {
    const added = this.#added.get(source)
    if (added === undefined) return
    for (const [digest] of added.entries) this.#byDigest.delete(digest)
    this.#byId.delete(sourceKey(added.source.workspaceId, added.source.sourceId))
    this.#added.delete(source)
  }

  /** Returns the source of a write key; its events are those of the present key, also when they come with the former one. */
  find(writeKey: string): IngestSource | undefined {
    const { source, validUntil = Number.POSITIVE_INFINITY } = this.#byDigest.get(digestOf(writeKey)) ?? {}
    return this.#clock.now() < validUntil ? source : undefined
  }

  /**
   * Returns what a source that was found earlier is now: its destinations may have changed since. Undefined when the
   * source is gone or has another write key.
   */
  current(source: IngestSource): IngestSource | undefined {
    const current = this.#byId.get(sourceKey(source.workspaceId, source.sourceId))
    return current?.writeKey === source.writeKey ? current : undefined
  }
}

function addedOf(
  workspaceId: string,
  { id: sourceId, writeKey, formerWriteKey, enabled, onInvalid }: Source,
  destinationIds: readonly string[],
): Added {
  const source = { workspaceId, sourceId, writeKey, enabled, destinationIds, onInvalid }
  const present: readonly [string, KeyEntry] = [digestOf(writeKey), { source }]
  if (formerWriteKey === undefined) return { source, entries: [present] }
  const { writeKey: former, validUntil } = formerWriteKey
  return { source, entries: [present, [digestOf(former), { source, validUntil }]] }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
