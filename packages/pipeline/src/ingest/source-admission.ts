import type { Clock, Workspace } from '@sluice/core'
import { type Routes, sourceKey } from '../ports/routes.ts'
import { type Refusal, refusal } from './ingest-call.ts'
import { type IngestSource, WriteKeys } from './write-keys.ts'

/** A source that may send, or why none may. */
export type AdmittedSource = { readonly ok: true; readonly source: IngestSource } | Refusal

/** Why a call waits for a process that knows the newest definition. */
export const olderDefinition =
  'this process has an older definition of workspaces than another one, and cannot decide on this call: give it the same file, and restart it or send SIGHUP'

interface SourceAdmissionParts {
  /** Decides until when former write keys are accepted. */
  readonly clock: Pick<Clock, 'now'>
  /** Where events go by the definition of another process, when that is newer. */
  readonly newerRoutes: () => Routes | undefined
}

/** Decides whether the source of a write key may send, and where its events go. */
export class SourceAdmission {
  readonly #newerRoutes: () => Routes | undefined
  readonly #writeKeys: WriteKeys

  constructor({ clock, newerRoutes }: SourceAdmissionParts) {
    this.#newerRoutes = newerRoutes
    this.#writeKeys = new WriteKeys([], clock)
  }

  /** Prepares the write keys of workspaces. @returns what puts them into use. @throws RangeError (write key used twice). */
  change(workspaces: readonly Workspace[]): () => void {
    return this.#writeKeys.change(workspaces)
  }

  /** Returns the source of a write key, also a disabled one. */
  find(writeKey: string): IngestSource | undefined {
    return this.#writeKeys.find(writeKey)
  }

  authenticate(writeKey: string): AdmittedSource {
    if (writeKey === '') return refusal('writeKeyMissing')
    return this.#admitted(this.find(writeKey))
  }

  /** Decides again about a source that was found before, by what it is now; by its write key when it was disabled or is gone. */
  admitAgain(sender: IngestSource | undefined, writeKey: string): AdmittedSource {
    const source = sender && this.#writeKeys.current(sender)
    return source?.enabled ? this.#admitted(source) : this.authenticate(writeKey)
  }

  /**
   * When another process has a newer definition, that one decides; what only that one knows is sent again, to a process that
   * has it.
   */
  #admitted(source: IngestSource | undefined): AdmittedSource {
    const newer = this.#newerRoutes()
    if (newer) {
      const destinationIds = source && newer.get(sourceKey(source.workspaceId, source.sourceId))
      return source && destinationIds
        ? { ok: true, source: { ...source, destinationIds, enabled: true } }
        : refusal('unavailable', olderDefinition)
    }
    if (source === undefined) return refusal('writeKeyUnknown')
    return source.enabled ? { ok: true, source } : refusal('sourceDisabled')
  }
}
