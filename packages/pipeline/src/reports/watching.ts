import { SharedBudget } from '@sluice/core'

/** Lets people watch what happens now. Nothing is stored, and no entries are made without a watcher. */
export interface Watching<Entry> {
  /** Returns whether anyone watches the workspace. To be called before entries are made. */
  isOpen(workspaceId: string): boolean
  /** Shows entries to all who watch their workspaces. */
  show(entries: readonly Entry[]): void
  /**
   * When as many watch as may, the oldest watcher of the workspace with most of them makes room for one of another.
   * @param watcher gets what happens in these workspaces, until it closes.
   * @returns how to stop, or undefined when this workspace has most watchers itself.
   */
  open(workspaceIds: readonly string[], watcher: Watcher<Entry>): (() => void) | undefined
  /** How many watch a workspace alone, and how many may watch in all. */
  watchers(workspaceId: string): { readonly held: number; readonly limit: number }
  /** Closes all watchers, and refuses new ones. */
  close(): void
}

export interface Watcher<Entry> {
  show(entry: Entry): void
  /** Watching was ended by the server. */
  end(): void
}

/** Every watcher costs work for every event; more people than this seldom look at one process. */
const watchersMax = 16

/** Creates watching for entries that belong to a workspace each. */
export function createWatching<Entry extends { readonly workspaceId: string }>(): Watching<Entry> {
  /** The oldest first. */
  const watchers = new Map<Watcher<Entry>, ReadonlySet<string>>()
  const budget = new SharedBudget(watchersMax)
  let isClosed = false
  const leave = (watcher: Watcher<Entry>): void => {
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
