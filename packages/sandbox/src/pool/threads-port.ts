import type { BatchExecutor } from '../batch-executor.ts'
import type { Crossing } from '../crossing/crossing.ts'
import type { EngineChoice } from '../engine-choice.ts'
import type { AsyncHostCall } from '../guest-api.ts'
import type { ProbeMemory } from '../probes.ts'
import type { RunEnvironment } from '../run-environment.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { WarmPrograms } from '../vm/machine-slot.ts'

export interface WorkerPoolOptions {
  readonly engine: EngineChoice
  readonly crossing: Crossing
  readonly limits: SandboxLimits
  readonly asyncCalls: Readonly<Record<string, AsyncHostCall>>
  readonly workers: number
  /** Returns time and randomness for the next run. */
  readonly environment: () => RunEnvironment
  readonly machinesPerWorker: number
  readonly warm: WarmPrograms
  readonly queueLengthMax: number
  readonly probes?: ProbeMemory
}

/** The threads of the platform; the portable version of `#threads` has none. */
export interface ThreadsPort {
  /** One less than the number of cores, at least one. */
  readonly workersByDefault: number
  createPool(options: WorkerPoolOptions): BatchExecutor
}
