import type { Routes } from './routes.ts'

/** What an operator wants to be tried before its time: an event at a destination whose circuit is open, or deletions that are due. */
export type EarlyTry =
  | { readonly kind: 'circuit'; readonly workspaceId: string; readonly destinationId: string }
  | { readonly kind: 'deletions' }

/** The definition of workspaces that a process has. */
export interface Definition {
  /** The same in all processes that have the same one. */
  readonly digest: string
  /** Digest of what the file alone defines. */
  readonly file: string
  /** Number of the stored configuration that it contains, which all processes have the newest of within moments. */
  readonly revision: number
  readonly routes: Routes
}

/**
 * What processes that share a store need of each other. Each holds some lanes of the log: the users whose events it
 * observes and delivers; all take events of all users. A store that one process has for itself has no cluster.
 */
export interface Cluster {
  /**
   * Takes part with this process: it is given lanes, and counts among those that must apply changes. Resolves when it
   * serves. May be called once.
   */
  join(member: ClusterMember): Promise<void>
  /** Gives up all lanes; nothing in them may be under way. The process takes none again, and changes wait for it no more. */
  handOver(): Promise<void>
  /**
   * Whether this process may process events: the others still count on it, and it has applied what they count on.
   * Otherwise a regulation may be in force that it has not seen, so nothing may pass.
   */
  readonly isServing: boolean
  /** Whether this process does what only one may do at a time, such as deletions. */
  readonly isLeader: boolean
  /**
   * Says which definition of workspaces this process has; undefined while it changes to another one.
   */
  defined(definition: Definition | undefined): Promise<void>
  /**
   * Where the newest definition lets events go, while another living process, or one that was killed lately, has a newer file
   * than this one: new events go there. Undefined while this process has the newest. As of the last beat.
   *
   * A file is newer than those that the store has seen before it. One that comes back in a new process is as old as before;
   * one to which a running process returns from the newest becomes the newest.
   */
  readonly newerRoutes: Routes | undefined
  /**
   * Whether all living processes have the same definition. While they have not, a destination that this process does not
   * know may be a new one of others: its events wait.
   */
  agrees(): Promise<boolean>
  /** Whether the store lacked what it had acknowledged, and no operator has confirmed that. As of the last beat. */
  readonly hasUnconfirmedLoss: boolean
  /** Figures of this process, for those who watch it. */
  readonly measures: ClusterMeasures
  /**
   * Resolves when every living process has applied all changes made so far.
   * @throws when that takes too long: the changes are stored, and not yet in force everywhere.
   */
  applied(): Promise<void>
  /**
   * Resolves when every living process has ended the work that it had begun before the call: see `ClusterMember.passed`.
   * @throws the abort reason of `signal`.
   */
  passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void>
  /**
   * Has the other processes try something now. One that cannot be reached at this moment does not: it tries when the time
   * comes.
   */
  tryNow(early: EarlyTry): void
}

/** What a process takes of its machine and does, over the last ten seconds or so. */
export interface ProcessVitals {
  /** Time on a core, as a share: 2 when it keeps two cores busy. */
  readonly cpuShare: number
  /** Memory that it has of the machine. */
  readonly memoryBytes: number
  readonly acceptedPerSecond: number
  /** Events taken to a destination: one that goes to three counts three times. */
  readonly sentPerSecond: number
}

/** One of the processes that share a store. */
export interface ClusterProcess {
  readonly id: string
  /** Whether it is the process that was asked. */
  readonly isThis: boolean
  /** `starting`: it takes no part yet. `draining`: it was asked to hold no lanes. `silent`: it did not beat while it was watched. */
  readonly state: 'serving' | 'starting' | 'draining' | 'silent'
  /** Milliseconds since its last beat; of a silent one, for how long it was watched. */
  readonly beatAgeMs: number
  /** Numbers of the lanes it holds. */
  readonly lanes: readonly number[]
  /** As of its last beat; left out for one of a release that does not say. */
  readonly vitals?: ProcessVitals
}

export interface ClusterProcesses {
  readonly processes: readonly ClusterProcess[]
  /** Lanes that no process holds. */
  readonly lanesWithoutOwner: readonly number[]
}

export interface ClusterMeasures {
  /** Lanes that this process holds. */
  readonly lanes: number
  /** Lanes that it took from processes that had gone silent, since it started. */
  readonly takenOver: number
  /** Appends and commits that the store refused because others did not count on this process any more, since it started. */
  readonly refused: number
  /** Writes that may be stored or not, because the store did not answer and could not be asked, since it started. */
  readonly unknown: number
  /** Milliseconds for which it may continue without another answer of the store; 0 when it must not. */
  readonly leaseLeftMs: number
  /** Those of the living processes that have another definition of workspaces than this one, as of the last beat. */
  readonly otherDefinitions: number
  /** Living processes that take part, this one included, as of the last beat. */
  readonly nodes: number
}

/** What a process does for its cluster. */
export interface ClusterMember {
  /** For how long messages are remembered, to find duplicates, in milliseconds; left out where none are. */
  readonly deduplicationMs?: number
  /** Returns what the process takes and does, for those who watch the cluster. Called with each beat. */
  vitals?(): ProcessVitals
  /** Stops reading the log, and what is under way after `deadlineMs`: lanes are about to change. */
  pause(deadlineMs: number): Promise<void>
  /** Continues with the lanes that the process holds now. */
  resume(): Promise<void>
  /**
   * Applies the regulations that were made so far; where they changed, also the code, its connections and the configuration.
   * `hasJoined` says that the process does so for the first time since it joined, or joined again: the store may be another
   * one, or lack what it had acknowledged. Until it resolves, the process does not serve.
   */
  apply(changed: { readonly code: boolean; readonly hasJoined: boolean }): Promise<void>
  /**
   * The process does not take part any more, and will join again. Resolves when nothing is being written any more that
   * supposes that the store still has everything that it had acknowledged.
   */
  lost(): Promise<void>
  /** Events were deferred by others, for users of lanes that this process holds. */
  deferred(workspaceId: string): void
  /** An operator wants something to be tried now, and asked another process. */
  tryNow(early: EarlyTry): void
  /** Resolves when the work that was begun before has ended: see `Engine.passed`. */
  passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void>
}
