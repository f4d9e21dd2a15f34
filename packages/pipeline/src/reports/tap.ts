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
  readonly outcome: 'accepted' | 'delivered' | 'deferred' | 'dropped' | 'failed'
  /** Where it ended or waits. */
  readonly stage: string
  /** Why it was dropped. */
  readonly reason?: string
  /** Why it failed or waits. */
  readonly code?: ErrorCode
}

/** Shows people what happens to events. */
export type Tap = Watching<TapEntry>

export const createTap = (): Tap => createWatching()

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
