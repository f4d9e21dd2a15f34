import type { StageError } from '@sluice/core'
import type { ModuleSet } from '../code/module-set.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchDocument } from './batch-request.ts'
import type { Ended } from './guest/guest.ts'
import type { AnswerBytes, Taken, Taking } from './guest/guest-answers.ts'
import type { OpenCall, RunCalls } from './host-calls.ts'
import type { LoadedModules } from './load-modules.ts'
import type { OutputGauge } from './output-gauge.ts'

/** A program that one machine has loaded. */
export interface MachineProgram extends LoadedModules {
  readonly modules: ModuleSet
  /** Bytes that keeping it loaded takes, about. */
  readonly keptBytes: number
  /** Bytes that its state takes beyond that of an empty program. */
  readonly stateBytes: number
}

/** A loaded program, or why it cannot be loaded. */
export type LoadResult = MachineProgram | StageError

/** Whether the guest accepted a document; 'noRoom' means that it has too little memory left for it. */
export type Given = Ended | 'noRoom'

/**
 * Runs the code of any of many programs in the calling thread, and blocks it. A machine gets only programs that it has
 * loaded itself.
 *
 * `enter` restores a program to the state in which it was loaded and discards everything that ran before. After any
 * result but 'done', only `flush`, `takeLog` and `enter` may be called. A `broken` machine must be replaced.
 */
export interface MachinePort {
  readonly broken: boolean
  /** Host calls of the program. */
  readonly calls: RunCalls
  /** Whether the engine may have run out of memory. */
  readonly isFull: boolean
  /** Indexes of the events whose answers are held. */
  readonly held: readonly number[]
  /** Stack of the code that was interrupted last, or ''. */
  readonly interruptedStack: string
  /** Growth of the heap since `enter`, in bytes; 0 where it is not known. */
  readonly grownBytes: number
  /** Prepares to load a program. @returns a function that loads it within a time in ms; its code runs in that. */
  loader(modules: ModuleSet): Promise<(timeMs: number) => LoadResult>
  /**
   * Restores `program` to the state right after it was loaded, and closes open host calls. @returns false when the
   * machine broke.
   */
  enter(program: MachineProgram): boolean
  /** Like `enter`, but a program that is still loaded keeps its current state, unless its heap has grown much. */
  resume(program: MachineProgram): boolean
  /** Keeps the state of the program, so that a later batch can continue with it. */
  pause(): void
  /** Removes all state of the program. */
  leave(): void
  /**
   * Passes a list of events and their metadata to the guest (see BatchDocument). `index` is the event that `next` runs
   * first.
   */
  begin(bytes: Uint8Array, document: Pick<BatchDocument, 'first' | 'count'>, index: number): Given
  /** Passes `count` events to the guest for the single call of transformBatch. Further calls add to the list. */
  gather(bytes: Uint8Array, count: number): Given
  /**
   * Runs transformEvent for the next event of the list, and its microtasks, within `timeMs`. With `isAlone` the answer
   * may be taken immediately.
   */
  next(index: number, timeMs: number, isAlone?: boolean): Ended
  /** Runs transformBatch for all gathered events, within `timeMs`. */
  runGathered(index: number, timeMs: number): Ended
  /** Passes the result of a host call to the guest, and runs the code that waited for it. */
  answer(call: OpenCall, timeMs: number): Ended
  /** Makes the guest ignore any later result of this event's promise. */
  giveUp(index: number): void
  /** Takes the held answers, in one list or one by one. */
  flush(taking: Taking): Taken
  /** Takes what was logged since the last answer. */
  takeLog(index: number, gauge: OutputGauge): AnswerBytes | undefined
}

export const tooMuchMemory = ({ memoryBytes }: SandboxLimits): string =>
  `Error: out of memory. User code and its data may take ${memoryBytes} bytes.`
export const deepRecursion = 'RangeError: Maximum call stack size exceeded'
