import { fail, type SourcedEvent, type Stage, type StageError } from '@sluice/core'
import { type DestinationPath, withWrappedStages } from '../flow/destination-path.ts'
import { wrapStage } from '../flow/stages/wrap-stage.ts'
import { readBatchesMax } from '../ports/event-log.ts'
import type { LogPosition } from '../ports/log-position.ts'
import type { ConsumerStart, CrashStore, EventPlace } from '../ports/stores/crash-store.ts'

/** Starts with the same batch before the consumer becomes careful. */
const triesMax = 2
/** How often a process ends while it processes an event alone before the event is set aside. */
const suspicionsMax = 2
/** How long other consumers take turns with careful ones at most. */
const turnsMs = 60_000

/** The error of an event that was set aside. */
const quarantined: StageError = {
  code: 'stage.crashed',
  message:
    'The process ended twice while this event was processed alone, after it had ended twice with the batch of the event. The event was set aside so that the others continue.',
}

/** An event of a careful consumer. */
interface CarefulEvent {
  readonly workspaceId: string
  readonly consumer: string
  readonly place: EventPlace
}

interface Careful {
  /** Batches that may have been under way together. */
  batchesLeft: number
  /** The end of the log when the process started. */
  readonly end: LogPosition
  readonly suspects: readonly EventPlace[]
}

/**
 * Keeps an event that crashes the process from crashing it at every start, and from taking its neighbours with it.
 *
 * A consumer whose cursor is where it was in two processes that crashed is careful: it processes its next batches one by
 * one and each event alone, after it has stored which one. An event during which the process ends twice fails
 * (`stage.crashed`, a dead letter). Meanwhile the stages of other consumers take turns with those of careful ones, so
 * that it is certain which event caused the crash. Requests are sent as usual: a destination that is slow to answer
 * delays no other, and no event is blamed when the process is killed while it waits for an answer.
 *
 * None of this costs a write while processes stop in order or consumers advance.
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

  /** Reads what earlier processes left of these consumers; to be awaited before they start. @param end of the log. */
  async open(workspaceId: string, cursors: ReadonlyMap<string, LogPosition>, end: LogPosition): Promise<void> {
    this.#workspaces.add(workspaceId)
    for (const [consumer, start] of await this.#store.started(workspaceId, cursors)) {
      const cursor = cursors.get(consumer) ?? end
      if (cursor >= end || !isSuspicious(start)) continue
      this.#careful.set(keyOf(workspaceId, consumer), {
        batchesLeft: start.batchesMax ?? readBatchesMax,
        end,
        suspects: start.suspects,
      })
      this.#timer ??= setTimeout(() => {
        this.#isOver = true
      }, turnsMs).unref()
    }
  }

  isCareful(workspaceId: string, consumer: string): boolean {
    return this.#careful.has(keyOf(workspaceId, consumer))
  }

  /** Whether the process ended with this event too often for another try. */
  #isSetAside({ workspaceId, consumer, place }: CarefulEvent): boolean {
    const { suspects = [] } = this.#careful.get(keyOf(workspaceId, consumer)) ?? {}
    const isHere = ({ lane, position, index }: EventPlace) =>
      lane === place.lane && position === place.position && index === place.index
    return suspects.filter(isHere).length >= suspicionsMax
  }

  /**
   * Returns the same path; while a consumer is careful, its stages before delivery run in turns. An event that is set
   * aside fails in the first of them that could have crashed.
   * @param event the event that a careful consumer processes alone.
   */
  guarded(path: DestinationPath, event?: CarefulEvent): DestinationPath {
    if (event !== undefined && this.#isSetAside(event)) return { ...path, before: [failing(suspectedStage(path))] }
    if (event === undefined && (this.#careful.size === 0 || this.#isOver)) return path
    return withWrappedStages(path, (stage) =>
      wrapStage(stage, (batch, signal) => this.#turn(() => stage.run(batch, signal), event)),
    )
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

/** User code is the likely cause of a crash; without it, mapping is. */
function suspectedStage(path: DestinationPath): string {
  return (path.before.at(-1) ?? path.map).name
}

function failing(name: string): Stage<SourcedEvent> {
  return { name, run: async (batch) => batch.map(() => fail(quarantined)) }
}

function isSuspicious({ tries, suspects }: ConsumerStart): boolean {
  return tries > triesMax || suspects.length > 0
}

function keyOf(workspaceId: string, consumer: string): string {
  return JSON.stringify([workspaceId, consumer])
}
