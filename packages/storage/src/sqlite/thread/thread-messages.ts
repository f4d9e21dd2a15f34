import type { FileState } from '../file-watch.ts'
import type { StoreRecovery } from '../recovery/store-recovery.ts'
import type { SqliteStores, SqliteStoresSettings } from '../sqlite-stores.ts'
import type { WireError } from './wire-error.ts'

export interface ThreadSetup {
  readonly settings: SqliteStoresSettings
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Seed for the ids of stored records; default the platform's randomness. */
  readonly seed?: number
}

/** A call of one method of a port. */
export interface Call {
  readonly id: number
  readonly port: keyof SqliteStores
  readonly method: string
  readonly args: readonly unknown[]
}

/** The calls of one turn of the event loop. */
export interface MessageToThread {
  /** Current time for these calls: the thread has no clock of its own. */
  readonly now: number
  readonly calls: readonly Call[]
}

export type Reply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly id: number; readonly ok: false; readonly error: WireError }

/** The first message says whether the store could be opened; replies follow, and what becomes known of its file. */
export type MessageFromThread =
  | { readonly kind: 'open'; readonly recovery: StoreRecovery | undefined }
  | { readonly kind: 'refused'; readonly error: WireError }
  | { readonly kind: 'checked'; readonly damage?: WireError }
  | { readonly kind: 'state'; readonly state: FileState; readonly error?: WireError }
  | { readonly kind: 'replies'; readonly replies: readonly Reply[] }

type Methods = { readonly [Port in keyof SqliteStores]: Readonly<Record<keyof SqliteStores[Port], true>> }

/** All methods that can be called. A new method of a port fails type checking until it is listed here. */
export const methods: Methods = {
  log: {
    append: true,
    appendNew: true,
    requireRoom: true,
    usage: true,
    register: true,
    read: true,
    commit: true,
    cursors: true,
    eventsDone: true,
    workspaces: true,
    unregister: true,
    end: true,
    trim: true,
    forgetUsers: true,
  },
  counters: { add: true, read: true, readNamed: true, tidyNamed: true },
  history: { snap: true, add: true, read: true, prune: true },
  receipts: { find: true, count: true, mentioning: true, forget: true },
  retries: { add: true, destinations: true, entries: true, read: true, ofUser: true, ofMessage: true, commit: true },
  deadLetters: {
    list: true,
    ids: true,
    groups: true,
    slots: true,
    find: true,
    ofMessage: true,
    replay: true,
    remove: true,
    forgetUsers: true,
    usage: true,
    forgetOld: true,
  },
  regulations: {
    add: true,
    cancel: true,
    find: true,
    findAll: true,
    list: true,
    all: true,
    activeAt: true,
    hasFurtherKeys: true,
    activeOf: true,
    identify: true,
    changes: true,
  },
  ledgerMarks: { marks: true, mark: true, forget: true },
  segments: { secret: true, write: true, settle: true, settled: true, numbers: true, read: true, reset: true },
  deletions: {
    ofRegulation: true,
    ordered: true,
    hold: true,
    countHeld: true,
    due: true,
    nextDueAt: true,
    begin: true,
    mark: true,
    end: true,
    complete: true,
    bringForward: true,
    resume: true,
  },
  writings: { add: true, of: true, forget: true },
  subjectRequests: {
    add: true,
    find: true,
    due: true,
    nextDueAt: true,
    update: true,
    bringForward: true,
    forget: true,
  },
  schema: {
    merge: true,
    mergeValues: true,
    valuesJson: true,
    models: true,
    model: true,
    versions: true,
    version: true,
    samples: true,
    samplesOf: true,
    structure: true,
    days: true,
    bounds: true,
    forget: true,
  },
  transformations: {
    list: true,
    find: true,
    bytes: true,
    versions: true,
    findVersion: true,
    live: true,
    commit: true,
  },
  configuration: { read: true, revision: true, commit: true },
  audit: { add: true, list: true },
  changeLog: { add: true, list: true },
  crashes: { started: true, trying: true, tried: true, stopped: true },
  sessions: { put: true, find: true, take: true },
  loads: { begin: true, over: true, begun: true, ended: true, attempts: true, forget: true },
  disk: { wipe: true, lostBatches: true, lostCommits: true, backup: true, close: true },
}
