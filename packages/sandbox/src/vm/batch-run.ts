import { InvariantError, type JsonObject, type StageError } from '@sluice/core'
import type { ModuleSet } from '../module-set.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchDocument, BatchReply, BatchRequest } from './batch-request.ts'
import type { Ended } from './guest.ts'
import { wholeBatch } from './guest-prelude.ts'
import type { Taking } from './held-answers.ts'
import { deepRecursion, type Given } from './machine.ts'
import type { LoadResult, MachineSlot, OpenProgram } from './machine-slot.ts'
import type { OutputGauge } from './output-gauge.ts'
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

/** Running time of user code after which the event loop gets a turn. */
const sliceMs = 10
/** Number of answers that are read together: the engine writes a list twice as fast as single answers. */
const groupEvents = 64
/** Growth of the heap after which answers are read before the group is complete. */
const groupGrownBytes = 2 * 1024 * 1024
/** Share of the memory limit that an event must use by itself to be considered the cause of exhausted memory. */
const ownShare = 1 / 4
/** No event. */
const none = -4
/** Largest number of events whose promises may be pending at the same time. */
const inFlightMax = 200
/** The same limit for events that run again, because so many at a time may have been the cause. */
const repeatedInFlightMax = 16

/** For `OnEnter`: answers of several events are being read, so the code that runs may belong to any of them. */
export const answersOfGroup = -3
/** For `OnEnter`: the modules are being loaded. */
export const loading = -2
/** For `OnEnter`: no code of the batch runs; it waits for the host. */
export const waitingForHost = -4

/**
 * Called right before code of the batch may run, with the index of the event, -1 for a call for the whole batch, or one
 * of the values above. Must be cheap. Nothing is awaited between this call and the code, so it is always known which
 * event blocks the thread.
 */
export type OnEnter = (whose: number) => void

interface Waiting {
  /** Time by which the promise of the event must have settled. */
  readonly until: number
  spentMs: number
}

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

class BatchRun {
  readonly #request: BatchRequest
  readonly #modules: ModuleSet
  readonly #slot: MachineSlot
  readonly #limits: SandboxLimits
  readonly #signal: AbortSignal
  readonly #onEnter: OnEnter
  readonly #credentials: JsonObject
  readonly #reply = new ReplyBuilder()
  readonly #gauge: OutputGauge
  readonly #waiting = new Map<number, Waiting>()
  #spentMs = 0
  #sinceYieldMs = 0
  #hostCalls = 0
  #open: OpenProgram | undefined
  #callsBefore = 0
  /** Growth of the heap, in bytes, before code of the current event began to run. */
  #grownBefore = 0
  /** The event that `next` would run; undefined until the first one has run since the program was entered. */
  #position: number | undefined
  #eager: boolean

  constructor(
    request: BatchRequest,
    modules: ModuleSet,
    slot: MachineSlot,
    limits: SandboxLimits,
    signal: AbortSignal,
    onEnter: OnEnter,
    credentials: JsonObject,
  ) {
    this.#request = request
    this.#modules = modules
    this.#slot = slot
    this.#limits = limits
    this.#signal = signal
    this.#onEnter = onEnter
    this.#credentials = credentials
    this.#gauge = slot.newGauge(request.room, request.count)
    // With isolation 'none', state that an event left behind would be visible to events that run again, so as few
    // answers as possible may get lost.
    this.#eager = request.eager || request.isolation !== 'batch'
  }

  async run(): Promise<BatchReply> {
    try {
      const first = await this.#opened()
      if ('code' in first) this.#reply.fail(wholeBatch, first)
      else if (first.program.entry === 'transformBatch') await this.#runWhole()
      else await this.#runEach()
    } finally {
      this.#close()
    }
    return this.#reply.build({ spentMs: this.#spentMs, hostCalls: this.#hostCalls })
  }

