import { InvariantError, type JsonObject, type StageError } from '@sluice/core'
import type { ModuleSet } from '../code/module-set.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { Isolation } from '../vm/batch-request.ts'
import type { LoadResult } from '../vm/machine-port.ts'
import type { MachineSlot, OpenProgram } from '../vm/machine-slot.ts'
import { loading } from './on-enter.ts'
import type { RunningTime } from './running-time.ts'

interface BatchProgramOptions {
  readonly slot: MachineSlot
  readonly modules: ModuleSet
  readonly isolation: Isolation
  /** For host functions. */
  readonly credentials: JsonObject
  readonly limits: Pick<SandboxLimits, 'eventTimeMs'>
  readonly time: RunningTime
}

/**
 * The program of one batch on the machine of a slot: loads, enters and restores it, and counts its host calls. Its code
 * runs only while it is open.
 */
export class BatchProgram {
  readonly #options: BatchProgramOptions
  #open: OpenProgram | undefined
  #hostCalls = 0
  #callsBefore = 0
  /** The event that `next` would run; undefined until the first one has run since the program was entered. */
  position: number | undefined

  constructor(options: BatchProgramOptions) {
    this.#options = options
  }

  /** The entered program; undefined before the first event and after `restore`. */
  get open(): OpenProgram | undefined {
    return this.#open
  }

  /** Returns the entered program. @throws InvariantError when it is not open. */
  mustBeOpen(): OpenProgram {
    if (this.#open === undefined) throw new InvariantError('the program of the batch is not open')
    return this.#open
  }

  /** Returns the program as `opened` does, but undefined if it must be loaded first. Saves an await for each event. */
  openedNow(): OpenProgram | undefined {
    return this.#open ?? this.#entered(this.#options.slot.loaded(this.#options.modules))
  }

  /** Returns the machine with the program: as the batch has left it, otherwise in its initial state. */
  async opened(): Promise<OpenProgram | StageError> {
    if (this.#open) return this.#open
    const { slot, modules, limits, time } = this.#options
    const load = (action: () => LoadResult) => time.measured(loading, action)
    const opened = await slot.open(modules, limits.eventTimeMs, load)
    return 'code' in opened ? opened : (this.#entered(opened) ?? this.opened())
  }

  /** Number of host calls of the batch, without those since the program was last entered. */
  get hostCalls(): number {
    return this.#hostCalls
  }

  /** Whether code has called the host since the program was entered. */
  get hasCalledHost(): boolean {
    return this.#open !== undefined && this.#open.machine.calls.made > this.#callsBefore
  }

  /** Restores the program as it was loaded. The next event enters it again. */
  restore(): void {
    const machine = this.#open?.machine
    if (machine === undefined) return
    this.#hostCalls += machine.calls.made - this.#callsBefore
    this.#open = undefined
    machine.calls.context = {}
    if (!machine.broken) machine.leave()
  }

  /** Restores the program, and discards its machine: the next event gets another one. */
  discard(): void {
    this.#options.slot.discard()
    this.restore()
  }

  /** Ends the batch. With isolation 'none', the next batch finds the state as this one left it. */
  close(isAborted: boolean): void {
    const machine = this.#open?.machine
    // Unfinished work of an aborted batch must not produce answers in the next batch.
    if (this.#options.isolation !== 'none' || isAborted) this.restore()
    else if (machine) {
      this.#hostCalls += machine.calls.made - this.#callsBefore
      machine.pause()
      machine.calls.context = {}
    }
  }

  /** Enters a loaded program. Returns undefined when the machine broke, which is then discarded. */
  #entered(opened: OpenProgram | undefined): OpenProgram | undefined {
    if (opened === undefined) return undefined
    const { machine, program } = opened
    const { slot, isolation, credentials, time } = this.#options
    const isEntered = time.measured(loading, () =>
      isolation === 'none' ? machine.resume(program) : machine.enter(program),
    )
    if (!isEntered) {
      slot.discard()
      return undefined
    }
    this.#open = opened
    this.#callsBefore = machine.calls.made
    machine.calls.context = { credentials }
    this.position = undefined
    return opened
  }
}
