import type { StageError } from '@sluice/core'
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import type { ModuleSet } from '../code/module-set.ts'
import { withFrames } from '../errors/guest-exception.ts'
import { mayHavePatterns } from '../patterns/may-have-patterns.ts'
import type { BatchDocument } from './batch-request.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { MemoryImage } from './engine/memory-image.ts'
import { type Ended, Guest, type GuestParts, installMs } from './guest/guest.ts'
import { type AnswerBytes, GuestAnswers, graceMs, type Taken, type Taking } from './guest/guest-answers.ts'
import { type InstalledApi, mayUseApi } from './guest/guest-api-install.ts'
import type { OpenCall, RunCalls } from './host-calls.ts'
import { type LoadedModules, loadFailure, loadModules } from './load-modules.ts'
import {
  deepRecursion,
  type Given,
  type LoadResult,
  type MachinePort,
  type MachineProgram,
  tooMuchMemory,
} from './machine-port.ts'
import type { OutputGauge } from './output-gauge.ts'
import type { PatternHook } from './patterns/pattern-hook.ts'

/** A program as an image of memory. */
export interface QuickJsProgram extends MachineProgram {
  readonly image: MemoryImage
}

/** Makes a new guest answer for patterns; undefined when it cannot. Passed in, because most programs need none of it. */
type InstallHook = (typeof PatternHook)['install']

/** Number of restores in a row after which an image is joined. Joining takes as long as a few restores. */
const timesBeforeJoined = 8
/**
 * Largest image that is joined. Larger ones have few pieces for their size, so a second copy in the host would not pay.
 */
const joinedBytesMax = 2 * 1024 * 1024
/**
 * A document needs this much memory in the guest, plus `crossingFactor` times its bytes, because values take more
 * memory than their encoding.
 */
const crossingBytes = 256 * 1024
const crossingFactor = 4

/**
 * A guest in QuickJS that can become any of many programs. A program is an image of memory taken right after its
 * modules were loaded, and `enter` restores it. A `broken` machine has an unusable engine.
 */
export class QuickJsMachine implements MachinePort {
  readonly #parts: GuestParts
  readonly #guest: Guest
  readonly #answers: GuestAnswers
  /**
   * Base image for programs that do not use the guest API. It is a third smaller than `#withApi`, so restoring it is
   * faster.
   */
  readonly #plain: MemoryImage
  readonly #withApi: MemoryImage
  readonly #api: InstalledApi
  /** Base image for programs that may have patterns; made when the first of them is loaded. */
  #withPatterns: MemoryImage | undefined
  #hook: PatternHook | undefined
  /** The most recently restored image, how often it was restored in a row, and its joined form once there is one. */
  #recent: { readonly image: MemoryImage; readonly joined?: MemoryImage; readonly times: number } | undefined
  #program: QuickJsProgram | undefined
  /**
   * The arguments of the next call of `next`: a list that the guest does not have yet, and its numbers (see `begin`).
   */
  #list: QuickJSHandle[] | undefined

  static async create(parts: GuestParts): Promise<QuickJsMachine> {
    return new QuickJsMachine(parts, await createEngine(parts.build, parts.limits.memoryBytes))
  }

  /** @param engine a new one, used only by this machine. @throws InvariantError when the guest API does not load. */
  constructor(parts: GuestParts, engine: Engine) {
    this.#parts = parts
    this.#guest = new Guest(parts, engine)
    this.#answers = new GuestAnswers(this.#guest)
    this.#plain = MemoryImage.take(engine)
    this.#api = this.#guest.installApi(parts.api)
    this.#withApi = MemoryImage.take(engine, this.#plain)
  }

  get broken(): boolean {
    return this.#guest.broken
  }

  get calls(): RunCalls {
    return this.#guest.calls
  }

  get isFull(): boolean {
    return this.#guest.isFull
  }

  get held(): readonly number[] {
    return this.#answers.indexes
  }

  get interruptedStack(): string {
    return this.#guest.interruptedStack
  }

  get grownBytes(): number {
    return this.#guest.grownBytes
  }

  async loader(modules: ModuleSet): Promise<(timeMs: number) => LoadResult> {
    // The parser of patterns is loaded when the first program needs it, because loading takes several milliseconds.
    const patterns = mayHavePatterns(modules.texts) ? await import('./patterns/pattern-hook.ts') : undefined
    return (timeMs) => this.load(modules, timeMs, patterns?.PatternHook.install)
  }

