import type { StageError } from '@sluice/core'
import { readBatchesMax } from './consumer.ts'
import type { ConsumerStart, CrashStore, EventPlace } from './crash-store.ts'
import type { LogPosition } from './event-log.ts'

/** Tries a batch has in which it is processed together with others; then its consumer is careful. */
const triesMax = 2
/** The others start after so long, whether the careful consumers are done or not. */
const othersWaitMs = 60_000

/** What an event ends with that was under way, alone, when a process ended. */
export const quarantined: StageError = {
  code: 'stage.crashed',
  message:
    'The process ended while this event was processed alone, after it had ended twice with the batch of the event. The event was set aside so that the others continue.',
}

interface Careful {
  /** As many as may have been under way together, taken one by one. */
  batchesLeft: number
  /** The end of the log when the process started. */
  readonly end: LogPosition
  readonly suspects: readonly EventPlace[]
}

/**
 * Keeps an event that ends the process from ending it at every start, and from taking its neighbours with it.
 *
 * A consumer that stands where it stood in two processes that crashed is careful: it takes its next batches one by one,
 * and each event alone, after it has been written down which one it is. If the process ends again, the next one fails
 * that event (`stage.crashed`, a dead letter) and continues. Meanwhile other consumers wait, so that it is certain whose
 * doing the end was. Nothing of this costs a write while processes stop in order or consumers move.
 */
export class Quarantine {
  readonly #store: CrashStore
  readonly #careful = new Map<string, Careful>()
  readonly #workspaces = new Set<string>()
  readonly #waiting = new Set<() => void>()
  #timer: NodeJS.Timeout | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(store: CrashStore) {
    this.#store = store
  }

  /** Looks what earlier processes left of these consumers; to be awaited before they start. @param end of the log. */
  async open(workspaceId: string, cursors: ReadonlyMap<string, LogPosition>, end: LogPosition): Promise<void> {
    this.#workspaces.add(workspaceId)
    for (const [consumer, start] of await this.#store.started(workspaceId, cursors)) {
      const cursor = cursors.get(consumer) ?? end
      if (cursor >= end || !isSuspicious(start)) continue
      this.#careful.set(keyOf(workspaceId, consumer), { batchesLeft: readBatchesMax, end, suspects: start.suspects })
    }
  }

  isCareful(workspaceId: string, consumer: string): boolean {
    return this.#careful.has(keyOf(workspaceId, consumer))
  }

  /** Calls `start` at once for a careful consumer, or when there is none; for others when those are done. */
  start(workspaceId: string, consumer: string, start: () => void): void {
    if (this.#careful.size === 0 || this.isCareful(workspaceId, consumer)) {
      start()
      return
    }
    this.#waiting.add(start)
    this.#timer ??= setTimeout(() => this.#release(), othersWaitMs).unref()
  }

  /** Processes one event of a careful consumer while no other careful one is processed; a suspect is not, and gives undefined. */
  async alone<T>(
    workspaceId: string,
    consumer: string,
    place: EventPlace,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const { suspects = [] } = this.#careful.get(keyOf(workspaceId, consumer)) ?? {}
    if (suspects.some(({ position, index }) => position === place.position && index === place.index)) return undefined
    const result = this.#last.then(async () => {
      await this.#store.trying(workspaceId, consumer, place)
      try {
        return await work()
      } finally {
        await this.#store.tried(workspaceId, consumer)
      }
    })
    this.#last = result.catch(() => {})
    return result
  }

  /** A consumer has passed a batch. */
  passed(workspaceId: string, consumer: string, position: LogPosition): void {
    const key = keyOf(workspaceId, consumer)
    const careful = this.#careful.get(key)
    if (careful === undefined) return
    careful.batchesLeft -= 1
    if (careful.batchesLeft <= 0 || position >= careful.end) this.#end(key)
  }

  /** A consumer will not run any more. */
  forget(workspaceId: string, consumer: string): void {
    if (this.#careful.has(keyOf(workspaceId, consumer))) this.#end(keyOf(workspaceId, consumer))
  }

  /** The process stops in order. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#waiting.clear()
    for (const workspaceId of this.#workspaces) await this.#store.stopped(workspaceId)
  }

  #end(key: string): void {
    this.#careful.delete(key)
    if (this.#careful.size === 0) this.#release()
  }

  #release(): void {
    clearTimeout(this.#timer)
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const start of waiting) start()
  }
}

function isSuspicious({ tries, suspects }: ConsumerStart): boolean {
  return tries > triesMax || suspects.length > 0
}

function keyOf(workspaceId: string, consumer: string): string {
  return JSON.stringify([workspaceId, consumer])
}
