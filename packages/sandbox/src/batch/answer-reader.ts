import type { StageError } from '@sluice/core'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { Taking } from '../vm/guest/guest-answers.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import { deepRecursion, type MachinePort } from '../vm/machine-port.ts'
import type { OutputGauge } from '../vm/output-gauge.ts'
import type { BatchProgram } from './batch-program.ts'
import type { HeapGrowth } from './heap-growth.ts'
import { answersOfGroup } from './on-enter.ts'
import type { ReplyBuilder } from './reply-builder.ts'
import { outOfMemory, timeout } from './run-failures.ts'
import type { RunningTime } from './running-time.ts'

/** Number of answers that are read together: the engine writes a list twice as fast as single answers. */
const groupEvents = 64
/** Growth of the heap after which answers are read before the group is complete. */
const groupGrownBytes = 2 * 1024 * 1024

interface AnswerReaderParts {
  readonly program: BatchProgram
  readonly time: RunningTime
  readonly limits: SandboxLimits
  readonly gauge: OutputGauge
  readonly growth: HeapGrowth
  readonly reply: ReplyBuilder
}

/** Reads the answers that the machine holds into the reply of the batch, in groups or right after each event. */
export class AnswerReader {
  readonly #parts: AnswerReaderParts
  /** Whether answers are read right after each event instead of in groups. */
  isEager: boolean

  constructor(parts: AnswerReaderParts, isEager: boolean) {
    this.#parts = parts
    this.isEager = isEager
  }

  /** Returns whether the held answers are to be read now, and not with those of later events. */
  isDue(machine: Pick<MachinePort, 'held' | 'grownBytes'>): boolean {
    return this.isEager || machine.held.length >= groupEvents || machine.grownBytes > groupGrownBytes
  }

  /**
   * Reads the held answers. Events whose answers cannot be read fail, or are to be run again.
   * @param ran the event whose code ran last.
   * @returns true when memory was too short to read them.
   */
  read(ran?: number): boolean {
    const { program, time, limits, gauge, reply } = this.#parts
    const { open } = program
    if (open === undefined || open.machine.held.length === 0) return false
    const { machine } = open
    const indexes = machine.held
    const timeMs = limits.eventTimeMs
    // Writing an answer runs code of its event, and loops of the engine that cannot be interrupted.
    const whose = indexes.length === 1 ? (indexes[0] ?? answersOfGroup) : answersOfGroup
    const failures: [number, StageError][] = []
    const taking: Taking = {
      singly: this.isEager,
      timeMs,
      gauge,
      unread: (index) => failures.push([index, timeout(open, timeMs)]),
      refused: (index, error) => failures.push([index, error]),
    }
    const { answers, isShort } = time.measured(whose, () => machine.flush(taking))
    if (answers === undefined) this.#lost(indexes, ran, isShort, machine.grownBytes)
    else {
      for (const answer of answers) reply.add(answer, machine.isFull)
      for (const [index, error] of failures) reply.fail(index, error)
    }
    return isShort
  }

  /** Reads what an event logged that fails without an answer. */
  readLog(index: number): void {
    const { program, time, gauge, reply } = this.#parts
    const { machine } = program.open ?? {}
    const log = machine && time.measured(index, () => machine.takeLog(index, gauge))
    if (log) reply.add(log, false)
  }

  /** Handles answers that could not be read. Events that ran before the one that exhausted memory are not to blame. */
  #lost(indexes: readonly number[], ran: number | undefined, isShort: boolean, grownBytes: number): void {
    const { limits, growth, reply } = this.#parts
    const error: StageError = isShort ? outOfMemory(limits) : { code: 'transform.stack', message: deepRecursion }
    for (const index of indexes) {
      // The others run again one by one, so that an event that breaks the engine harms only itself.
      const fails = isShort ? index === ran && growth.pays(index, grownBytes) : this.isEager
      if (fails || index === wholeBatch) reply.fail(index, error)
      else reply.again(index)
    }
  }
}
