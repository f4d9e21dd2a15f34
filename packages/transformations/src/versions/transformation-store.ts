import type { JsonObject } from '@sluice/core'
import { utf8Length } from '@sluice/core/bytes'
import type { CodeKind, CodeRecord, CodeVersion, VersionedCode } from './code-record.ts'

/** All published code of a workspace at one moment. */
export interface LiveCode {
  /** Increases with every change of the live code. 0 before the first. */
  readonly revision: number
  /** The records with a published version, with that version, in order of creation. */
  readonly published: readonly VersionedCode[]
}

/** Makes a version live, or connects a record that stays a draft. */
export interface Publication {
  readonly id: string
  /** Null: the record has no live version, and gets none. */
  readonly versionId: string | null
  /** A note that the version keeps; absent: it keeps the one it has. */
  readonly commitId?: string
  readonly testInput: readonly JsonObject[] | null
  /** Replaces the destinations of the record; absent: they stay unchanged. */
  readonly destinationIds?: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A change that is stored as a whole or not at all. */
export interface CodeChange {
  /** The live code revision on which the change is based. Required with `publish` and `remove`, which increase it. */
  readonly liveRevision?: number
  /** A new, unpublished record with its first version. */
  readonly create?: VersionedCode
  /** A new version of a record, also of the one to create. Its number must follow that of the newest version. */
  readonly addVersion?: CodeVersion
  readonly publish?: readonly Publication[]
  /** Gives a record an external id, instead of the one it has. */
  readonly setExternalId?: { readonly id: string; readonly externalId: string }
  /** Deletes a record with all its versions and connections. */
  readonly remove?: string
}

/**
 * `changed`: the record or the live code has changed since it was read; read it and try again. `importNameTaken`:
 * another library of the workspace has the same import name or camel case as the new one. `externalIdTaken`: another
 * record of the kind has the same external id.
 */
export type CommitResult = 'committed' | 'changed' | 'importNameTaken' | 'externalIdTaken'

/** Stores transformations, libraries and all their versions. Workspaces are isolated from each other. */
export interface TransformationStore {
  /** Lists the records of a kind with their newest versions, in order of creation. */
  list(workspaceId: string, kind: CodeKind): Promise<readonly VersionedCode[]>
  /** Returns a record with its newest version. */
  find(workspaceId: string, kind: CodeKind, id: string): Promise<VersionedCode | undefined>
  /** Returns the size of all versions of the workspace, in bytes as counted by `versionBytes`. */
  bytes(workspaceId: string): Promise<number>
  /**
   * Returns the versions of a record ordered by number: all of them, or the first `limit` (a safe integer). Empty for
   * an unknown record.
   */
  versions(
    workspaceId: string,
    id: string,
    page: { readonly order: 'ASC' | 'DESC'; readonly limit?: number },
  ): Promise<readonly CodeVersion[]>
  /** Returns any version with its record. */
  findVersion(workspaceId: string, versionId: string): Promise<VersionedCode | undefined>
  live(workspaceId: string): Promise<LiveCode>
  /**
   * Stores a change if it is still up to date: the live code has the given revision, and an added version follows the
   * newest one. A destination that is connected to another record results in `changed`.
   */
  commit(workspaceId: string, change: CodeChange): Promise<CommitResult>
}

/** Returns the size of a version in the store: its texts plus a fixed amount for its row. */
export function versionBytes({ name, description, code }: CodeVersion): number {
  return 1_000 + utf8Length(name) + utf8Length(description) + utf8Length(code)
}

/** Returns a record as it is after a publication. */
export function publishedRecord(record: CodeRecord, publication: Publication): CodeRecord {
  return {
    ...record,
    publishedVersionId: publication.versionId,
    testInput: publication.testInput,
    destinationIds: [...(publication.destinationIds ?? record.destinationIds)].sort(),
    updatedAt: Math.max(record.updatedAt, publication.at),
  }
}
