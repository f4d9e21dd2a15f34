import type { DeletionJob } from './deletion-job.ts'
import type { DeletionStore } from './deletion-store.ts'
import type { Regulation } from './regulation.ts'

/** A user came under one more active regulation, or under one less. */
export interface RegulationChange {
  /** Grows from change to change; never used twice, also after changes were forgotten. */
  readonly position: number
  readonly workspaceId: string
  readonly userId: string
  readonly delta: 1 | -1
}

/** A part of the suppression index as it was kept. */
export interface StoredSegment {
  readonly number: number
  /** The last change that is in it; later ones are not. */
  readonly position: number
  readonly bytes: Uint8Array
}

export interface RegulationPageRequest {
  /** The `next` of another page. */
  readonly after?: number
  readonly limit: number
  /** As cleaned text. Left out, those of all users. */
  readonly userId?: string
}

export interface RegulationPage {
  readonly regulations: readonly Regulation[]
  /** Where the next page begins; undefined when this is the last one. */
  readonly next?: number
}

/** Where regulations are kept. The only place that knows a suppressed user's id in plain text. */
export interface RegulationStore {
  /** Adds all of them or none, each with its change, and the jobs. Adding the same id again changes nothing. */
  add(regulations: readonly Regulation[], jobs?: readonly DeletionJob[]): Promise<void>
  /**
   * Aborts the jobs of the regulation that are neither under way nor over, as `cancelled`.
   * @returns the regulation as it is afterwards, undefined when the workspace has none of that id. Repeating is fine, and no change.
   */
  cancel(workspaceId: string, id: string): Promise<Regulation | undefined>
  find(workspaceId: string, id: string): Promise<Regulation | undefined>
  /** In the order in which they were added, cancelled ones included, of one workspace, or of one user of it. */
  list(workspaceId: string, page: RegulationPageRequest): Promise<RegulationPage>
  /** The active ones of these users, in the order in which they were added. */
  activeOf(workspaceId: string, userIds: readonly string[]): Promise<readonly Regulation[]>
  /** Changes of all workspaces after a position, in order. */
  changes(after: number, limit: number): Promise<readonly RegulationChange[]>
  readonly index: SegmentStore
  readonly deletions: DeletionStore
}

/** Keeps the suppression index, so that it need not be made anew from all regulations. It holds no user ids. */
export interface SegmentStore {
  /** The secret of the fingerprints: the one kept, or else `fresh`, which is kept from then on. */
  secret(fresh: Uint8Array): Promise<Uint8Array>
  /** Puts a segment in the place of what was kept under its number. */
  write(segment: StoredSegment): Promise<void>
  /** Says that all segments, those never written too, hold every change up to a position; changes up to it may be forgotten. */
  settle(position: number): Promise<void>
  /** The position that was settled, 0 when none. */
  settled(): Promise<number>
  /** The numbers of what is kept. */
  numbers(): Promise<readonly number[]>
  read(number: number): Promise<StoredSegment | undefined>
  /** Forgets all segments and what was settled, and makes a change of each active regulation instead. */
  reset(): Promise<void>
}
