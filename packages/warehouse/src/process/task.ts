import type { JsonObject } from '@sluice/core'
import type { LoadedTable, LoadReport } from '@sluice/destinations'
import type { LoadOf } from '../load/create-loader.ts'
import type { NewTablesLimit } from '../load/plan/new-tables.ts'
import type { ErasedUser } from '../load/warehouse.ts'
import type { RefusedRow } from '../load/warehouse-error.ts'

/** Begins the names of folders for what a process writes. */
export const workFolderPrefix = 'sluice-work-'

/** What a process does for one destination, and what it returns. */
export interface Tasks {
  /** Loads rows. With `replaces`, they take the place of those with the same ids, whatever the settings say. */
  readonly load: {
    readonly given: LoadOf & {
      readonly loadId: string
      readonly replaces?: true
      readonly newTables?: NewTablesLimit
    }
    readonly result: LoadReport
  }
  /** Plans loads. */
  readonly plan: {
    readonly given: LoadOf
    readonly result: readonly LoadedTable[]
  }
  readonly settle: { readonly given: { readonly loadId: string }; readonly result: boolean }
  readonly erase: {
    readonly given: { readonly userIds: readonly string[]; readonly usersPerBatch: number }
    readonly result: readonly ErasedUser[]
  }
  readonly search: { readonly given: { readonly userIds: readonly string[] }; readonly result: readonly ErasedUser[] }
  /** Connects, and does nothing. */
  readonly check: { readonly given: object; readonly result: null }
}

export type TaskKind = keyof Tasks

export type Task = { readonly [Kind in TaskKind]: { readonly kind: Kind } & Tasks[Kind]['given'] }[TaskKind]

/** The warehouse at which a task is done. */
export interface Job {
  /** Type of the destination, such as `POSTGRES`. */
  readonly type: string
  /** Complete, with credentials. */
  readonly settings: JsonObject
  /** Addresses besides public ones to which the process may connect. */
  readonly allowAddresses: readonly string[]
}

export type MessageToWorker =
  | { readonly kind: 'begin'; readonly job: Job; readonly task: Task }
  /** Rows of the load that `next-load` asks for: see `PackedRows`. */
  | { readonly kind: 'rows'; readonly slice: string }
  /** That load is complete. */
  | { readonly kind: 'load-is-whole' }
  /** There are no more loads. */
  | { readonly kind: 'no-more-loads' }
  | { readonly kind: 'abort' }
  | { readonly kind: 'ping' }

export type MessageFromWorker =
  /** Asks for the rows of the next load. */
  | { readonly kind: 'next-load' }
  | { readonly kind: 'pong' }
  | { readonly kind: 'done'; readonly result: Tasks[TaskKind]['result'] }
  | {
      readonly kind: 'failed'
      readonly message: string
      readonly code: string
      /** The rows that made the load fail. */
      readonly refused?: readonly RefusedRow[]
    }
  /** Why the process is about to end. */
  | { readonly kind: 'ending'; readonly reason: string }
