import type { ErrorCode, SourcedEvent } from '@sluice/core'
import { createWatching, type Watching } from './watching.ts'

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
  /** Milliseconds since it was accepted, where that is known; absent where it was accepted. */
  readonly tookMs?: number
  readonly outcome: 'accepted' | 'delivered' | 'deferred' | 'dropped' | 'failed'
  /** Where it ended or waits. */
  readonly stage: string
  /** Why it was dropped. */
  readonly reason?: string
  /** Why it failed or waits. */
  readonly code?: ErrorCode
}

/** Shows people what happens to events, and keeps the last entries for those who come later. */
export interface Tap extends Watching<TapEntry> {
  /**
   * Returns how many of some entries of a workspace are wanted, the first ones. To be called before they are made: where no
   * one watches, so many in a second are enough.
   */
  wanted(workspaceId: string, entries: number, at: number): number
  /** Returns the last entries of workspaces, the oldest first, at most `limit`. */
  last(workspaceIds: readonly string[], limit: number): readonly TapEntry[]
  /**
   * Forgets the entries of a workspace that are kept, and keeps none of events that were accepted until then: their entries
   * may still be on the way. @param at now, in milliseconds since the epoch.
   */
  forget(workspaceId: string, at: number): void
}

/** Entries that are kept of each workspace, of some hundred bytes each. */
export const keptEntriesMax = 1_000
/** Entries of one second that are made where no one watches. */
const unwatchedPerSecond = 100
/** Workspaces whose entries are kept; then the one whose entries are kept for longest makes room. */
const workspacesMax = 1_000

interface Kept {
  /** The oldest first. */
  readonly entries: TapEntry[]
  second: number
  made: number
}

export function createTap(): Tap {
  const watching = createWatching<TapEntry>()
  const kept = new Map<string, Kept>()
  /** When entries were forgotten last, by workspace. */
  const forgottenAt = new Map<string, number>()
  const keptOf = (workspaceId: string): Kept => {
    const known = kept.get(workspaceId)
    if (known) return known
    const [oldest] = kept.size < workspacesMax ? [] : kept.keys()
    if (oldest !== undefined) kept.delete(oldest)
    const created = { entries: [], second: 0, made: 0 }
    kept.set(workspaceId, created)
    return created
  }
  return {
    ...watching,
    wanted(workspaceId, entries, at) {
      if (watching.isOpen(workspaceId)) return entries
      const place = keptOf(workspaceId)
      const second = Math.floor(at / 1_000)
      if (place.second !== second) {
        place.second = second
        place.made = 0
      }
      const room = Math.min(entries, unwatchedPerSecond - place.made)
      place.made += room
      return room
    },
    show(entries) {
      for (const entry of entries) {
        const { workspaceId, at, tookMs = 0 } = entry
        if (at - tookMs > (forgottenAt.get(workspaceId) ?? Number.NEGATIVE_INFINITY))
          keptOf(workspaceId).entries.push(entry)
      }
      for (const workspaceId of new Set(entries.map((entry) => entry.workspaceId))) {
        const { entries: all } = keptOf(workspaceId)
        if (all.length > keptEntriesMax) all.splice(0, all.length - keptEntriesMax)
      }
      watching.show(entries)
    },
    last(workspaceIds, limit) {
      const all = workspaceIds.flatMap((id) => kept.get(id)?.entries ?? [])
      const inOrder = workspaceIds.length > 1 ? all.sort((a, b) => a.at - b.at) : all
      return inOrder.slice(-limit)
    },
    forget(workspaceId, at) {
      kept.delete(workspaceId)
      forgottenAt.set(workspaceId, at)
    },
    close() {
      kept.clear()
      watching.close()
    },
  }
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
