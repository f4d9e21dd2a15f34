import type { JsonObject, StageError } from '@sluice/core'
import type { ModuleSet } from './module-set.ts'
import type { ProgramSource } from './program.ts'
import type { BatchReply, BatchRequest } from './vm/batch-message.ts'
import type { LoadedModules } from './vm/load-modules.ts'
import type { MachineProgram } from './vm/machine.ts'

/** A program for an executor: its source, and the number it is known by. */
export interface NumberedProgram {
  readonly id: number
  /** Whose it is: owners have fair turns, and a program is never shared between them. */
  readonly owner: string
  readonly source: ProgramSource
  readonly modules: ModuleSet
}

/** What a program is, learnt by loading it. */
export type LoadedProgram = LoadedModules & Pick<MachineProgram, 'stateBytes'>

/** Where programs run: this thread, or others. */
export interface BatchExecutor {
  /** Loads a program once. */
  load(program: NumberedProgram): Promise<LoadedProgram | StageError>
  /** Runs a batch; see vm/batch-run.ts. @throws the abort reason once `signal` is aborted. */
  run(
    program: NumberedProgram,
    request: BatchRequest,
    credentials: JsonObject,
    signal: AbortSignal,
  ): Promise<BatchReply>
  close(): Promise<void>
}
