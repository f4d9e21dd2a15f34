import type { JsonObject, StageError } from '@sluice/core'
import type { ModuleSet } from '../code/module-set.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchDocument, BatchReply, BatchRequest } from '../vm/batch-request.ts'
import type { Ended } from '../vm/guest/guest.ts'
import { wholeBatch } from '../vm/guest/prelude.ts'
import type { OpenCall } from '../vm/host-calls.ts'
import { deepRecursion, type Given } from '../vm/machine-port.ts'
import type { MachineSlot, OpenProgram } from '../vm/machine-slot.ts'
import { AnswerReader } from './answer-reader.ts'
import { BatchProgram } from './batch-program.ts'
import { HeapGrowth } from './heap-growth.ts'
import type { OnEnter } from './on-enter.ts'
import { PendingEvents } from './pending-events.ts'
import { ReplyBuilder } from './reply-builder.ts'
import {
  batchTimeout,
  neverResolves,
  outOfMemory,
  overwritten,
  timeout,
  unreadable,
  waitedTooLong,
} from './run-failures.ts'
import { RunningTime } from './running-time.ts'

/** Largest number of events whose promises may be pending at the same time. */
const pendingMax = 200
/** The same limit for events that run again, because so many at a time may have been the cause. */
const repeatedPendingMax = 16

/**
 * Runs one batch on the machine of a slot: one call into the guest per event, each with its own deadline, so that it is
 * always known which event runs.
 *
 * Events start in order. With isolation 'event', each starts after the previous one is done. Otherwise further events
 * start while promises of earlier ones wait for the host, up to a limit. Only the running time of user code counts, so
 * a slow host does not use it up. After a time-out or a failure of the engine, the program is restored and the
 * remaining events run. Events that were in progress at that time, or whose answers were lost, are listed in `again`.
 *
 * @param credentials for host functions.
 * @throws the abort reason once `signal` is aborted.
 */
export function runBatch(
  request: BatchRequest,
  modules: ModuleSet,
  slot: MachineSlot,
  limits: SandboxLimits,
  signal: AbortSignal,
  onEnter: OnEnter = () => {},
  credentials: JsonObject = {},
): Promise<BatchReply> {
  return new BatchRun(request, modules, slot, limits, signal, onEnter, credentials).run()
}

/** When the code of an event began to run: as of `performance.now()`, and as running time of the batch. */
interface Start {
  readonly atMs: number
  readonly spentMs: number
}

class BatchRun {
  readonly #request: BatchRequest
  readonly #limits: SandboxLimits
  readonly #signal: AbortSignal
  readonly #reply = new ReplyBuilder()
  readonly #time: RunningTime
  readonly #program: BatchProgram
  readonly #pending: PendingEvents
  readonly #growth: HeapGrowth
  readonly #answers: AnswerReader

  constructor(
    request: BatchRequest,
    modules: ModuleSet,
    slot: MachineSlot,
    limits: SandboxLimits,
    signal: AbortSignal,
    onEnter: OnEnter,
    credentials: JsonObject,
  ) {
    const { isolation } = request
    const time = new RunningTime(request.timeMs, signal, onEnter, slot.runClock)
    const program = new BatchProgram({ slot, modules, isolation, credentials, limits, time })
    const growth = new HeapGrowth(limits, request.isRepeat)
    const gauge = slot.newGauge(request.room, request.count)
    this.#request = request
    this.#limits = limits
    this.#signal = signal
    this.#time = time
    this.#program = program
    this.#pending = new PendingEvents(limits)
    this.#growth = growth
    this.#answers = new AnswerReader(
      { program, time, limits, gauge, growth, reply: this.#reply },
      // With isolation 'none', state that an event left behind would be visible to events that run again, so as few
      // answers as possible may get lost.
      request.eager || isolation !== 'batch',
    )
  }

  async run(): Promise<BatchReply> {
    try {
      const first = await this.#program.opened()
      if ('code' in first) this.#reply.fail(wholeBatch, first)
      else if (first.program.entry === 'transformBatch') await this.#runWhole()
      else await this.#runEach()
    } finally {
      this.#program.close(this.#signal.aborted)
    }
    return this.#reply.build({ spentMs: this.#time.spentMs, hostCalls: this.#program.hostCalls })
  }

