import { type Flow, observe, suppressLogged } from '../flow/flow.ts'
import { CountTally } from '../insight/count-tally.ts'
import { countViolations } from '../insight/violations.ts'
import type { LogBatch } from '../ports/event-log.ts'
import { around, type Telemetry } from '../ports/telemetry.ts'
import type { ConsumerWork, Results } from './consumer.ts'
import { sourcedEvents } from './sourced-events.ts'

/**
 * Event shapes after which a commit is due. It bounds the memory for their samples and schemas, and the time for which
 * the commit keeps other workspaces' writes waiting: 0.1 ms per new shape in SQLite.
 */
const versionsPerCommitMax = 200
/** The same for new keys, of which a shape may have many. */
const keysPerCommitMax = 2_000

/** How often an observer commits: what it adds to the store per commit hardly grows with the number of events. */
export const observerPace = { ms: 500, eventsMax: 20_000 }

export interface ObserverOptions {
  readonly workspaceId: string
  /** Returns the current flow. */
  flow(): Flow
  readonly telemetry?: Telemetry
}

/** The consumer of a workspace that learns what its events look like. */
export class ObserverWork implements ConsumerWork {
  readonly pace = observerPace
  readonly #options: ObserverOptions
  #violations: CountTally

  constructor(options: ObserverOptions) {
    this.#options = options
    this.#violations = new CountTally(options.workspaceId)
  }

  async process(batches: readonly LogBatch[], signal: AbortSignal): Promise<number> {
    const { workspaceId, telemetry } = this.#options
    const flow = this.#options.flow()
    for (const [index, batch] of batches.entries()) {
      const allowed = await suppressLogged(flow, sourcedEvents([batch]), signal)
      const work = { kind: 'observe', workspaceId, inputs: allowed.length } as const
      if (allowed.length > 0) await around(telemetry, work, () => observe(flow, allowed, signal))
      if (flow.violations)
        await countViolations(
          flow.violations,
          allowed.map(({ item }) => item),
          this.#violations,
        )
      if (this.isFull) return index + 1
    }
    return batches.length
  }

  get isFull(): boolean {
    const { pendingVersions, pendingKeys } = this.#options.flow().observe
    return pendingVersions >= versionsPerCommitMax || pendingKeys >= keysPerCommitMax
  }

  take(): Results {
    const counts = this.#violations.deltas()
    this.#violations = new CountTally(this.#options.workspaceId)
    return { counts, receipts: [], observed: this.#options.flow().observe.take() }
  }

  discard(): void {
    this.#violations = new CountTally(this.#options.workspaceId)
    this.#options.flow().observe.discard()
  }
}
