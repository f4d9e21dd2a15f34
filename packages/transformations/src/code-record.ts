import type { JsonObject } from '@sluice/core'

/** Transformations and libraries have the same life; only transformations are connected, only libraries imported. */
export type CodeKind = 'transformation' | 'library'

export const codeLanguages = ['javascript', 'typescript'] as const

export type CodeLanguage = (typeof codeLanguages)[number]

/**
 * One saved state of a transformation or library. It is never changed: what is live and what is history both refer to
 * it. Source: packages/docs/api/transformations.md#states-of-versions.
 */
export interface CodeVersion {
  /** Of the transformation or library. */
  readonly id: string
  readonly versionId: string
  /** 1 for the first version of its record, one more for each later one. */
  readonly number: number
  readonly name: string
  readonly description: string
  /** As written, types included. */
  readonly code: string
  readonly language: CodeLanguage
  /** Milliseconds since the epoch; never before that of the version it follows. */
  readonly createdAt: number
}

/** A transformation or library: which of its versions is the newest, which one is live, and who gets it. */
export interface CodeRecord {
  readonly kind: CodeKind
  readonly id: string
  readonly workspaceId: string
  /** The name under which code imports a library, given at its creation; '' for a transformation. */
  readonly importName: string
  readonly newestVersionId: string
  /** The version that is live; null before the first was published. */
  readonly publishedVersionId: string | null
  /** The events the live version was published with; null for the sample events. */
  readonly testInput: readonly JsonObject[] | null
  /** The destinations a transformation is connected to, in order of id. */
  readonly destinationIds: readonly string[]
  readonly createdAt: number
  /** When it was last changed: a version saved, published or connected. */
  readonly updatedAt: number
}

/** A record with one of its versions. */
export interface VersionedCode {
  readonly record: CodeRecord
  readonly version: CodeVersion
}
