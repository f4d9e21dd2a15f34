/** A piece of work on a batch. Suppressed events are not part of it: only their counter shows them. */
export interface Work {
  /**
   * `append`: accepted events are stored; `deliver`: a batch goes through a destination; `retry`: so do deferred events;
   * `stage`: one stage of that; `load`: collected events are loaded into a warehouse; `observe`: schemas are learnt;
   * `commit`: results are stored with the cursor.
   */
  readonly kind: 'append' | 'deliver' | 'retry' | 'stage' | 'load' | 'observe' | 'commit'
  readonly workspaceId: string
  readonly sourceId?: string
  readonly destinationId?: string
  readonly stage?: string
  /** Events, or what became of them. */
  readonly inputs: number
}

/** What a stage made of its inputs. */
export interface StageOutcomes {
  readonly passed: number
  readonly dropped: number
  readonly failed: number
}

/**
 * Receives what the pipeline does: a few calls per batch, none per event. It must neither throw nor block.
 */
export interface Telemetry {
  /** Runs a piece of work and returns its result; stages run inside the work on their batch. */
  around<T>(work: Work, run: () => Promise<T>): Promise<T>
  stageEnded(work: Work, outcomes: StageOutcomes): void
  /** A destination, or without one the observer, is done with what was accepted this long ago. */
  caughtUp(consumer: { readonly workspaceId: string; readonly destinationId?: string; readonly lagMs: number }): void
}

/** Combines several telemetries; the first wraps the others. */
export function joinTelemetry(each: readonly Telemetry[]): Telemetry | undefined {
  const [first, ...rest] = each
  const others = first && joinTelemetry(rest)
  if (first === undefined || others === undefined) return first
  return {
    around: (work, run) => first.around(work, () => others.around(work, run)),
    stageEnded: (work, outcomes) => {
      first.stageEnded(work, outcomes)
      others.stageEnded(work, outcomes)
    },
    caughtUp: (consumer) => {
      first.caughtUp(consumer)
      others.caughtUp(consumer)
    },
  }
}

/** Runs work, measured by `telemetry` if there is any. */
export function around<T>(telemetry: Telemetry | undefined, work: Work, run: () => Promise<T>): Promise<T> {
  return telemetry ? telemetry.around(work, run) : run()
}
