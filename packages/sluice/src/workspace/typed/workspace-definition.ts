import type { AccessScope, Detector, EventType, JsonObject, OnInvalid } from '@sluice/core'
import type { DestinationSource } from '@sluice/destinations'
import type { NativeSettings } from './native-settings.ts'
import type { OwnSettings } from './own-settings.ts'

/**
 * One workspace: sources, destinations, and which source sends where. `defineWorkspace` and `createSluice` infer the ids,
 * so that a connection can name only what is there; ids that are computed are checked when it runs.
 *
 * @typeParam Own definitions of destinations in addition to the native ones: `WorkspaceDefinition<string, string, typeof acme>`.
 * @typeParam From, To ids that the connections name.
 */
export interface WorkspaceDefinition<
  SourceId extends string = string,
  DestinationId extends string = string,
  Own extends DestinationSource = never,
  From extends string = string,
  To extends string = string,
> {
  /** Up to 100 visible ASCII characters, no slash. */
  readonly id: string
  /** For people; default the id. */
  readonly name?: string
  /**
   * Whether settings that a destination type does not have are accepted, and logged; they have no effect. Default false:
   * they are refused. For settings that come from elsewhere, such as RudderStack.
   */
  readonly lenient?: boolean
  /** Whether tokens with the scope `secrets` are shown secret settings; default false. */
  readonly showSecrets?: boolean
  /**
   * `trusted`: user code is of people who could deploy code to the server anyway. It runs in V8, which is faster, and can
   * reach files and the network of the server. Default `untrusted`.
   */
  readonly sandbox?: { readonly code?: 'untrusted' | 'trusted' }
  readonly accessTokens?: readonly AccessTokenDefinition[]
  readonly sources: readonly SourceDefinition<SourceId>[]
  readonly destinations: readonly DestinationEntry<DestinationId, Own>[]
  // One of the ids, or any text that is computed. The last part of each never fits: `From` and `To` are inferred from it.
  readonly connections: readonly ConnectionDefinition<
    (string extends From ? string : NoInfer<SourceId>) | (From & NoSuchId),
    (string extends To ? string : NoInfer<DestinationId>) | (To & NoSuchId)
  >[]
  /**
   * Values that user code reads with `getCredential(key)`, by key: the value, or `env:` and the name of a variable that
   * holds it.
   */
  readonly credentials?: Readonly<Record<string, string>>
  /**
   * Variables that credentials saved through the API may name. Without the list: `SLUICE_CREDENTIAL_…` of a process with
   * one workspace, otherwise none.
   */
  readonly credentialVariables?: readonly string[]
  /** Code that transformations import by name. */
  readonly libraries?: readonly { readonly name: string; readonly code: string }[]
}

declare const noSuchId: unique symbol
interface NoSuchId {
  readonly [noSuchId]: never
}

/** Several workspaces of one process. */
export interface WorkspacesDefinition<Own extends DestinationSource = never> {
  readonly workspaces: readonly WorkspaceDefinition<string, string, Own>[]
}

