import type { Definition, ProcessVitals } from '@sluice/pipeline'
import type { Steps } from '../schema/cluster-migrations.ts'
import type { DatabaseState, KnownPast } from './known-past.ts'
import type { Resumed, TookPart } from './resume.ts'
import type { NodeBeat } from './silent-nodes.ts'

/** A file that defines workspaces. */
export interface DefinedFile {
  /** Digest of the file of its definition; empty before it has any. */
  readonly file: string
  /** When the store first saw that file; 0 for one that it has not seen. Larger is newer. */
  readonly seen_at: number
  /** Stored configuration that is in the newest definition with that file. */
  readonly revision: number
}

/** The definition of workspaces that a process has, as others see it. */
export interface DefinedNode extends DefinedFile {
  readonly id: string
  /** Digest of its definition; empty while it changes, or has none. */
  readonly definition: string
}

/** A process as the others see it. */
export interface Node extends NodeBeat, DefinedNode {
  readonly is_member: boolean
  /** Whether it was asked to hold no lanes. */
  readonly is_draining: boolean
}

export interface OwnBeat extends DatabaseState {
  readonly beat: number
  readonly passed: number
  readonly is_draining: boolean
  /** Losses that no operator has confirmed. */
  readonly losses: number
}

export interface NewNode {
  readonly id: string
  readonly isMember: boolean
  readonly isDraining: boolean
  readonly leaseMs: number
  readonly knows: Steps
  readonly definition: string
  readonly file: string
  readonly deduplicationMs: number | undefined
}

/** How many changes were made since the store was created, and how many of them were of code. */
export interface ChangeCount {
  readonly count: number
  readonly of_code: number
}

/** Work that a call waits for in all processes. */
export interface Barrier {
  readonly id: number
  readonly workspace_id: string
  readonly destination_id: string | null
}

/**
 * The rows by which processes of a cluster know each other. Each call is one step that is done whole or not at all; when it
 * throws, it may have been done all the same, and also be done a little later.
 */
export interface SharedRows {
  /** Finds out in which state the database is, before a process joins: see `resume`. */
  resume(past: KnownPast, took: TookPart): Promise<Resumed>

  addNode(node: NewNode): Promise<void>
  /** Beats for a process. @returns what concerns it; undefined when others have removed it. */
  beat(nodeId: string, vitals?: ProcessVitals): Promise<OwnBeat | undefined>
  nodes(): Promise<readonly Node[]>
  /** From now on, changes wait for the process, and it is given lanes. */
  makeMember(nodeId: string, deduplicationMs: number | undefined): Promise<void>
  /** Removes a process, if it did not beat since. */
  removeSilent(nodeId: string, beat: number): Promise<void>
  removeNode(nodeId: string): Promise<void>
  /** Gives up all lanes of a process, which stays without being a member, or leaves. */
  leave(nodeId: string, stays: boolean): Promise<void>

  lanes(): Promise<readonly { readonly number: number; readonly node_id: string | null }[]>
  give(nodeId: string, lanes: readonly number[]): Promise<void>
  /**
   * Takes lanes that no other process holds, or one that is gone, if the process itself is there.
   * @returns those of them that it has now.
   */
  take(nodeId: string, lanes: readonly number[]): Promise<readonly number[]>

  sayChanging(nodeId: string): Promise<void>
  /**
   * A file becomes the newest when it is there for the first time, or when a process returns to it from the newest one.
   * @param before the file that the process had until now; empty when it had none.
   */
  sayDefinition(nodeId: string, definition: Definition, before: string): Promise<void>
  /** Whether another member has another definition, or had one that is newer before it went silent lately; or this one has none. */
  differs(nodeId: string, definition: string): Promise<boolean>
  /** Files of processes that went silent lately, as when they were killed: they may come back. Not those that a process has left since. */
  silentFiles(): Promise<readonly DefinedFile[]>
  /** Where a file lets events go, as JSON text. */
  routesOf(file: string): Promise<string | undefined>

  changes(): Promise<ChangeCount | undefined>
  /** Returns the count, and the members that have not applied all changes. */
  changesAndBehind(): Promise<(ChangeCount & { readonly behind: readonly string[] }) | undefined>
  sayApplied(nodeId: string, count: number): Promise<void>
  /** Members that have not applied so many changes. */
  behind(count: number): Promise<readonly string[]>

  addBarrier(workspaceId: string, destinationId: string | undefined): Promise<number>
  barriersAfter(id: number, max: number): Promise<readonly Barrier[]>
  sayPassed(nodeId: string, id: number): Promise<void>
  /** Whether a member has not passed. */
  hasNotPassed(id: number): Promise<boolean>
}
