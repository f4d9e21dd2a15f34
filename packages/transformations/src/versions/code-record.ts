import type { JsonObject } from '@sluice/core'

/**
 * Kinds of records. Both have the same life cycle, but only transformations are connected and only libraries imported.
 */
export type CodeKind = 'transformation' | 'library'

export const codeLanguages = ['javascript', 'typescript'] as const

export type CodeLanguage = (typeof codeLanguages)[number]

/**
 * One saved version of a transformation or library. Its code never changes, because both the live code and the history
 * refer to it. Source: packages/docs/api/transformations.md#states-of-versions.
 */
export interface CodeVersion {
  /** Id of the transformation or library. */
  readonly id: string
  readonly versionId: string
  /** Counts up from 1 within the record. */
  readonly number: number
  readonly name: string
  readonly description: string
  /** As written, including types. */
  readonly code: string
  readonly language: CodeLanguage
  /** Milliseconds since the epoch; never earlier than the previous version. */
  readonly createdAt: number
  /** A note of its last publication, such as the commit that it comes from. The only member that changes. */
  readonly commitId?: string
}

/** A transformation or library: its newest and its published version, and the connected destinations. */
export interface CodeRecord {
  readonly kind: CodeKind
  readonly id: string
  readonly workspaceId: string
  /** The name by which code imports a library, fixed at creation; '' for a transformation. */
  readonly importName: string
  /** The id that a program of its own gave it, unique within the kind; absent without one. */
  readonly externalId?: string
  readonly newestVersionId: string
  /** The live version; null before the first is published. */
  readonly publishedVersionId: string | null
  /** The test events of the live version's publication; null for the sample events. */
  readonly testInput: readonly JsonObject[] | null
  /** Destinations the transformation is connected to, ordered by id. Those of a draft are connected with its publication. */
  readonly destinationIds: readonly string[]
  readonly createdAt: number
  /** Time of the last change: a version saved, published or connected. */
  readonly updatedAt: number
}

/** A record with one of its versions. */
export interface VersionedCode {
  readonly record: CodeRecord
  readonly version: CodeVersion
}
