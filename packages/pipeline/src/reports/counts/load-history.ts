import { consumerNameOf } from '../../ports/consumer-name.ts'
import { type LoadAttempt, type LoadStore, loadAttemptsMax } from '../../ports/stores/load-store.ts'
import type { MinuteMeasures } from '../history/minute-measures.ts'

/** What is known of the loads of a destination. */
export interface LoadState {
  readonly workspaceId: string
  readonly destinationId: string
  /** Events that this process has collected for its next load. */
  readonly collected: number
  /** Since when loads have failed, in milliseconds since the epoch; absent while they work. */
  readonly failingSince?: number
  /** The newest first, at most 100, by all processes of the store. */
  readonly attempts: readonly LoadAttempt[]
}

type Key = Pick<LoadState, 'workspaceId' | 'destinationId'>

/** Remembers the last loads of each destination, for people who ask how they went. */
export class LoadHistory {
  readonly #store: LoadStore
  readonly #measures: Pick<MinuteMeasures, 'delays'> | undefined
  readonly #collected = new Map<string, number>()

  constructor(store: LoadStore, measures?: Pick<MinuteMeasures, 'delays'>) {
    this.#store = store
    this.#measures = measures
  }

  /** @param attemptsMax how many attempts to read. */
  async of({ workspaceId, destinationId }: Key, attemptsMax = loadAttemptsMax): Promise<LoadState> {
    const attempts = await this.#store.attempts(workspaceId, consumerNameOf(destinationId), attemptsMax)
    const failingSince = attempts[0]?.failingSince
    return {
      workspaceId,
      destinationId,
      collected: this.#collected.get(idOf({ workspaceId, destinationId })) ?? 0,
      failingSince,
      attempts,
    }
  }

  collected(key: Key, events: number): void {
    if (events > 0) this.#collected.set(idOf(key), events)
    else this.#collected.delete(idOf(key))
  }

  async ended({ workspaceId, destinationId }: Key, attempt: LoadAttempt): Promise<void> {
    const { startedAt, endedAt, events } = attempt
    if (events > 0) this.#measures?.delays(workspaceId, destinationId, 'loadMs').record(endedAt - startedAt)
    await this.#store.ended(workspaceId, consumerNameOf(destinationId), attempt)
  }
}

function idOf({ workspaceId, destinationId }: Key): string {
  return JSON.stringify([workspaceId, destinationId])
}
