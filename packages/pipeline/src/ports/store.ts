import type { ConfigurationStore } from '@sluice/configuration'
import type { RegulationStore } from '@sluice/regulation'
import type { SchemaStore } from '@sluice/schema'
import type { TransformationStore } from '@sluice/transformations'
import type { Cluster, ClusterProcesses } from './cluster.ts'
import type { EventLog } from './event-log.ts'
import type { LostBatches } from './lost-batches.ts'
import type { AuditLog } from './stores/audit-log.ts'
import type { ChangeLog } from './stores/change-log.ts'
import type { CounterStore } from './stores/counter-store.ts'
import type { CrashStore } from './stores/crash-store.ts'
import type { DeadLetterStore } from './stores/dead-letter-store.ts'
import type { HistoryStore } from './stores/history-store.ts'
import type { LoadStore } from './stores/load-store.ts'
import type { ReceiptStore } from './stores/receipt-store.ts'
import type { RetryStore } from './stores/retry-store.ts'
import type { SessionStore } from './stores/session-store.ts'

/** Everything Sluice remembers, behind one handle. */
export interface Store {
  /** What operators call it, such as `SQLite`; left out, it has no name. */
  readonly kind?: string
  readonly log: EventLog
  readonly counters: CounterStore
  readonly history: HistoryStore
  readonly receipts: ReceiptStore
  readonly retries: RetryStore
  readonly loads: LoadStore
  readonly deadLetters: DeadLetterStore
  readonly regulations: RegulationStore
  readonly schema: SchemaStore
  readonly transformations: TransformationStore
  readonly configuration: ConfigurationStore
  readonly audit: AuditLog
  readonly changeLog: ChangeLog
  readonly crashes: CrashStore
  readonly sessions: SessionStore
  /** Of a store that several processes share. */
  readonly cluster?: Cluster
  /**
   * Returns the processes that share the store, in order of id; absent where one has it for itself. It waits for their beats: up
   * to half a lease.
   */
  processes?(): Promise<ClusterProcesses>
  /** Leaves nothing on disk of what was deleted before, as far as the store itself decides that: see its README. */
  wipe(): Promise<void>
  /** Acknowledged batches that were found missing, now or before. */
  lostBatches(): Promise<readonly LostBatches[]>
  /** Number of acknowledged commits that were found missing, now or before, whatever they had changed. Left out, it does not count them. */
  lostCommits?(): Promise<number>
  /**
   * Writes a consistent copy of everything to a new file, for its owner only, while other work continues; what was acknowledged
   * before is in it. Only one at a time; a store that cannot has none.
   * @param path left out, a file beside the store, which the caller removes. @returns where it is.
   */
  backup?(path?: string): Promise<string>
  /**
   * Whether it ended by itself, or its files are in their place no more: nothing is answered any more, until it is opened again.
   * Left out, it does not.
   */
  isLost?(): boolean
  /** Whether its files were found damaged while it is in use. Left out, it is not checked. */
  isDamaged?(): boolean
  /** Whether writes fail, for example because the disk is full. It is tried again. Left out, it is not known. */
  isUnwritable?(): boolean
  /** Whether it lacked commits that it had acknowledged when it was opened. Left out, it is not known. */
  isSetBack?(): boolean
  /** Waits for work under way, then closes all files. Calling it twice is fine. */
  close(): Promise<void>
}
