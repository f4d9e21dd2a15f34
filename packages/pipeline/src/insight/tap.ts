import { type ErrorCode, SharedBudget, type SourcedEvent } from '@sluice/core'

/** What happened to one event, as it may be watched: ids and names, no payload, and no text that user code wrote. */
export interface TapEntry {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly workspaceId: string
  readonly sourceId: string
  /** Absent where it was accepted. */
  readonly destinationId?: string
  readonly messageId: string
  /** `type` and `event` of what was sent; '' where there is none. */
  readonly type: string
  readonly event: string
  readonly outcome: 'accepted' | 'delivered' | 'deferred' | 'dropped' | 'failed'
  /** Where it ended or waits. */
  readonly stage: string
  /** Why it was dropped. */
  readonly reason?: string
  /** Why it failed or waits. */
  readonly code?: ErrorCode
}

/** Lets people watch what happens now. Nothing is stored, and no entries are made without a watcher. */
export interface Tap {
  /** Returns whether anyone watches the workspace. To be called before entries are made. */
  isOpen(workspaceId: string): boolean
  /** Shows entries to all who watch their workspaces. */
  show(entries: readonly TapEntry[]): void
  /**
   * When as many watch as may, the oldest watcher of the workspace with most of them makes room for one of another.
   * @param watcher gets what happens in these workspaces, until it closes.
   * @returns how to stop, or undefined when this workspace has most watchers itself.
   */
  open(workspaceIds: readonly string[], watcher: TapWatcher): (() => void) | undefined
  /** How many watch a workspace alone, and how many may watch in all. */
  watchers(workspaceId: string): { readonly held: number; readonly limit: number }
  /** Closes all watchers, and refuses new ones. */
  close(): void
}

export interface TapWatcher {
  show(entry: TapEntry): void
  /** The tap was closed. */
  end(): void
}

/** Characters of a name; longer ones are cut, since an entry is one line. */
const nameLengthMax = 200

/** What is shown of an event itself. */
export function tapEntry(
  { workspaceId, sourceId, event }: SourcedEvent,
  at: number,
): Pick<TapEntry, 'at' | 'workspaceId' | 'sourceId' | 'messageId' | 'type' | 'event'> {
  const { messageId = '', type, event: name } = event
  return { at, workspaceId, sourceId, messageId, type: nameOf(type), event: nameOf(name) }
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? Buffer.from(value.slice(0, nameLengthMax)).toString() : ''
}

/** Every watcher costs work for every event; more people than this seldom look at one process. */
const watchersMax = 16

export function createTap(): Tap {
  /** The oldest first. */
  const watchers = new Map<TapWatcher, ReadonlySet<string>>()
  const budget = new SharedBudget(watchersMax)
  let isClosed = false
  const leave = (watcher: TapWatcher): void => {
    const ids = watchers.get(watcher)
    if (ids && watchers.delete(watcher)) budget.share(holderOf(ids)).take(-1)
  }
  const makeRoom = (holder: string): boolean => {
    const first = budget.firstToGiveUp(holder, 1)
    if (first === undefined) return true
    const oldest = [...watchers].find(([, ids]) => holderOf(ids) === first)?.[0]
    if (first === holder || oldest === undefined) return false
    leave(oldest)
    oldest.end()
    return true
  }
  return {
    isOpen: (workspaceId) => {
      for (const ids of watchers.values()) if (ids.has(workspaceId)) return true
      return false
    },
    show: (entries) => {
      for (const [watcher, ids] of [...watchers])
        for (const entry of entries) if (ids.has(entry.workspaceId)) watcher.show(entry)
    },
    open: (workspaceIds, watcher) => {
      const ids = new Set(workspaceIds)
      if (isClosed || !makeRoom(holderOf(ids))) return undefined
      watchers.set(watcher, ids)
      budget.share(holderOf(ids)).take(1)
      return () => leave(watcher)
    },
    watchers: (workspaceId) => ({ held: budget.shares.get(workspaceId)?.held ?? 0, limit: budget.total }),
    close: () => {
      isClosed = true
      for (const watcher of [...watchers.keys()]) {
        leave(watcher)
        watcher.end()
      }
    },
  }
}

/** Whose watcher it is: those of several workspaces are the operator's, and count together. */
function holderOf(ids: ReadonlySet<string>): string {
  const [only = '', ...others] = ids
  return others.length === 0 ? only : ''
}
