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
}

/** User code connected to a destination. Its `versionId` changes whenever its code or one of its libraries does. */
export interface Transformation {
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

/** A credential of the HTTP areas, known only by its hash. */
export interface AccessToken {
  readonly name: string
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
}
