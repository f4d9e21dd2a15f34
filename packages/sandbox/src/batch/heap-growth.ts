import type { SandboxLimits } from '../sandbox-limits.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import type { MachinePort } from '../vm/machine-port.ts'

/** Share of the memory limit that an event must use by itself to be considered the cause of exhausted memory. */
const ownShare = 1 / 4

/** How much the events of a batch make the heap grow: finds the event that pays when memory is exhausted. */
export class HeapGrowth {
  readonly #isRepeat: boolean
  readonly #largeBytes: number
  /** Growth of the heap, in bytes, before code of the current event began to run. */
  #bytesBefore = 0

  /** @param isRepeat whether the events run again, because the first time they lost their answers with those of others. */
  constructor({ memoryBytes }: Pick<SandboxLimits, 'memoryBytes'>, isRepeat: boolean) {
    this.#isRepeat = isRepeat
    this.#largeBytes = memoryBytes * ownShare
  }

  /** Starts to measure the growth of one event, right before its code runs. */
  begin({ grownBytes }: Pick<MachinePort, 'grownBytes'>): void {
    this.#bytesBefore = grownBytes
  }

  /**
   * Returns whether this event, whose code ran when memory was exhausted, fails because of it. Several events may have
   * exhausted it together. Therefore an event that used little itself runs again like the others, and fails only the
   * second time.
   */
  pays(index: number, grownBytes: number): boolean {
    return this.#isRepeat || index === wholeBatch || grownBytes - this.#bytesBefore > this.#largeBytes
  }

  /**
   * Returns whether repeated events have again filled much of the memory. The next ones then start with fresh memory.
   */
  isLargeAgain(machine: Pick<MachinePort, 'grownBytes'> | undefined): boolean {
    return this.#isRepeat && machine !== undefined && machine.grownBytes > this.#largeBytes
  }
}
