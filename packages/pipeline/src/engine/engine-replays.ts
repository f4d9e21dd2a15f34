import { isLargerThan } from '@sluice/core/is-larger-than'
import { type LogReplayQuery, type ReplayStep, replayLog } from '../dead-letters/log-replay.ts'
import { replayOf } from '../dead-letters/replay.ts'
import type { EngineOptions } from '../engine-options.ts'
import { consumerNameOf } from '../ports/consumer-name.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import type { RunningWorkspaces } from './running-workspaces.ts'

/** Characters of dead letters that are handed to the store together. */
const lettersLengthMax = 512 * 1_024

/** Sends events again: dead letters, and events of the log. */
export class EngineReplays {
  readonly #options: EngineOptions
  readonly #running: RunningWorkspaces

  constructor(options: EngineOptions, running: RunningWorkspaces) {
    this.#options = options
    this.#running = running
  }

  /**
   * Sends dead letters again, from where they failed: outputs of the user transformation are sent again, and what failed
   * before starts from the first stage. Suppression is checked again. Unknown ids, and dead letters whose destination is
   * gone, are skipped. @returns how many are on their way.
   */
  async letters(workspaceId: string, ids: readonly string[]): Promise<number> {
    const { store } = this.#options
    const known = new Set(this.#running.workspace(workspaceId)?.destinations.map(({ id }) => id))
    let count = 0
    type Replay = ReturnType<typeof replayOf>
    const replay = async (replays: readonly Replay[]): Promise<void> => {
      const deferred = await store.deadLetters.replay(workspaceId, replays)
      this.#deferred(workspaceId, deferred)
      count += deferred.length
    }
    let some: Replay[] = []
    // One by one, and stored when enough are together: large letters take milliseconds to pass to the store.
    for (const id of ids) {
      const letter = await store.deadLetters.find(workspaceId, id)
      if (letter && known.has(letter.destinationId)) some.push(replayOf(letter, this.#options))
      if (!isLargerThan(some, lettersLengthMax)) continue
      await replay(some)
      some = []
    }
    if (some.length > 0) await replay(some)
    return count
  }

  /**
   * Runs one step of a replay of the log: see `replayLog`.
   * @returns undefined when the destination does not exist or is disabled.
   */
  async log(workspaceId: string, query: LogReplayQuery): Promise<ReplayStep | undefined> {
    const runtime = this.#running.runtime(workspaceId)
    const workspace = this.#running.workspace(workspaceId)
    const { destinationId } = query
    if (!runtime || !workspace?.destinations.some(({ id, enabled }) => id === destinationId && enabled))
      return undefined
    return replayLog(query, {
      ...this.#options,
      workspace,
      flow: runtime.flow,
      cursor: (await this.#options.store.log.cursors(workspaceId)).get(consumerNameOf(destinationId)) ?? 0,
      room: runtime.room(destinationId),
      deferred: (events) => this.#deferred(workspaceId, events),
    })
  }

  /** In a cluster, the store notifies the process that holds the lanes of the users. */
  #deferred(workspaceId: string, events: readonly DeferredEvent[]): void {
    if (this.#options.store.cluster === undefined) this.#running.runtime(workspaceId)?.deferred(events)
  }
}