  async #runEach(): Promise<void> {
    const waitingMax = this.#request.isRepeat ? repeatedInFlightMax : inFlightMax
    for (const document of this.#request.documents) {
      for (let index = document.first; index < document.first + document.count; index += 1) {
        this.#signal.throwIfAborted()
        if (this.#sinceYieldMs > sliceMs) await this.#yield()
        if (this.#leftMs() <= 0) {
          if (this.#waiting.size > 0) await this.#settleAll()
          this.#reply.fail(index, batchTimeout(this.#limits))
          continue
        }
        // Awaiting takes time for every event, so it is done only when there is something to wait for.
        const open = this.#open ?? this.#entered(this.#slot.loaded(this.#modules)) ?? (await this.#opened())
        if ('code' in open) this.#reply.fail(index, open)
        else {
          const given = this.#offered(document, index)
          if (given === 'done' || (await this.#recovered(document, index, given))) {
            this.#start(index)
            while (this.#waiting.size >= waitingMax) await this.#settleSome()
          }
        }
        if (this.#request.isolation === 'event' || this.#hasGrownAgain()) {
          if (this.#waiting.size > 0) await this.#settleAll()
          this.#flush()
          this.#reset()
        }
      }
    }
    await this.#settleAll()
    this.#flush()
  }

  /**
   * Returns whether repeated events have again filled much of the memory. The next ones then start with fresh memory.
   */
  #hasGrownAgain(): boolean {
    const grownBytes = this.#request.isRepeat ? (this.#open?.machine.grownBytes ?? 0) : 0
    return grownBytes > this.#limits.memoryBytes * ownShare
  }

  #start(index: number): void {
    const open = this.#mustBeOpen()
    const timeMs = Math.min(this.#leftMs(), this.#limits.eventTimeMs)
    this.#position = index + 1
    const startedAt = performance.now()
    const isAlone = this.#eager || this.#request.count === 1
    this.#grownBefore = open.machine.grownBytes
    const ended = this.#measured(index, () => open.machine.next(index, timeMs, isAlone))
    this.#afterStart(open, index, ended, timeMs, startedAt)
  }

  async #runWhole(): Promise<void> {
    const open = this.#mustBeOpen()
    for (const document of this.#request.documents) {
      const given = this.#measured(wholeBatch, () => open.machine.gather(this.#bytesOf(document), document.count))
      if (given !== 'done') {
        this.#reply.fail(wholeBatch, unreadable(given, this.#limits))
        this.#reset()
        return
      }
    }
    const timeMs = Math.min(this.#leftMs(), this.#limits.eventTimeMs * this.#request.count)
    const startedAt = performance.now()
    const ended = this.#measured(wholeBatch, () => open.machine.runGathered(wholeBatch, timeMs))
    this.#afterStart(open, wholeBatch, ended, timeMs, startedAt)
    await this.#settleAll()
    this.#flush()
  }

  /** Returns the machine with the program: as the batch has left it, otherwise in its initial state. */
  async #opened(): Promise<OpenProgram | StageError> {
    if (this.#open) return this.#open
    const load = (action: () => LoadResult) => this.#measured(loading, action)
    const opened = await this.#slot.open(this.#modules, this.#limits.eventTimeMs, load)
    return 'code' in opened ? opened : (this.#entered(opened) ?? this.#opened())
  }

  /** Enters a loaded program. Returns undefined when the machine broke, which is then discarded. */
  #entered(opened: OpenProgram | undefined): OpenProgram | undefined {
    if (opened === undefined) return undefined
    const { machine, program } = opened
    const isEntered = this.#measured(loading, () =>
      this.#request.isolation === 'none' ? machine.resume(program) : machine.enter(program),
    )
    if (!isEntered) {
      this.#slot.discard()
      return undefined
    }
    this.#open = opened
    this.#callsBefore = machine.calls.made
    machine.calls.context = { credentials: this.#credentials }
    this.#position = undefined
    return opened
  }

  /** Passes the document of an event to the guest, unless the guest has it already. */
  #offered(document: BatchDocument, index: number): Given {
    return this.#position === index && index !== document.first ? 'done' : this.#give(document, index)
  }

  /**
   * Retries a document that the guest did not accept. Returns false when that fails; the event is then recorded as
   * failed or to be run again.
   */
  async #recovered(document: BatchDocument, index: number, refused: Given): Promise<boolean> {
    let given = refused
    if (this.#position !== undefined) {
      // Earlier events may have left too little room.
      this.#breakOff('none')
      if ('code' in (await this.#opened())) return false
      given = this.#give(document, index)
    }
    if (given === 'done') return true
    // With several events in the document, each is run again by itself.
    if (document.count === 1) this.#reply.fail(index, unreadable(given, this.#limits))
    else this.#reply.again(index)
    this.#reset()
    return false
  }

  #give(document: BatchDocument, index: number): Given {
    const { machine } = this.#mustBeOpen()
    return this.#measured(index, () => machine.begin(this.#bytesOf(document), document, index))
  }

  #mustBeOpen(): OpenProgram {
    if (this.#open === undefined) throw new InvariantError('the program of the batch is not open')
    return this.#open
  }

  #bytesOf({ start, end }: BatchDocument): Uint8Array {
    return this.#request.bytes.subarray(start, end)
  }

  /** Records whether the event waits for its promise, after the first call for it, and continues as `#after`. */
  #afterStart(open: OpenProgram, index: number, ended: Ended, timeMs: number, startedAt: number): void {
    const { held } = open.machine
    const isAnswered = held[held.length - 1] === index || held.includes(index)
    if (ended === 'done' && !isAnswered)
      this.#waiting.set(index, {
        until: startedAt + this.#limits.asyncTimeMs,
        spentMs: performance.now() - startedAt,
      })
    this.#after(open, index, ended, timeMs)
  }

  /** Handles the end of a call into the guest in which code of this event ran. */
  #after(open: OpenProgram, index: number, ended: Ended, timeMs: number): void {
    const { machine, program } = open
    const { held, calls } = machine
    if (ended === 'done' && this.#waiting.size > 0) for (const answered of held) this.#waiting.delete(answered)
    if (ended !== 'done') {
      this.#breakOff(index, ended === 'interrupted' ? timeout(program.entry, timeMs) : this.#failure(open))
      return
    }
    if (calls.made > this.#callsBefore) this.#eager = true
    const isTime = this.#eager || held.length >= groupEvents || machine.grownBytes > groupGrownBytes
    const isShort = isTime && this.#flush(index)
    if (isShort || machine.isFull) {
      this.#breakOff(this.#waiting.has(index) && this.#pays(index) ? index : 'none', outOfMemory(this.#limits), index)
      return
    }
    if (this.#waiting.size > 0 && calls.open === 0) this.#breakOff('waiting', neverResolves(program.entry))
  }

  /**
   * Returns whether this event, whose code ran when memory was exhausted, fails because of it. Several events may have
   * exhausted it together. Therefore an event that used little itself runs again like the others, and fails only the
   * second time.
   */
  #pays(index: number): boolean {
    const grownBytes = (this.#open?.machine.grownBytes ?? 0) - this.#grownBefore
    return this.#request.isRepeat || index === wholeBatch || grownBytes > this.#limits.memoryBytes * ownShare
  }

  #failure({ machine, program }: OpenProgram): StageError {
    if (machine.isFull) return outOfMemory(this.#limits)
    return machine.broken ? { code: 'transform.stack', message: deepRecursion } : overwritten(program.entry)
  }

  /**
   * Abandons the state of the program, so that the batch can continue with a restored one. `whose` fails: one event,
   * all that wait, or none. Other waiting events run again. `ran` is the event whose code ran last.
   */
  #breakOff(
    whose: number | 'waiting' | 'none',
    error?: StageError,
    ran = typeof whose === 'number' ? whose : none,
  ): void {
    const isFull = this.#open?.machine.isFull === true
    this.#flush(ran)
    if (typeof whose === 'number') {
      this.#takeLog(whose)
      this.#waiting.delete(whose)
      this.#reply.fail(whose, error)
    }
    for (const other of this.#waiting.keys()) {
      if (whose === 'waiting') this.#reply.fail(other, error)
      else this.#reply.again(other)
    }
    this.#waiting.clear()
    if (isFull) this.#slot.discard()
    this.#reset()
  }

  async #settleAll(): Promise<void> {
    while (this.#waiting.size > 0) await this.#settleSome()
  }

  /** Waits for results of host calls, or for the first time-out, and continues the events that waited for them. */
  async #settleSome(): Promise<void> {
    const open = this.#open
    if (open === undefined) throw new InvariantError('events wait for a program that is not open')
    const { calls } = open.machine
    let until = Number.POSITIVE_INFINITY
    for (const waiting of this.#waiting.values()) until = Math.min(until, waiting.until)
    this.#onEnter(waitingForHost)
    await calls.wait(Math.max(0, until - performance.now()), this.#signal)
    this.#sinceYieldMs = 0
    this.#signal.throwIfAborted()
    for (let call = calls.shift(); call; call = calls.shift()) {
      const { owner } = call
      const waiting = this.#waiting.get(owner)
      const timeMs = Math.min(this.#leftMs(), this.#limits.eventTimeMs - (waiting?.spentMs ?? 0))
      if (timeMs <= 0) {
        this.#breakOff(owner, timeout(open.program.entry, this.#limits.eventTimeMs))
        return
      }
      const start = performance.now()
      const answered = call
      this.#grownBefore = open.machine.grownBytes
      const ended = this.#measured(owner, () => open.machine.answer(answered, timeMs))
      if (waiting) waiting.spentMs += performance.now() - start
      this.#after(open, owner, ended, timeMs)
      // The state was abandoned; the remaining results belong to it.
      if (this.#open !== open) return
      if (this.#sinceYieldMs > sliceMs) await this.#yield()
    }
    const now = performance.now()
    for (const [index, waiting] of this.#waiting) {
      if (waiting.until > now) continue
      this.#waiting.delete(index)
      this.#measured(index, () => open.machine.giveUp(index))
      this.#takeLog(index)
      this.#reply.fail(index, waitedTooLong(open.program.entry, this.#limits))
    }
    if (this.#waiting.size > 0 && calls.open === 0) this.#breakOff('waiting', neverResolves(open.program.entry))
  }

  /**
   * Reads the held answers. `ran` is the event whose code ran last. @returns true when memory was too short to read
   * them.
   */
  #flush(ran = none): boolean {
    const machine = this.#open?.machine
    const indexes = machine?.held ?? []
    if (machine === undefined || indexes.length === 0) return false
    const entry = this.#open?.program.entry ?? 'transformEvent'
    const timeMs = this.#limits.eventTimeMs
    // Writing an answer runs code of its event, and loops of the engine that cannot be interrupted.
    const whose = indexes.length === 1 ? (indexes[0] ?? answersOfGroup) : answersOfGroup
    const failures: [number, StageError][] = []
    const taking: Taking = {
      singly: this.#eager,
      timeMs,
      gauge: this.#gauge,
      unread: (index) => failures.push([index, timeout(entry, timeMs)]),
      refused: (index, error) => failures.push([index, error]),
    }
    const { answers, isShort } = this.#measured(whose, () => machine.flush(taking))
    if (answers === undefined) this.#lost(indexes, ran, isShort)
    else {
      for (const answer of answers) this.#reply.add(answer, machine.isFull)
      for (const [index, error] of failures) this.#reply.fail(index, error)
    }
    return isShort
  }

  /** Handles answers that could not be read. Events that ran before the one that exhausted memory are not to blame. */
  #lost(indexes: readonly number[], ran: number, isShort: boolean): void {
    const error: StageError = isShort ? outOfMemory(this.#limits) : { code: 'transform.stack', message: deepRecursion }
    for (const index of indexes) {
      // The others run again one by one, so that an event that breaks the engine harms only itself.
      const fails = isShort ? index === ran && this.#pays(index) : this.#eager
      if (fails || index === wholeBatch) this.#reply.fail(index, error)
      else this.#reply.again(index)
    }
  }

  #takeLog(index: number): void {
    const { machine } = this.#open ?? {}
    const log = machine && this.#measured(index, () => machine.takeLog(index, this.#gauge))
    if (log) this.#reply.add(log, false)
  }

  /** Restores the program as it was loaded, and counts its host calls. The next event enters it again. */
  #reset(): void {
    const machine = this.#open?.machine
    if (machine === undefined) return
    this.#hostCalls += machine.calls.made - this.#callsBefore
    this.#open = undefined
    machine.calls.context = {}
    if (!machine.broken) machine.leave()
  }

  #close(): void {
    const machine = this.#open?.machine
    // Unfinished work of an aborted batch must not produce answers in the next batch.
    if (this.#request.isolation !== 'none' || this.#signal.aborted) this.#reset()
    else if (machine) {
      this.#hostCalls += machine.calls.made - this.#callsBefore
      machine.pause()
      machine.calls.context = {}
    }
  }

  #leftMs(): number {
    return this.#request.timeMs - this.#spentMs
  }

  /** Measures the running time of `action`. Every call into the machine that may run user code goes through this. */
  #measured<T>(whose: number, action: () => T): T {
    this.#onEnter(whose)
    const start = performance.now()
    const result = action()
    this.#took(performance.now() - start)
    return result
  }

  #took(milliseconds: number): void {
    this.#spentMs += milliseconds
    this.#sinceYieldMs += milliseconds
  }

  async #yield(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.#sinceYieldMs = 0
    this.#signal.throwIfAborted()
  }
}
