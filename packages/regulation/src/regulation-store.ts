import type { DeletionJob } from './deletion/deletion-job.ts'
import type { DeletionStore } from './deletion/deletion-store.ts'
import type { SubjectRequestStore } from './opendsr/subject-request-store.ts'
import type { Regulation } from './regulation.ts'
import type { WritingStore } from './writing-store.ts'

/** A key of a person came under one more active regulation (+1) or one fewer (-1): see `keysOfRegulation`. */
export interface RegulationChange {
  /** Increases with each change. Never reused, even after changes were deleted. */
  readonly position: number
  readonly workspaceId: string
  /** The key. */
  readonly userId: string
  readonly delta: 1 | -1
}

/** A stored part of the suppression index. */
export interface StoredSegment {
  readonly number: number
  /** Position of the last change it includes. */
  readonly position: number
  readonly bytes: Uint8Array
}

/** How far the stored index is complete. */
export interface SettledIndex {
  readonly position: number
  readonly digest?: Uint8Array
}

export interface RegulationPageRequest {
  /** The `next` of the previous page. */
  readonly after?: number
  readonly limit: number
  /** Only regulations of this user, given as cleaned text. Absent: of all users. */
  readonly userId?: string
  /** Besides, regulations without ids whose user has this alias: see `UserAliases`. */
  readonly alias?: string
}

export interface RegulationPage {
  readonly regulations: readonly Regulation[]
  /** Start of the next page; undefined on the last page. */
  readonly next?: number
}

/** How many deletion jobs a workspace may have whose ids are not before one, new jobs included. */
export interface DeletionLimit {
  readonly workspaceId: string
  /** As `uuidV7From` makes it, because the ids of jobs tell when they were made. */
  readonly fromId: string
  readonly max: number
}

/** Stores regulations. The only place that knows a suppressed user's id in plain text. */
export interface RegulationStore {
  /**
   * Adds all regulations or none, each with its changes and the jobs. Adding the same id again has no effect.
   * @returns false when nothing was added because of the limit of jobs.
   */
  add(regulations: readonly Regulation[], jobs?: readonly DeletionJob[], limit?: DeletionLimit): Promise<boolean>
  /**
   * Cancels a regulation and aborts those of its jobs that are neither running nor finished, waiting ones included, with the reason
   * `cancelled`. Repeating the call has no effect.
   * @returns the cancelled regulation, undefined when the workspace has no regulation with that id.
   */
  cancel(workspaceId: string, id: string): Promise<Regulation | undefined>
  /**
   * Gives regulations that were put back without ids these attributes, and has their jobs begin that waited for them or were
   * aborted before they began. Cancelled regulations, and those that it does not have, stay as they are.
   */
  identify(regulations: readonly Pick<Regulation, 'workspaceId' | 'id' | 'attributes'>[]): Promise<void>
  find(workspaceId: string, id: string): Promise<Regulation | undefined>
  /** Returns those of these regulations that the workspace has, in no defined order. */
  findAll(workspaceId: string, ids: readonly string[]): Promise<readonly Regulation[]>
  /** Lists the regulations of a workspace, or of one of its users, in order of creation, cancelled ones included. */
  list(workspaceId: string, page: RegulationPageRequest): Promise<RegulationPage>
  /** Returns the active regulations that have one of these keys, in order of creation, each once. */
  activeOf(workspaceId: string, keys: readonly string[]): Promise<readonly Regulation[]>
  /**
   * Returns how many keys the active regulations of all workspaces have, to compare the index with; undefined when there is
   * a change after a position, which the index lacks.
   */
  activeAt(position: number): Promise<number | undefined>
  /** Returns whether an active regulation has a key besides that of its user: see `keysOfRegulation`. */
  hasFurtherKeys(): Promise<boolean>
  /** Returns changes of all workspaces after a position, in order. */
  changes(after: number, limit: number): Promise<readonly RegulationChange[]>
  /**
   * Returns regulations of all workspaces in order of insertion, cancelled ones included.
   * @param after the `next` of the page before.
   */
  all(page: Pick<RegulationPageRequest, 'after' | 'limit'>): Promise<RegulationPage>
  readonly ledger: LedgerMarkStore
  readonly index: SegmentStore
  readonly deletions: DeletionStore
  readonly writings: WritingStore
  readonly requests: SubjectRequestStore
}

/** Stores what the store has of the ledger of regulations, as texts by name: see `LedgerMarks`. */
export interface LedgerMarkStore {
  marks(): Promise<ReadonlyMap<string, string>>
  /** Stores these marks, all or none, and keeps the others. */
  mark(marks: ReadonlyMap<string, string>): Promise<void>
  /** Forgets all marks. */
  forget(): Promise<void>
}

/** Stores the suppression index, so that it need not be rebuilt from all regulations. Contains no user ids. */
export interface SegmentStore {
  /** Returns the stored secret of the fingerprints. A new store first stores `fresh`. */
  secret(fresh: Uint8Array): Promise<Uint8Array>
  /** Stores a segment, replacing the stored one with its number. */
  write(segment: StoredSegment): Promise<void>
  /**
   * Declares that all segments, including those never written, contain every change up to a position. The store may
   * then delete these changes.
   * @param digest kept with the position.
   */
  settle(position: number, digest: Uint8Array): Promise<void>
  /** Returns the last settled position with its digest; 0 and none at first. */
  settled(): Promise<SettledIndex>
  /** Returns the numbers of the stored segments. */
  numbers(): Promise<readonly number[]>
  read(number: number): Promise<StoredSegment | undefined>
  /** Deletes all segments and the settled position, and recreates a change for each active regulation. */
  reset(): Promise<void>
}
