import type { Stage, StageError } from '@sluice/core'
import type { DestinationLine } from '../flow/flow.ts'
import type { ConsumerStart, CrashStore, EventPlace } from '../ports/crash-store.ts'
import type { LogPosition } from '../ports/event-log.ts'
import { readBatchesMax } from './consumer.ts'

/** Starts with the same batch in which it is processed as always; then its consumer is careful. */
const triesMax = 2
/** Ends of a process, while an event was processed alone, after which the event is set aside. */
const suspicionsMax = 2
/** Other consumers take turns with careful ones for so long at most, whether those are done or not. */
const turnsMs = 60_000

/** What an event ends with that was under way, alone, when a process ended, more than once. */
export const quarantined: StageError = {
  code: 'stage.crashed',
  message:
    'The process ended twice while this event was processed alone, after it had ended twice with the batch of the event. The event was set aside so that the others continue.',
}

/** An event of a careful consumer. */
export interface CarefulEvent {
  readonly workspaceId: string
  readonly consumer: string
  readonly place: EventPlace
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
 * and each event alone, after it has been written down which one it is. An event during which the process ends twice
 * fails (`stage.crashed`, a dead letter). Meanwhile the stages of other consumers take turns with those of the careful
 * ones, so that it is certain whose doing the end was. Requests are sent as always: a destination that is slow to answer
 * holds nobody up, and a process that is ended from outside while one is waited for blames no event.
 *
 * Nothing of this costs a write while processes stop in order or consumers move.
 */
export class Quarantine {
  readonly #store: CrashStore
  readonly #careful = new Map<string, Careful>()
  readonly #workspaces = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #isOver = false
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
      this.#timer ??= setTimeout(() => {
        this.#isOver = true
      }, turnsMs).unref()
    }
  }

  isCareful(workspaceId: string, consumer: string): boolean {
    return this.#careful.has(keyOf(workspaceId, consumer))
  }

  /** Whether the process ended with this event too often for another try. */
  isSetAside({ workspaceId, consumer, place }: CarefulEvent): boolean {
    const { suspects = [] } = this.#careful.get(keyOf(workspaceId, consumer)) ?? {}
    const isHere = ({ position, index }: EventPlace) => position === place.position && index === place.index
    return suspects.filter(isHere).length >= suspicionsMax
  }

  /** The same line; while a consumer is careful, its stages before delivery run in turns. @param event what a careful consumer gives it. */
  inTurns(line: DestinationLine, event?: CarefulEvent): DestinationLine {
    if (event === undefined && (this.#careful.size === 0 || this.#isOver)) return line
    const turned = <In, Out>(stage: Stage<In, Out>): Stage<In, Out> => ({
      name: stage.name,
      mutatesInput: stage.mutatesInput,
      run: (batch, signal) => this.#turn(() => stage.run(batch, signal), event),
    })
    return { ...line, transform: line.transform.map(turned), destinationTransform: turned(line.destinationTransform) }
  }

  /** A consumer has passed a batch. */
  passed(workspaceId: string, consumer: string, position: LogPosition): void {
    const key = keyOf(workspaceId, consumer)
    const careful = this.#careful.get(key)
    if (careful === undefined) return
    careful.batchesLeft -= 1
    if (careful.batchesLeft <= 0 || position >= careful.end) this.#careful.delete(key)
  }

  /** A consumer will not run any more. */
  forget(workspaceId: string, consumer: string): void {
    this.#careful.delete(keyOf(workspaceId, consumer))
  }

  /** The process stops in order. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    for (const workspaceId of this.#workspaces) await this.#store.stopped(workspaceId)
  }

  #turn<T>(work: () => Promise<T>, event: CarefulEvent | undefined): Promise<T> {
    const result = this.#last.then(() => (event ? this.#watched(work, event) : work()))
    this.#last = result.catch(() => {})
    return result
  }

  async #watched<T>(work: () => Promise<T>, { workspaceId, consumer, place }: CarefulEvent): Promise<T> {
    await this.#store.trying(workspaceId, consumer, place)
    try {
      return await work()
    } finally {
      await this.#store.tried(workspaceId, consumer)
    }
  }
}

function isSuspicious({ tries, suspects }: ConsumerStart): boolean {
  return tries > triesMax || suspects.length > 0
}

function keyOf(workspaceId: string, consumer: string): string {
  return JSON.stringify([workspaceId, consumer])
}
