import type { Clock } from '@sluice/core'
import type { Engine } from '@sluice/pipeline'
import type { Logger } from './logger.ts'

interface LoadConflictWarningOptions {
  readonly engine: Pick<Engine, 'loads'>
  readonly clock: Clock
  readonly logger: Pick<Logger, 'warn'>
}

/** Wait for more new versions before the tables are compared, so that many share one comparison. */
const waitMs = 2_000
/** Longest comparison with one warehouse. */
const compareMs = 30_000
/** Conflicts that are remembered, so that each is logged once. */
const knownMax = 10_000

/**
 * Logs a warning when events of a new shape have values that do not fit a column of a warehouse: as a rule before their
 * load, which would store NULL. Each column and reason is logged once.
 */
export class LoadConflictWarnings {
  readonly #options: LoadConflictWarningOptions
  /** Workspaces with new versions. */
  readonly #changed = new Set<string>()
  readonly #known = new Set<string>()
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined

  constructor(options: LoadConflictWarningOptions) {
    this.#options = options
  }

  /** Call it when versions of events were stored for the first time. */
  changed(workspaceId: string): void {
    if (this.#options.engine.loads.warehouses(workspaceId).length === 0) return
    this.#changed.add(workspaceId)
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (this.#changed.size > 0 && !signal.aborted) {
      await this.#options.clock.sleep(waitMs, signal).catch(() => {})
      const workspaceIds = [...this.#changed]
      this.#changed.clear()
      for (const workspaceId of workspaceIds) if (!signal.aborted) await this.#compare(workspaceId)
    }
  }

  async #compare(workspaceId: string): Promise<void> {
    const { engine, logger } = this.#options
    for (const destinationId of engine.loads.warehouses(workspaceId)) {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(compareMs)])
      // A warehouse that cannot be asked is reported by its loads.
      const conflicts = await engine.loads.conflicts(workspaceId, destinationId, signal).catch(() => [])
      for (const conflict of conflicts ?? []) {
        const key = JSON.stringify([workspaceId, destinationId, conflict])
        if (this.#known.has(key) || this.#known.size >= knownMax) continue
        this.#known.add(key)
        logger.warn(
          { workspace: workspaceId, destination: destinationId, ...conflict },
          'values that were seen do not fit a column of the warehouse: loads store NULL, and the value in rudder_discards',
        )
      }
    }
  }
}
