import type { StageError } from '@sluice/core'
import { LRUCache } from '#inlined/lru-cache'
import { measuredClock } from '../clock/create-run-clock.ts'
import type { RunClock } from '../clock/run-clock.ts'
import type { ModuleSet } from '../code/module-set.ts'
import type { DocumentMeter } from '../crossing/document-meter.ts'
import type { OutputRoom } from './batch-request.ts'
import type { MachineParts } from './guest/guest.ts'
import type { LoadResult, MachinePort, MachineProgram } from './machine-port.ts'
import { OutputGauge } from './output-gauge.ts'

/** A machine that has loaded a program. */
export interface OpenProgram {
  readonly machine: MachinePort
  readonly program: MachineProgram
}

/**
 * Largest number of programs that a machine keeps loaded. Loading a program again takes about a third of a millisecond.
 */
export interface WarmPrograms {
  readonly programsMax: number
  /** Largest total size of their memory images. An image takes some 60 KB plus the data of the program. */
  readonly imagesBytesMax: number
}

export const defaultWarmPrograms: WarmPrograms = { programsMax: 1_000, imagesBytesMax: 128 * 1024 * 1024 }

/** What a slot needs of the parts of its machine. */
type SlotParts = Pick<MachineParts, 'crossing' | 'limits' | 'runClock'>

/** Holds one machine: creates it, replaces it when it broke, and keeps programs loaded in it. */
export class MachineSlot {
  readonly #parts: SlotParts
  readonly #create: () => Promise<MachinePort>
  readonly #meter: DocumentMeter
  #machine: MachinePort | undefined
  readonly #warm: WarmPrograms
  #programs: LRUCache<ModuleSet, MachineProgram>

  /** @param create makes a machine of the kind that the slot holds. */
  constructor(parts: SlotParts, create: () => Promise<MachinePort>, warm: WarmPrograms = defaultWarmPrograms) {
    this.#parts = parts
    this.#create = create
    this.#meter = parts.crossing.createMeter()
    this.#warm = warm
    this.#programs = newPrograms(warm)
  }

  /** How running time in this machine is known. */
  get runClock(): RunClock {
    return this.#parts.runClock ?? measuredClock
  }

  /** Creates the gauge for the answers of a batch. */
  newGauge(room: OutputRoom, count: number): OutputGauge {
    return new OutputGauge(this.#meter, this.#parts.limits, room, count)
  }

  /** Returns the program if it is already loaded in a working machine; otherwise undefined. */
  loaded(modules: ModuleSet): OpenProgram | undefined {
    const machine = this.#machine
    const program = machine?.broken === false ? this.#programs.get(modules) : undefined
    return machine && program && { machine, program }
  }

  /**
   * Returns the program, and loads it within `timeMs` if necessary. @param run is called with the function that loads
   * the program, and must call it; the code of the program runs in it.
   */
  async open(
    modules: ModuleSet,
    timeMs: number,
    run: (load: () => LoadResult) => LoadResult = (load) => load(),
  ): Promise<OpenProgram | StageError> {
    const machine = await this.#sound()
    const known = this.#programs.get(modules)
    if (known) return { machine, program: known }
    const load = await machine.loader(modules)
    const loaded = run(() => load(timeMs))
    if ('code' in loaded) return loaded
    this.#programs.set(modules, loaded)
    return { machine, program: loaded }
  }

  /** Discards the machine; the next use creates another one. */
  discard(): void {
    this.#machine = undefined
    this.#programs = newPrograms(this.#warm)
  }

  async #sound(): Promise<MachinePort> {
    if (this.#machine?.broken) this.discard()
    this.#machine ??= await this.#create()
    return this.#machine
  }
}

function newPrograms({ programsMax, imagesBytesMax }: WarmPrograms): LRUCache<ModuleSet, MachineProgram> {
  return new LRUCache({
    max: programsMax,
    maxSize: imagesBytesMax,
    sizeCalculation: ({ keptBytes }) => Math.max(1, keptBytes),
  })
}
