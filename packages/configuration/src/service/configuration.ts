import type { AccessScope, JsonObject } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import type { Problem } from '../definition/problems/problem.ts'
import type { RecordKey, RecordKind } from '../records/configuration-record.ts'
import type { ConfigurationResult } from './configuration-error.ts'

/**
 * One part of the configuration, as it may be shown: the body has write keys, and no other secrets. Secret settings are
 * masked, tokens and the values of credentials left out.
 */
export interface ConfigurationEntry extends RecordKey {
  /** `file`: the workspace file defines it, and the API cannot change it. */
  readonly managedBy: 'file' | 'api'
  /** Absent, like the times, for what the file defines. */
  readonly revision?: number
  /** Milliseconds since the epoch. */
  readonly createdAt?: number
  readonly updatedAt?: number
  readonly externalId?: string
  /** As in a workspace file, without the id; settings as they were sent, of the file with defaults. */
  readonly body: JsonObject
  /** Why it is not in use, or cannot work yet. Absent when it can. */
  readonly problems?: readonly Problem[]
}

/** One change. Several are applied together, in their order. */
export type ConfigurationChange =
  | {
      readonly action: 'create'
      readonly kind: RecordKind
      /** Default: a new one. The name of a credential. */
      readonly id?: string
      readonly externalId?: string
      readonly body: JsonObject
    }
  | {
      /** `update` changes the members that the body has, null removes one; `put` also creates what is not there. */
      readonly action: 'update' | 'put'
      readonly kind: RecordKind
      readonly id: string
      /** Refuses the change when the record has another revision. */
      readonly ifRevision?: number
      readonly externalId?: string
      readonly body: JsonObject
    }
  | {
      /** Deleting what is not there changes nothing. */
      readonly action: 'delete'
      readonly kind: RecordKind
      readonly id: string
      readonly ifRevision?: number
    }

export interface ChangeOptions {
  /** Checks the changes and applies none. */
  readonly validateOnly?: boolean
  /** Deletes destinations for which events are waiting; these become dead letters. */
  readonly force?: boolean
}

export interface NewToken {
  readonly name: string
  /** Default: all but `admin`. */
  readonly scopes?: readonly AccessScope[]
}

/**
 * The configuration of all workspaces: what a workspace file defines, and what was stored through the API. Changes are
 * checked against the whole, stored, and applied to the running pipeline, all or none. They hold when the promise
 * resolves, in every process that shares the store.
 */
export interface Configuration {
  /** Lists the entries of a kind: those of the file first, then stored ones in order of creation. */
  list(workspaceId: string, kind: RecordKind): readonly ConfigurationEntry[]
  find(workspaceId: string, kind: RecordKind, id: string): ConfigurationEntry | undefined
  /** Returns the settings of a destination that the API manages, as they were sent, with secrets. Show them to no one else. */
  sentSettings(workspaceId: string, destinationId: string): JsonObject | undefined
  /**
   * Applies changes to one workspace.
   * @returns the entries that were created, changed, or left as they were, in the order of the changes.
   */
  change(
    workspaceId: string,
    changes: readonly ConfigurationChange[],
    options?: ChangeOptions,
  ): Promise<ConfigurationResult<readonly ConfigurationEntry[]>>
  /** Creates an access token. @returns its text, which nothing returns again. */
  createToken(
    workspaceId: string,
    token: NewToken,
    options?: Pick<ChangeOptions, 'validateOnly'>,
  ): Promise<ConfigurationResult<{ readonly entry: ConfigurationEntry; readonly token: string }>>
  /**
   * Gives a source another write key. The present one stays valid for `validForMs`; one from an earlier rotation ends.
   */
  rotateWriteKey(
    workspaceId: string,
    sourceId: string,
    options: Pick<ChangeOptions, 'validateOnly'> & { readonly validForMs: number; readonly ifRevision?: number },
  ): Promise<ConfigurationResult<ConfigurationEntry>>
  /**
   * Pauses a destination, or resumes it; one that is so already stays as it is. Events for a paused destination are accepted
   * and wait. A pause holds until it is resumed or the destination is deleted, also for what the workspace file defines.
   * @returns when it was paused, in milliseconds since the epoch; undefined when it is not paused.
   */
  setPaused(
    workspaceId: string,
    destinationId: string,
    isPaused: boolean,
  ): Promise<ConfigurationResult<number | undefined>>
  /**
   * Replaces what the workspace file defines, completely or not at all.
   * @param destinations the types to parse it with; default the present ones.
   * @throws WorkspaceFileError
   */
  define(definition: unknown, destinations?: DestinationRegistry): Promise<void>
  /** Reads the store again, where other processes may have changed it, and applies everything. */
  reload(): Promise<void>
}