  async #runEach(): Promise<void> {
    const pendingLimit = this.#request.isRepeat ? repeatedPendingMax : pendingMax
    for (const document of this.#request.documents) {
      for (let index = document.first; index < document.first + document.count; index += 1) {
        this.#signal.throwIfAborted()
        if (this.#time.isTurnDue) await this.#time.turn()
        if (this.#time.leftMs <= 0) {
          if (this.#pending.size > 0) await this.#settleAll()
          this.#reply.fail(index, batchTimeout(this.#limits))
          continue
        }
        // Awaiting takes time for every event, so it is done only when there is something to wait for.
        const open = this.#program.openedNow() ?? (await this.#program.opened())
        if ('code' in open) this.#reply.fail(index, open)
        else {
          const given = this.#offered(document, index)
          if (given === 'done' || (await this.#recovered(document, index, given))) {
            this.#start(index)
            while (this.#pending.size >= pendingLimit) await this.#settleSome()
          }
        }
        if (this.#request.isolation === 'event' || this.#growth.isLargeAgain(this.#program.open?.machine)) {
          if (this.#pending.size > 0) await this.#settleAll()
          this.#answers.read()
          this.#program.restore()
        }
      }
    }
    await this.#settleAll()
    this.#answers.read()
  }

  #start(index: number): void {
    const open = this.#program.mustBeOpen()
    const timeMs = Math.min(this.#time.leftMs, this.#limits.eventTimeMs)
    this.#program.position = index + 1
    const start = { atMs: performance.now(), spentMs: this.#time.spentMs }
    const isAlone = this.#answers.isEager || this.#request.count === 1
    this.#growth.begin(open.machine)
    const ended = this.#time.measured(index, () => open.machine.next(index, timeMs, isAlone))
    this.#afterStart(open, index, ended, timeMs, start)
  }

  async #runWhole(): Promise<void> {
    const open = this.#program.mustBeOpen()
    for (const document of this.#request.documents) {
      const given = this.#time.measured(wholeBatch, () => open.machine.gather(this.#bytesOf(document), document.count))
      if (given !== 'done') {
        this.#reply.fail(wholeBatch, unreadable(given, this.#limits))
        this.#program.restore()
        return
      }
    }
    const timeMs = Math.min(this.#time.leftMs, this.#limits.eventTimeMs * this.#request.count)
    const start = { atMs: performance.now(), spentMs: this.#time.spentMs }
    const ended = this.#time.measured(wholeBatch, () => open.machine.runGathered(wholeBatch, timeMs))
    this.#afterStart(open, wholeBatch, ended, timeMs, start)
    await this.#settleAll()
    this.#answers.read()
  }

  /** Passes the document of an event to the guest, unless the guest has it already. */
  #offered(document: BatchDocument, index: number): Given {
    return this.#program.position === index && index !== document.first ? 'done' : this.#give(document, index)
  }

  /**
   * Retries a document that the guest did not accept. Returns false when that fails; the event is then recorded as
   * failed or to be run again.
   */
  async #recovered(document: BatchDocument, index: number, refused: Given): Promise<boolean> {
    let given = refused
    if (this.#program.position !== undefined) {
      // Earlier events may have left too little room.
      this.#breakOff('none')
      if ('code' in (await this.#program.opened())) return false
      given = this.#give(document, index)
    }
    if (given === 'done') return true
    // With several events in the document, each is run again by itself.
    if (document.count === 1) this.#reply.fail(index, unreadable(given, this.#limits))
    else this.#reply.again(index)
    this.#program.restore()
    return false
  }

  #give(document: BatchDocument, index: number): Given {
    const { machine } = this.#program.mustBeOpen()
    return this.#time.measured(index, () => machine.begin(this.#bytesOf(document), document, index))
  }

  #bytesOf({ start, end }: BatchDocument): Uint8Array {
    return this.#request.bytes.subarray(start, end)
  }

  /** Records whether the promise of the event is pending, after the first call for it, and continues as `#after`. */
  #afterStart(open: OpenProgram, index: number, ended: Ended, timeMs: number, start: Start): void {
    const { held } = open.machine
    const isAnswered = held[held.length - 1] === index || held.includes(index)
    if (ended === 'done' && !isAnswered) this.#pending.add(index, start.atMs, this.#time.spentMs - start.spentMs)
    this.#after(open, index, ended, timeMs)
  }

  /** Handles the end of a call into the guest in which code of this event ran. */
  #after(open: OpenProgram, index: number, ended: Ended, timeMs: number): void {
    const { machine, program } = open
    if (ended !== 'done') {
      this.#breakOff(index, ended === 'interrupted' ? timeout(open, timeMs) : this.#failure(open))
      return
    }
    this.#pending.remove(machine.held)
    if (this.#program.hasCalledHost) this.#answers.isEager = true
    const isShort = this.#answers.isDue(machine) && this.#answers.read(index)
    if (isShort || machine.isFull) {
      const pays = this.#pending.has(index) && this.#growth.pays(index, machine.grownBytes)
      this.#breakOff(pays ? index : 'none', outOfMemory(this.#limits), index)
      return
    }
    if (this.#pending.size > 0 && machine.calls.open === 0) this.#breakOff('pending', neverResolves(program.entry))
  }

  #failure({ machine, program }: OpenProgram): StageError {
    if (machine.isFull) return outOfMemory(this.#limits)
    return machine.broken ? { code: 'transform.stack', message: deepRecursion } : overwritten(program.entry)
  }

  /**
   * Abandons the state of the program, so that the batch can continue with a restored one. `whose` fails: one event,
   * all that are pending, or none. Other pending events run again. `ran` is the event whose code ran last.
   */
  #breakOff(
    whose: number | 'pending' | 'none',
    error?: StageError,
    ran = typeof whose === 'number' ? whose : undefined,
  ): void {
    const isFull = this.#program.open?.machine.isFull === true
    this.#answers.read(ran)
    if (typeof whose === 'number') {
      this.#answers.readLog(whose)
      this.#pending.remove([whose])
      this.#reply.fail(whose, error)
    }
    for (const other of this.#pending.indexes()) {
      if (whose === 'pending') this.#reply.fail(other, error)
      else this.#reply.again(other)
    }
    this.#pending.clear()
    if (isFull) this.#program.discard()
    else this.#program.restore()
  }

  async #settleAll(): Promise<void> {
    while (this.#pending.size > 0) await this.#settleSome()
  }

  /** Waits for results of host calls, or for the first time-out, and continues the events that waited for them. */
  async #settleSome(): Promise<void> {
    const open = this.#program.mustBeOpen()
    const { machine, program } = open
    const { calls } = machine
    await this.#time.wait(() => calls.wait(this.#pending.firstDueMs(), this.#signal))
    for (let call = calls.shift(); call; call = calls.shift()) {
      this.#answer(open, call)
      // The state was abandoned; the remaining results belong to it.
      if (this.#program.open !== open) return
      if (this.#time.isTurnDue) await this.#time.turn()
    }
    for (const index of this.#pending.takeOverdue()) {
      this.#time.measured(index, () => machine.giveUp(index))
      this.#answers.readLog(index)
      this.#reply.fail(index, waitedTooLong(program.entry, this.#limits))
    }
    if (this.#pending.size > 0 && calls.open === 0) this.#breakOff('pending', neverResolves(program.entry))
  }

  /** Passes the result of a host call to the guest, and runs the code of the event that waited for it. */
  #answer(open: OpenProgram, call: OpenCall): void {
    const { machine } = open
    const { owner } = call
    const ofEventMs = this.#pending.leftMs(owner)
    const timeMs = Math.min(this.#time.leftMs, ofEventMs)
    if (timeMs <= 0) {
      this.#breakOff(owner, timeout(open, this.#limits.eventTimeMs))
      return
    }
    const spentMs = this.#time.spentMs
    this.#growth.begin(machine)
    const ended = this.#time.measured(owner, () => machine.answer(call, timeMs))
    this.#pending.spend(owner, this.#time.spentMs - spentMs)
    // The event has spent the rest of its time before: a message names all of it.
    this.#after(open, owner, ended, ofEventMs <= timeMs ? this.#limits.eventTimeMs : timeMs)
  }
}
