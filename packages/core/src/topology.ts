import type { JsonObject } from './json.ts'

/** Where events come from. */
export interface Source {
  readonly id: string
  readonly name: string
  /** What senders authenticate with; unique over all workspaces of a process. */
  readonly writeKey: string
  readonly enabled: boolean
}

/** A piece of user code that transformations import by name. */
export interface Library {
  readonly name: string
  readonly code: string
  /** Of a library that is published by itself; its code is another when this is. */
  readonly versionId?: string
}

/**
 * User code connected to a destination. Its code, or that of a library without a `versionId` of its own, is another
 * only when its `versionId` is.
 */
export interface Transformation {
  /** Of a transformation that has versions; what comes from a workspace file has none. */
  readonly id?: string
  readonly versionId: string
  readonly name: string
  readonly code: string
  readonly libraries: readonly Library[]
}

/** Where events go. `settings` are complete: validated, with defaults applied. */
export interface Destination {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly enabled: boolean
  readonly settings: JsonObject
  readonly transformation?: Transformation
}

export interface Connection {
  readonly sourceId: string
  readonly destinationId: string
}

/**
 * What an access token allows: `read` looks, `write` saves what is not live yet, `operate` changes or tries what runs
 * (publishing, connecting, deleting, tests).
 */
export const accessScopes = ['read', 'write', 'operate'] as const

export type AccessScope = (typeof accessScopes)[number]

/** A credential of the HTTP areas, known only by its hash. */
export interface AccessToken {
  readonly name: string
  readonly scopes: readonly AccessScope[]
  /** Lower-case hex of the SHA-256 of the token. */
  readonly sha256: string
}

/** Everything one customer has set up. Ids are unique within it. */
export interface Workspace {
  readonly id: string
  readonly name: string
  readonly sources: readonly Source[]
  readonly destinations: readonly Destination[]
  readonly connections: readonly Connection[]
  readonly accessTokens: readonly AccessToken[]
  /** What `getCredential(key)` of user code gives, by key. Secret. */
  readonly credentials?: Readonly<Record<string, string>>
}