/** Where events come from. */
export interface SourceDefinition<Id extends string = string> {
  /** Up to 100 visible ASCII characters, no slash; unique among the sources of its workspace. */
  readonly id: Id
  /** For people; default the id. */
  readonly name?: string
  /** What kind of sender it is, such as `javascript`. */
  readonly type?: string
  /** What senders authenticate with: up to 200 visible ASCII characters, no colon; unique in the process. */
  readonly writeKey: string
  /** The write key before the last rotation, accepted until a time in UTC such as `2027-01-31T12:00:00Z`. */
  readonly formerWriteKey?: { readonly writeKey: string; readonly validUntil: string }
  /** Default true. */
  readonly enabled?: boolean
  /** What a malformed event of a call costs: the whole call, or only itself. Default: as the server says. */
  readonly onInvalid?: OnInvalid
  /** Kept for clients of the API, without effect. */
  readonly geoEnrichmentEnabled?: boolean
  /** Kept for clients of the API, without effect. */
  readonly transient?: boolean
  /** What the schema catalogue may store. Default: samples and values, with all detectable personal data removed. */
  readonly observe?: {
    /** Whether to keep events as samples. */
    readonly samples?: boolean
    /** Whether to count values, to find the frequent ones. */
    readonly values?: boolean
    /** Key paths, such as `context.traits.*`, whose values are left out of both; at most 100. */
    readonly maskPaths?: readonly string[]
    /** Personal data that is removed from both wherever it is found. */
    readonly detectors?: readonly Detector[]
  }
  /** The expected shape of its events; default none. */
  readonly trackingPlan?: {
    /** What to do with events that differ. */
    readonly onViolation: 'mark' | 'strip' | 'strip-unplanned' | 'quarantine' | 'drop'
    /** What to do with events that the plan does not list; default `pass`. */
    readonly unplanned?: 'pass' | 'mark' | 'quarantine' | 'drop'
    /** At most 1,000. */
    readonly events: readonly {
      readonly type: EventType
      /** The name of a track call. */
      readonly event?: string
      /** JSON Schema (draft 2020-12) of the whole event. */
      readonly schema: { readonly [keyword: string]: unknown }
      /** Default: as the plan says. */
      readonly onViolation?: 'pass' | 'mark' | 'strip' | 'strip-unplanned' | 'quarantine' | 'drop'
    }[]
  }
  /** The stored tracking plan that `trackingPlan` is made from. */
  readonly planLink?: { readonly id: string; readonly config: { readonly [name: string]: unknown } }
}

/** Where events go: the settings are those of its type. */
export type DestinationEntry<Id extends string = string, Own extends DestinationSource = never> =
  | { [Type in keyof NativeSettings]: EntryOf<Id, Type, NativeSettings[Type]> }[keyof NativeSettings]
  | (Own extends DestinationSource ? EntryOf<Id, OwnSettings<Own>['type'], OwnSettings<Own>['settings']> : never)

/** Settings can be left out where none is required. */
type EntryOf<Id extends string, Type extends string, Settings> = object extends Settings
  ? EntryWithDefaults<Id, Type, Settings>
  : EntryWithSettings<Id, Type, Settings>

interface EntryWithSettings<Id extends string, Type extends string, Settings> extends DestinationBase<Id, Type> {
  readonly settings: Settings
}

interface EntryWithDefaults<Id extends string, Type extends string, Settings> extends DestinationBase<Id, Type> {
  readonly settings?: Settings
}

interface DestinationBase<Id extends string, Type extends string> {
  /** Up to 100 visible ASCII characters, no slash; unique among the destinations of its workspace. */
  readonly id: Id
  /** What kind of destination it is; it decides which settings there are. `sluice destination-types list` describes them. */
  readonly type: Type
  /** For people; default the id. */
  readonly name?: string
  /** Kept for clients of the API, without effect. */
  readonly version?: number
  /** Default true. */
  readonly enabled?: boolean
  /** Code that changes its events before they are mapped. */
  readonly transformation?: { readonly name?: string; readonly code: string }
}

/** That events of a source go to a destination. */
export interface ConnectionDefinition<SourceId extends string = string, DestinationId extends string = string> {
  /** Id of a source. */
  readonly source: SourceId
  /** Id of a destination. */
  readonly destination: DestinationId
  /** Default true. */
  readonly enabled?: boolean
  /** What applies to this connection alone, such as the audience that records of a warehouse belong to. */
  readonly settings?: JsonObject
}

/** A credential for the HTTP API. */
export interface AccessTokenDefinition {
  readonly name: string
  /** `sha256:` and 64 hex digits (`sluice token create` makes one), or `env:` and the name of a variable with the token. */
  readonly token: string
  /** What it may do; default read, write and operate. */
  readonly scopes?: readonly AccessScope[]
}