  /** Loads a program within `timeMs`. @param installHook for a program that may have patterns. */
  load(modules: ModuleSet, timeMs: number, installHook?: InstallHook): QuickJsProgram | StageError {
    const guest = this.#guest
    this.#program = undefined
    const base = this.#baseFor(modules, installHook)
    if (!base || !this.#restore(base)) return loadFailure('Error: the engine is broken.')
    if (guest.engine.roomBytes() < modules.codeLength * 3 + crossingBytes)
      return loadFailure(tooMuchMemory(this.#parts.limits))
    guest.modules = modules
    const result: { loaded: LoadedModules | StageError } = { loaded: loadFailure(deepRecursion) }
    guest.calls.isLoading = true
    const ended = guest.contain(timeMs, () => {
      result.loaded = loadModules(guest, modules, this.#parts.crossing)
    })
    guest.calls.isLoading = false
    guest.probes?.collect()
    if (this.isFull) {
      guest.break()
      return loadFailure(tooMuchMemory(this.#parts.limits))
    }
    if (ended === 'interrupted')
      return loadFailure(
        withFrames(
          `Error: Script execution timed out. Loading took longer than ${timeMs} ms.`,
          guest.interruptedStack,
          modules,
        ),
      )
    const { loaded } = result
    if ('code' in loaded) return loaded
    if (ended === 'failed') return loadFailure(deepRecursion)
    const image = MemoryImage.take(guest.engine, base)
    return { ...loaded, modules, image, keptBytes: image.byteLength, stateBytes: image.byteLength }
  }

  /**
   * Restores `program` to the state right after it was loaded, and closes open host calls. @returns false when the
   * machine broke.
   */
  enter(program: QuickJsProgram): boolean {
    const guest = this.#guest
    guest.isKept = false
    if (this.#program === program && guest.isFresh) return !guest.broken
    this.#program = program
    guest.modules = program.modules
    return this.#restore(program.image)
  }

  /** Like `enter`, but a program that is still loaded keeps its current state, unless its heap has grown much. */
  resume(program: QuickJsProgram): boolean {
    const guest = this.#guest
    const isSmall = guest.engine.heapEnd() - program.image.end < this.#parts.limits.memoryBytes / 4
    const isEntered = (this.#program === program && isSmall && !guest.broken) || this.enter(program)
    guest.isKept = true
    return isEntered
  }

  /** Keeps the state of the program, so that a later batch can continue with it. */
  pause(): void {
    this.calls.forget()
    this.#guest.probes?.collect()
  }

  /** Removes all state of the program by restoring it as it was loaded. */
  leave(): void {
    if (this.#program) this.#restore(this.#program.image)
  }

  /**
   * Passes a list of events and their metadata to the guest (see BatchDocument). `index` is the event that `next` runs
   * first.
   */
  begin(bytes: Uint8Array, { first, count }: Pick<BatchDocument, 'first' | 'count'>, index: number): Given {
    const { context } = this.#guest
    return this.#hand(bytes, (list) => {
      // The list is passed with the first call of `next`, which saves a call.
      this.#list = [list, ...[count, first, index - first].map((number) => context.newNumber(number))]
    })
  }

  /** Passes `count` events to the guest for the single call of transformBatch. Further calls add to the list. */
  gather(bytes: Uint8Array, count: number): Given {
    const guest = this.#guest
    return this.#hand(bytes, (list) => {
      const values = [list, guest.context.newNumber(count)]
      const gathered = guest.call(guest.prelude.gather, values)
      if (guest.frees) for (const value of [...values, gathered]) value?.dispose()
    })
  }

  /**
   * Runs transformEvent for the next event of the list, and its microtasks, within `timeMs`. With `isAlone`, and when
   * no other answer is held, the answer is taken immediately, which saves a call.
   */
  next(index: number, timeMs: number, isAlone = false): Ended {
    const { prelude } = this.#guest
    return this.#guest.contain(timeMs, () => {
      if (isAlone && this.held.length === 0) this.#runAlone(index)
      else this.#run(prelude.next, index)
    })
  }

  /** Runs transformBatch for all gathered events, within `timeMs`. */
  runGathered(index: number, timeMs: number): Ended {
    return this.#guest.contain(timeMs, () => this.#run(this.#guest.prelude.runGathered, index))
  }

  /** Passes the result of a host call to the guest, and runs the code that waited for it. */
  answer(call: OpenCall, timeMs: number): Ended {
    const guest = this.#guest
    return guest.contain(timeMs, () => {
      guest.calls.owner = call.owner
      const values = [guest.context.newNumber(call.id), guest.calls.replyOf(call)]
      const settled = guest.context.callFunction(guest.prelude.settleCall, guest.context.undefined, values)
      for (const handle of [...values, settled]) handle.dispose()
      guest.runJobs()
      this.#answers.note()
    })
  }

  /** Makes the guest ignore any later result of this event's promise. */
  giveUp(index: number): void {
    this.#answers.giveUp(index)
    const { context, prelude } = this.#guest
    this.#guest.contain(graceMs, () => {
      const number = context.newNumber(index)
      context.callFunction(prelude.giveUp, context.undefined, number).dispose()
      number.dispose()
    })
  }

  /** Takes the held answers; see GuestAnswers.take. */
  flush(taking: Taking): Taken {
    return this.#answers.take(taking)
  }

  /** Takes what was logged since the last answer. */
  takeLog(index: number, gauge: OutputGauge): AnswerBytes | undefined {
    return this.#answers.takeLog(index, gauge)
  }

  /** Returns the image from which a program is loaded; undefined when the machine broke. */
  #baseFor({ texts }: ModuleSet, installHook?: InstallHook): MemoryImage | undefined {
    if (installHook === undefined) return mayUseApi(this.#api, texts) ? this.#withApi : this.#plain
    if (!this.#withPatterns) {
      const { engine, context } = this.#guest
      if (!this.#restore(this.#withApi)) return undefined
      this.#guest.allow(installMs)
      this.#hook = installHook(engine, context)
      this.#withPatterns = this.#hook ? MemoryImage.take(engine, this.#withApi) : this.#withApi
    }
    return this.#withPatterns
  }

  #restore(image: MemoryImage): boolean {
    const guest = this.#guest
    guest.isFresh = true
    guest.calls.forget()
    this.#hook?.forget()
    this.#answers.forget()
    this.#list = undefined
    guest.probes?.collect()
    if (guest.broken || !this.#quickest(image).restore(guest.engine)) guest.break()
    guest.probes?.rebase()
    guest.heapEndBefore = guest.engine.heapEnd()
    return !guest.broken
  }

  /** Returns the same image in the form that is fastest to restore. */
  #quickest(image: MemoryImage): MemoryImage {
    const recent = this.#recent
    if (recent?.image !== image) this.#recent = { image, times: 1 }
    else if (recent.joined) return recent.joined
    else if (recent.times < timesBeforeJoined || image.copiedBytes > joinedBytesMax)
      this.#recent = { image, times: recent.times + 1 }
    else this.#recent = { ...recent, joined: image.joined() }
    return image
  }

  #hand(bytes: Uint8Array, take: (list: QuickJSHandle) => void): Given {
    const guest = this.#guest
    // The glue code of the engine does not notice when there is no room for a value.
    if (guest.engine.roomBytes() < bytes.length * crossingFactor + crossingBytes) return 'noRoom'
    return guest.contain(this.#parts.limits.batchTimeMs, () => take(guest.toGuest(bytes)))
  }

  /** Calls a function of the prelude, with the current list if the guest does not have it yet. */
  #callWithList(target: QuickJSHandle): QuickJSHandle | undefined {
    const list = this.#list
    if (list === undefined) return this.#guest.call(target)
    this.#list = undefined
    const called = this.#guest.call(target, list)
    if (this.#guest.frees) for (const value of list) value.dispose()
    return called
  }

  #run(target: QuickJSHandle, index: number): void {
    const guest = this.#guest
    guest.calls.owner = index
    const called = this.#callWithList(target)
    if (called === undefined) return
    const isHeld = guest.context.getNumber(called) === 1
    if (isHeld && !guest.hasJobs) {
      this.#answers.add(index)
      return
    }
    this.#answers.expect(index)
    guest.runJobs()
    this.#answers.note()
  }

  #runAlone(index: number): void {
    const guest = this.#guest
    guest.calls.owner = index
    const called = this.#callWithList(guest.prelude.nextAlone)
    if (called === undefined) return
    this.#answers.expect(index)
    if (guest.hasJobs) {
      guest.runJobs()
      this.#answers.note()
    }
    this.#answers.takeAlone(index, called, this.#parts.limits.eventTimeMs)
  }
}
