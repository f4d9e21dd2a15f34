import type { JsonObject, StageError } from '@sluice/core'
import type { OnEnter } from './batch/on-enter.ts'
import type { ModuleSet } from './code/module-set.ts'
import type { ProgramSource } from './program.ts'
import type { BatchReply, BatchRequest } from './vm/batch-request.ts'
import type { LoadedModules } from './vm/load-modules.ts'
import type { MachineProgram } from './vm/machine-port.ts'

/** A program with its source and number. */
export interface NumberedProgram {
  readonly id: number
  /** Owner of the program. Owners take fair turns and never share a program. */
  readonly owner: string
  readonly source: ProgramSource
  readonly modules: ModuleSet
}

/** Properties of a program found by loading it. */
export type LoadedProgram = LoadedModules & Pick<MachineProgram, 'stateBytes'>

/** Runs programs, in this thread or in others. */
export interface BatchExecutor {
  /** Loads a program if it is not loaded yet. */
  load(program: NumberedProgram): Promise<LoadedProgram | StageError>
  /**
   * Runs a batch; see batch/batch-run.ts. @param onEnter is called only by an executor that runs code in this thread.
   * @throws the abort reason once `signal` is aborted.
   */
  run(
    program: NumberedProgram,
    request: BatchRequest,
    credentials: JsonObject,
    signal: AbortSignal,
    onEnter?: OnEnter,
  ): Promise<BatchReply>
  close(): Promise<void>
}
