import type { JsonObject } from '@sluice/core'
import type { CodeKind, CodeRecord, CodeVersion, VersionedCode } from './code-record.ts'

/** Everything that runs in a workspace, as it stands at one moment. */
export interface LiveCode {
  /** Grows with every change of what runs. 0 before the first. */
  readonly revision: number
  /** The records with a published version, with that version, in order of creation. */
  readonly published: readonly VersionedCode[]
}

/** Makes a version the one that runs. */
export interface Publication {
  readonly id: string
  readonly versionId: string
  readonly testInput: readonly JsonObject[] | null
  /** Replaces the destinations of the record; absent: they stay as they are. */
  readonly destinationIds?: readonly string[]
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** A change, stored whole or not at all. */
export interface CodeChange {
  /** The revision of the live code that the change was made for; required with `publish` and `remove`, counted up then. */
  readonly liveRevision?: number
  /** A new record, not yet published, with its first version. */
  readonly create?: VersionedCode
  /** One more version of a record. Its number must follow that of the newest one. */
  readonly addVersion?: CodeVersion
  readonly publish?: readonly Publication[]
  /** Forgets a record with all its versions and connections. */
  readonly remove?: string
}

/**
 * `changed`: the record or the live code is no longer what the change was made for; read again and try again.
 * `importNameTaken`: another library of the workspace has the import name of the one to be created, or one with the
 * same camel case.
 */
export type CommitResult = 'committed' | 'changed' | 'importNameTaken'

/** Remembers transformations, libraries and all their versions. Nothing is seen by another workspace. */
export interface TransformationStore {
  /** The records of a kind with their newest versions, in order of creation. */
  list(workspaceId: string, kind: CodeKind): Promise<readonly VersionedCode[]>
  /** One record with its newest version. */
  find(workspaceId: string, kind: CodeKind, id: string): Promise<VersionedCode | undefined>
  /** The bytes of all versions of the workspace, as `versionBytes` counts them. */
  bytes(workspaceId: string): Promise<number>
  /** The versions of a record in order of number: all, or the first `limit` of that order, a safe integer. Empty for a record unknown. */
  versions(
    workspaceId: string,
    id: string,
    page: { readonly order: 'ASC' | 'DESC'; readonly limit?: number },
  ): Promise<readonly CodeVersion[]>
  /** Any version with the record it belongs to. */
  findVersion(workspaceId: string, versionId: string): Promise<VersionedCode | undefined>
  live(workspaceId: string): Promise<LiveCode>
  /**
   * Stores a change when what it was made for still holds: the revision of the live code where it names one, the
   * newest version where it adds one. A destination that another record is connected to counts as `changed`.
   */
  commit(workspaceId: string, change: CodeChange): Promise<CommitResult>
}

/** What a version counts for in the store: its texts, and something for its row. */
export function versionBytes({ name, description, code }: CodeVersion): number {
  return 1_000 + Buffer.byteLength(name) + Buffer.byteLength(description) + Buffer.byteLength(code)
}

/** A record as a publication leaves it. */
export function publishedRecord(record: CodeRecord, publication: Publication): CodeRecord {
  return {
    ...record,
    publishedVersionId: publication.versionId,
    testInput: publication.testInput,
    destinationIds: [...(publication.destinationIds ?? record.destinationIds)].sort(),
    updatedAt: Math.max(record.updatedAt, publication.at),
  }
}
