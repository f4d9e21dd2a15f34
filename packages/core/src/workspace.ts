import type { EventType } from './event/event.ts'
import type { JsonObject } from './event/json.ts'

/** Kinds of personal data that can be searched for in values, by their names in settings. */
export const detectors = ['email', 'phone', 'card', 'ip'] as const
export type Detector = (typeof detectors)[number]

/** What the schema catalogue may store from the events of a source. Shapes and counts are always stored. */
export interface ObservationSettings {
  /** Whether to keep events as samples. */
  readonly samples: boolean
  /** Whether to count values, to find the frequent ones. */
  readonly values: boolean
  /**
   * Key paths whose values are excluded from both. `*` matches any single key; items of a list have the path of the
   * list.
   */
  readonly maskPaths: readonly string[]
  /** Personal data to remove from both wherever it is found. */
  readonly detectors: readonly Detector[]
}

/** The expected shape of a source's events, and what to do with events that differ. */
export interface TrackingPlan {
  /**
   * `mark` lists the violations in `context.violationErrors`, `strip` removes the offending values, `strip-unplanned` only
   * those at places that the plan does not have, `quarantine` keeps the event as a dead letter, `drop` drops it.
   */
  readonly onViolation: 'mark' | 'strip' | 'strip-unplanned' | 'quarantine' | 'drop'
  /** What to do with events that the plan does not list. */
  readonly unplanned: 'pass' | 'mark' | 'quarantine' | 'drop'
  readonly events: readonly PlannedEvent[]
}

export interface PlannedEvent {
  readonly type: EventType
  /** The name of a track call; absent for other types. */
  readonly event?: string
  /** A JSON Schema (draft 2020-12) for the whole event. */
  readonly schema: JsonObject
  /** What to do with violations of this event; `pass` does nothing. Default: as the plan says. */
  readonly onViolation?: TrackingPlan['onViolation'] | 'pass'
}

/** A write key that was replaced and is accepted for a while. */
export interface FormerWriteKey {
  readonly writeKey: string
  /** Milliseconds since the epoch at which it ends. */
  readonly validUntil: number
}

/** What a malformed event of a call costs: the whole call, or only itself. */
export const onInvalidChoices = ['refuse-call', 'refuse-event'] as const
export type OnInvalid = (typeof onInvalidChoices)[number]

/** Where events come from. */
export interface Source {
  readonly id: string
  readonly name: string
  /** What kind of sender it is, such as `javascript`; for people and clients of the API. */
  readonly type?: string
  /** Write key that senders authenticate with; unique across all workspaces of a process. */
  readonly writeKey: string
  /** The write key before the last rotation. */
  readonly formerWriteKey?: FormerWriteKey
  readonly enabled: boolean
  /** What a malformed event costs: the whole call of its sender, or only itself. Default: as the server says. */
  readonly onInvalid?: OnInvalid
  /** Whether a client asked for places of addresses. Kept for clients of the API; it changes nothing. */
  readonly geoEnrichmentEnabled?: boolean
  /** Whether a client asked not to keep events for later attempts. Kept for clients of the API; it changes nothing. */
  readonly transient?: boolean
  /** Default: samples and values, with all detectable personal data removed. */
  readonly observe?: ObservationSettings
  /** Default: none. */
  readonly trackingPlan?: TrackingPlan
  /** The stored tracking plan that `trackingPlan` is made from, and how a client wants it applied. */
  readonly planLink?: { readonly id: string; readonly config: JsonObject }
}

/** User code that transformations import by name. */
export interface Library {
  readonly name: string
  readonly code: string
  /** Version of a library that is published by itself. It changes whenever the code changes. */
  readonly versionId?: string
}

/**
 * User code connected to a destination. Its `versionId` changes whenever its code changes, or the code of a library
 * without a `versionId` of its own.
 */
export interface Transformation {
  /** Present when the transformation has versions; absent when it comes from a workspace file. */
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
  /** When it was paused, in milliseconds since the epoch: its events wait, and nothing is sent. Absent when it is not. */
  readonly pausedAt?: number
  /** Why it was paused, when no person did it. */
  readonly pausedBecause?: string
}

export interface Connection {
  readonly sourceId: string
  readonly destinationId: string
  /** What applies to this connection alone, such as the audience that records of a warehouse belong to. */
  readonly settings?: JsonObject
}

/**
 * Scopes of an access token. `read` reads; `write` saves what is not live yet; `operate` changes or tries what is
 * running (publish, connect, delete, test). A call that saves and goes live immediately needs both `write` and
 * `operate`: publishing on save, deleting, changing the configuration, and regulations, which suppress and delete users
 * from the next batch on. Only `write` shows write keys. `admin` creates and revokes access tokens and changes the
 * workspace itself. `secrets` shows secret settings of destinations, where the workspace allows it: see `showSecrets`.
 */
export const accessScopes = ['read', 'write', 'operate', 'admin', 'secrets'] as const

/** Scopes of the operator: what shows secrets must be given to a token by name. */
export const adminScopes = ['read', 'write', 'operate', 'admin'] as const satisfies readonly AccessScope[]

/** Scopes of a token that names none: a token that can create others must say so. */
export const defaultScopes = ['read', 'write', 'operate'] as const satisfies readonly AccessScope[]

export type AccessScope = (typeof accessScopes)[number]

/** A credential for the HTTP API; only its hash is stored. */
export interface AccessToken {
  readonly name: string
  readonly scopes: readonly AccessScope[]
  /** SHA-256 of the token in lower-case hex. */
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
  /** Whether tokens with the scope `secrets` are shown secret settings as they were sent. Default: no one is. */
  readonly showSecrets?: boolean
  /**
   * Whether its user code is of people who could deploy code anyway, and so runs in V8. Only a workspace file says so.
   * Default: as options of the process say, otherwise false.
   */
  readonly trustsCode?: boolean
  /** Values that user code reads with `getCredential(key)`, by key. Secret. */
  readonly credentials?: Readonly<Record<string, string>>
}
