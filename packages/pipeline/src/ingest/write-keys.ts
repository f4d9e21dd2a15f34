import { createHash } from 'node:crypto'
import type { Workspace } from '@sluice/core'

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
  readonly #byDigest = new Map<string, IngestSource>()
  readonly #byId = new Map<string, IngestSource>()

  /** @throws RangeError when two sources share a write key. */
  constructor(workspaces: readonly Workspace[]) {
    for (const { id: workspaceId, sources, connections } of workspaces) {
      for (const { id: sourceId, writeKey, enabled } of sources) {
        const connected = connections.filter((connection) => connection.sourceId === sourceId)
        const destinationIds = [...new Set(connected.map(({ destinationId }) => destinationId))]
        const digest = digestOf(writeKey)
        if (this.#byDigest.has(digest))
          throw new RangeError(`source ${sourceId} of workspace ${workspaceId} has the write key of another source`)
        const source = { workspaceId, sourceId, writeKey, enabled, destinationIds }
        this.#byDigest.set(digest, source)
        this.#byId.set(idOf(source), source)
      }
    }
  }

  find(writeKey: string): IngestSource | undefined {
    return this.#byDigest.get(digestOf(writeKey))
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
