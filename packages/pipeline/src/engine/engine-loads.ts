import type { Clock } from '@sluice/core'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { Store } from '../ports/store.ts'
import { findLoadConflicts, type LoadConflict } from '../reports/counts/load-conflicts.ts'
import type { LoadHistory, LoadState } from '../reports/counts/load-history.ts'
import type { RunningWorkspaces } from './running-workspaces.ts'

/** How long a caller who waits for loads waits between two looks, in milliseconds. */
const lookMs = 50

interface EngineLoadsParts {
  readonly clock: Clock
  readonly store: Pick<Store, 'schema'>
  readonly running: RunningWorkspaces
  readonly history: LoadHistory
  /** Aborts when the engine stops. */
  readonly stopping: AbortSignal
}

/** The loads of an engine into warehouses. */
export class EngineLoads {
  readonly #parts: EngineLoadsParts

  constructor(parts: EngineLoadsParts) {
    this.#parts = parts
  }

  /** Returns the ids of the destinations of a workspace into which events are loaded, in order. */
  warehouses(workspaceId: string): readonly string[] {
    const destinations = this.#parts.running.flow(workspaceId)?.destinations ?? []
    return destinations.flatMap(({ destinationId, loader }) => (loader ? destinationId : [])).sort()
  }

  /**
   * Returns what is known of the loads into a warehouse, undefined for a destination that does not load.
   * @param attemptsMax how many of the last attempts to return, at most 100.
   */
  async state(workspaceId: string, destinationId: string, attemptsMax?: number): Promise<LoadState | undefined> {
    if (!this.warehouses(workspaceId).includes(destinationId)) return undefined
    return this.#parts.history.of({ workspaceId, destinationId }, attemptsMax)
  }

  /**
   * Loads into a warehouse what was accepted so far, without waiting for its time. It also ends when a load fails, or
   * `signal` aborts; the loads continue then by themselves.
   * @returns what is known of its loads, undefined for a destination that does not load.
   */
  async sync(workspaceId: string, destinationId: string, signal: AbortSignal): Promise<LoadState | undefined> {
    const { clock, running, stopping } = this.#parts
    const state = () => this.state(workspaceId, destinationId, 1)
    const runtime = running.runtime(workspaceId)
    const startedAt = clock.now()
    while (runtime && !stopping.aborted && !signal.aborted) {
      const [last] = (await state())?.attempts ?? []
      if (last?.error !== undefined && last.startedAt >= startedAt) break
      const path = this.#path(workspaceId, destinationId)
      if (!path?.loader || path.pausedAt !== undefined || !(await runtime.isBehind(destinationId))) break
      // A consumer that is waited for loads at once.
      void runtime.passed(destinationId)
      await clock.sleep(lookMs, signal)
    }
    return state()
  }

  /**
   * Returns the columns of a warehouse that do not fit values of events that were seen: see `findLoadConflicts`.
   * @throws an Error when the warehouse cannot be asked.
   */
  async conflicts(
    workspaceId: string,
    destinationId: string,
    signal: AbortSignal,
  ): Promise<readonly LoadConflict[] | undefined> {
    const { running, store } = this.#parts
    const workspace = running.workspace(workspaceId)
    const path = this.#path(workspaceId, destinationId)
    if (workspace === undefined || path === undefined) return undefined
    const connected = new Set(
      workspace.connections.flatMap((each) => (each.destinationId === destinationId ? each.sourceId : [])),
    )
    const sources = workspace.sources.filter(({ id }) => connected.has(id))
    return findLoadConflicts(workspaceId, sources, path, store.schema, signal)
  }

  #path(workspaceId: string, destinationId: string): DestinationPath | undefined {
    const destinations = this.#parts.running.flow(workspaceId)?.destinations
    return destinations?.find((each) => each.destinationId === destinationId)
  }
}
