import type { LogPosition } from '../log-position.ts'

/** One event of the log: its batch, and its place in it. */
export interface EventPlace {
  /** In a log with lanes. */
  readonly lane?: number
  readonly position: LogPosition
  readonly index: number
}

/** What earlier processes left of a consumer. */
export interface ConsumerStart {
  /**
   * Starts of a process that found the consumer where it is now, this one included. 1 when it has moved since the
   * start before, or that process stopped in order.
   */
  readonly tries: number
  /** Events of batches it has not passed that were under way, each alone, when a process ended: once for every such end. */
  readonly suspects: readonly EventPlace[]
  /** How many batches may have been under way together when a process ended. Default: as many as a consumer reads at a time. */
  readonly batchesMax?: number
}

/** Remembers across crashes what was under way. Writes happen at starts, and while a consumer is careful: see Quarantine. */
export interface CrashStore {
  /**
   * Records that a process begins with these consumers, or continues with other lanes of them. Durable when the promise
   * resolves.
   * @returns what is known of each.
   */
  started(workspaceId: string, cursors: ReadonlyMap<string, LogPosition>): Promise<ReadonlyMap<string, ConsumerStart>>
  /** This event is about to be processed, and nothing else is. Durable when the promise resolves. */
  trying(workspaceId: string, consumer: string, place: EventPlace): Promise<void>
  /** It is no longer under way. */
  tried(workspaceId: string, consumer: string): Promise<void>
  /** The process stops in order: no event is blamed for what is under way from here on. */
  stopped(workspaceId: string): Promise<void>
}

/** What of a consumer is stored. */
export interface StoredStart extends ConsumerStart {
  readonly position: LogPosition
  readonly trying?: EventPlace
}

/** What is to be stored of a consumer when a process starts. @param before what the process before left; none if it stopped in order. */
export function nextStart(before: StoredStart | undefined, cursor: LogPosition): StoredStart {
  const { trying } = before ?? {}
  const suspects = [...(before?.suspects ?? []), ...(trying ? [trying] : [])].filter(
    ({ position }) => position > cursor,
  )
  const isSame = before !== undefined && (before.position === cursor || suspects.length > 0)
  return { position: cursor, tries: isSame ? before.tries + 1 : 1, suspects }
}
