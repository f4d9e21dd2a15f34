import type { Detector } from './detectors.ts'
import type { EventType } from './event.ts'
import type { JsonObject } from './json.ts'

/** What the schema catalogue may keep of the events of a source. Shapes and counts are always learnt. */
export interface ObservationSettings {
  /** Whether events are kept as samples. */
  readonly samples: boolean
  /** Whether values are counted, to tell the frequent ones. */
  readonly values: boolean
  /** Key paths whose values are kept in neither, `*` for any one key; items of lists go by their list's path. */
  readonly maskPaths: readonly string[]
  /** Personal data that is taken out of both wherever it is found. */
  readonly detectors: readonly Detector[]
}

/** What the events of a source ought to look like, and what is done with those that do not. */
export interface TrackingPlan {
  /** `mark` tells in `context.violationErrors`, `strip` takes out what is wrong, `drop` keeps the event back. */
  readonly onViolation: 'mark' | 'strip' | 'drop'
  /** What is done with events the plan does not know. */
  readonly unplanned: 'pass' | 'mark' | 'drop'
  readonly events: readonly PlannedEvent[]
}

export interface PlannedEvent {
  readonly type: EventType
  /** The name of a track call; for other types it is left out. */
  readonly event?: string
  /** A JSON Schema (draft 2020-12) of the whole event. */
  readonly schema: JsonObject
}

/** Where events come from. */
export interface Source {
  readonly id: string
  readonly name: string
  /** What senders authenticate with; unique over all workspaces of a process. */
  readonly writeKey: string
  readonly enabled: boolean
  /** Default: samples and values, with everything taken out that is found. */
  readonly observe?: ObservationSettings
  /** Default: none. */
  readonly trackingPlan?: TrackingPlan
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
 * (publishing, connecting, deleting, tests). What is saved and live at once needs both: publishing on save, deleting, and
 * regulations, which suppress and delete users from the next batch on. Write keys are shown to `write` only.
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
