import { createHash } from 'node:crypto'
import type { Clock, Workspace } from '@sluice/core'

/** The source behind a write key, and where its events go. */
export interface IngestSource {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  readonly enabled: boolean
  readonly destinationIds: readonly string[]
}

/** Finds sources by write key. Keys are looked up by their hash, so that timing reveals nothing about them. */
export class WriteKeys {
  readonly #byDigest = new Map<string, { readonly source: IngestSource; readonly validUntil?: number }>()
  readonly #byId = new Map<string, IngestSource>()

  readonly #clock: Pick<Clock, 'now'>

  /**
   * @param clock decides until when former write keys are accepted.
   * @throws RangeError when two sources share a write key.
   */
  constructor(workspaces: readonly Workspace[], clock: Pick<Clock, 'now'>) {
    this.#clock = clock
    for (const { id: workspaceId, sources, connections } of workspaces) {
      const connected = new Map<string, Set<string>>()
      for (const { sourceId, destinationId } of connections) {
        const destinationIds = connected.get(sourceId)
        if (destinationIds) destinationIds.add(destinationId)
        else connected.set(sourceId, new Set([destinationId]))
      }
      for (const { id: sourceId, writeKey, formerWriteKey, enabled } of sources) {
        const source = {
          workspaceId,
          sourceId,
          writeKey,
          enabled,
          destinationIds: [...(connected.get(sourceId) ?? [])],
        }
        this.#add(writeKey, { source })
        if (formerWriteKey) this.#add(formerWriteKey.writeKey, { source, validUntil: formerWriteKey.validUntil })
        this.#byId.set(idOf(source), source)
      }
    }
  }

  #add(writeKey: string, entry: { readonly source: IngestSource; readonly validUntil?: number }): void {
    const digest = digestOf(writeKey)
    const { sourceId, workspaceId } = entry.source
    if (this.#byDigest.has(digest))
      throw new RangeError(`source ${sourceId} of workspace ${workspaceId} has the write key of another source`)
    this.#byDigest.set(digest, entry)
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
    const current = this.#byId.get(idOf(source))
    return current?.writeKey === source.writeKey ? current : undefined
  }
}

function idOf({ workspaceId, sourceId }: Pick<IngestSource, 'workspaceId' | 'sourceId'>): string {
  return JSON.stringify([workspaceId, sourceId])
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
