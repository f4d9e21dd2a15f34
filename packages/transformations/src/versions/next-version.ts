import { type Clock, type Random, uuidV7 } from '@sluice/core'
import type { CodeKind, CodeLanguage, CodeRecord, CodeVersion, VersionedCode } from './code-record.ts'

/** Changes to a transformation or library. Absent members stay unchanged. */
export interface CodePatch {
  readonly name?: string
  readonly description?: string
  /** At most 1 MB of UTF-8. */
  readonly code?: string
  readonly language?: CodeLanguage
  /** Tests the new version and makes it live. Default false. */
  readonly publish?: boolean
  /** Replaces the destinations of a transformation. Allowed only together with `publish`. */
  readonly destinationIds?: readonly string[]
  /** Test events of a transformation, or the JSON text of a list of them. Allowed only together with `publish`. */
  readonly events?: unknown
  /** Import name of a library; default the camel case of its name. It never changes: an update can only repeat it. */
  readonly importName?: string
}

export interface NewCode extends CodePatch {
  readonly name: string
  /** An id of the caller's own, unique within the kind. */
  readonly externalId?: string
}

/** Sources of time and ids. */
interface ClockAndRandom {
  readonly clock: Clock
  readonly random: Random
}

/** Creates a record with its first version. @param importName '' for a transformation. */
export function newRecord(
  workspaceId: string,
  kind: CodeKind,
  { name, description = '', code = '', language = 'javascript', externalId }: NewCode,
  importName: string,
  { clock, random }: ClockAndRandom,
): VersionedCode {
  const createdAt = clock.now()
  const id = uuidV7(clock, random)
  const versionId = uuidV7(clock, random)
  const version: CodeVersion = { id, versionId, number: 1, name, description, code, language, createdAt }
  const record: CodeRecord = {
    kind,
    id,
    workspaceId,
    importName,
    externalId,
    newestVersionId: versionId,
    publishedVersionId: null,
    testInput: null,
    destinationIds: [],
    createdAt,
    updatedAt: createdAt,
  }
  return { record, version }
}

/** Returns the next version: the newest one with a patch applied. */
export function nextVersion(
  { version: newest }: VersionedCode,
  { name, description, code, language }: CodePatch,
  { clock, random }: ClockAndRandom,
): CodeVersion {
  return {
    id: newest.id,
    versionId: uuidV7(clock, random),
    number: newest.number + 1,
    name: name ?? newest.name,
    description: description ?? newest.description,
    code: code ?? newest.code,
    language: language ?? newest.language,
    createdAt: Math.max(clock.now(), newest.createdAt),
  }
}
