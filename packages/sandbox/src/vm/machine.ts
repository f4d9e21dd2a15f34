import { type Clock, InvariantError, type Random, type StageError } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten'
import type { Crossing, GuestCrossing } from '../crossing/crossing.ts'
import type { GuestApi } from '../guest-api.ts'
import { readException, toLoadError } from '../guest-error.ts'
import { type ModuleSet, unknownModule } from '../module-set.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { BatchDocument } from './batch-message.ts'
import { createEngine, type Engine, type EngineBuild } from './engine.ts'
import { installGuestApi } from './guest-api-install.ts'
import { HostCalls, type OpenCall } from './host-calls.ts'
import { MemoryImage } from './memory-image.ts'
import { linkPrelude, type PreludeFunctions } from './prelude-link.ts'

export type EntryPoint = 'transformEvent' | 'transformBatch'

export interface MachineParts {
  readonly build: EngineBuild
  readonly crossing: Crossing
  readonly limits: SandboxLimits
  readonly clock: Clock
  readonly random: Random
  readonly api: GuestApi
}

/** A program as one machine has loaded it. */
export interface MachineProgram {
  readonly modules: ModuleSet
  readonly entry: EntryPoint
  /** False when the entry point cannot see its second argument. */
  readonly usesMetadata: boolean
  /** Log of the top level, as the prelude keeps it. */
  readonly log: string
  readonly image: MemoryImage
}

/** How a call into user code ended. After anything but 'done' only `flush`, `takeLog` and `enter` make sense. */
export type Ended = 'done' | 'interrupted' | 'failed'

/** Whether the guest took a document; 'noRoom' says that its memory is too small for it. */
export type Given = Ended | 'noRoom'

/** Answers (see guest-prelude.ts) as bytes: a list of them, or one. */
export interface AnswerBytes {
  readonly indexes: readonly number[]
  readonly isList: boolean
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Microtasks run between two looks at the clock: one call of the engine for all of them may never return. */
const jobsPerCheck = 100
/** Time to bring back what is held from a guest that ran out of its own. */
const graceMs = 50
/** What values that are not freed may make the heap grow by. */
const unfreedBytes = 8 * 1024 * 1024
/** What says that an answer is to come; an answer, whose list begins with three values, takes more. */
const noAnswerBytes = 5
/** Joining an image takes as long as putting it back some times. */
const timesBeforeJoined = 8
/** Of larger images the host keeps no second copy; the pieces are few for their size. */
const joinedBytesMax = 2 * 1024 * 1024
/** For our own code, when the machine is made. */
const installMs = 2_000
/** Beside the bytes themselves, what carrying them over allocates: the values take a multiple of their bytes. */
const crossingBytes = 256 * 1024
const crossingFactor = 4

/**
 * One instance of the engine with everything of ours in it, able to become any of many programs: a program is the image
 * of its memory right after its modules were loaded. It works in the thread that calls it and blocks it.
 *
 * `enter` puts a program back into that state; whatever ran before is gone then. A machine that is `broken` met something
 * the engine does not survive, and must be replaced.
 */
export class Machine {
  readonly #parts: MachineParts
  readonly #engine: Engine
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #prelude: PreludeFunctions
  readonly #crossing: GuestCrossing
  readonly #calls: HostCalls
  readonly #base: MemoryImage
  /** The image put back last, in one piece once that has been asked for some times in a row. */
  #recent: { readonly image: MemoryImage; readonly joined?: MemoryImage; readonly times: number } | undefined
  #modules: ModuleSet | undefined
  #program: MachineProgram | undefined
  #deadline = 0
  #interrupted = false
  #broken = false
  /** True while nothing has run since the memory was put back. */
  #isFresh = false
  #held: number[] = []
  /** Of the events held, the last one's answer when it is taken already; without bytes when it could not be read. */
  #alone: { readonly index: number; readonly bytes: Uint8Array<ArrayBuffer> | undefined } | undefined
  /** True for a program that keeps its state: nothing else gives its memory back. */
  #isKept = false
  #heapEndBefore = 0
  /** A list that the guest has not had yet, and the numbers that come with it. */
  #list: QuickJSHandle[] | undefined

  static async create(parts: MachineParts): Promise<Machine> {
    return new Machine(parts, await createEngine(parts.build, parts.limits.memoryBytes))
  }

  /** @param engine a fresh one, for nobody else. @throws InvariantError when the guest API does not load. */
  constructor(parts: MachineParts, engine: Engine) {
    this.#parts = parts
    this.#engine = engine
    this.#runtime = engine.quickjs.newRuntime()
    this.#runtime.setMaxStackSize(parts.limits.stackBytes)
    // Limits are kept by the real time, whatever clock the guest is shown: a clock that stands still must not let a loop run on.
    this.#runtime.setInterruptHandler(() => {
      if (performance.now() < this.#deadline) return false
      this.#interrupted = true
      return true
    })
    this.#allow(installMs)
    const context = this.#runtime.newContext()
    this.#context = context
    this.#crossing = parts.crossing.link(context)
    this.#calls = new HostCalls(parts, engine, context, this.#crossing)
    this.#prelude = linkPrelude(context, { ...parts, ports: this.#calls })
    // The engine goes on after a refusing normalizer, so unknown specifiers are refused by the loader.
    const apiModules = installGuestApi(context, parts.api, this.#prelude)
    this.#runtime.setModuleLoader(
      (name) =>
        this.#modules?.code(name) ?? { error: new Error(`import from ${name.slice(1)} failed. Module not found.`) },
      (_, specifier) => apiModules.get(specifier) ?? this.#modules?.resolve(specifier) ?? unknownModule + specifier,
    )
    // The wrapper makes these when they are first asked for; made after the image, they would be nothing after a restore.
    void [context.undefined, context.null, context.true, context.false, context.global]
    this.#base = MemoryImage.take(engine)
  }

  get broken(): boolean {
    return this.#broken
  }

  /** Host calls that are to be answered. */
  get calls(): HostCalls {
    return this.#calls
  }

  /** True once the engine may have been out of memory. */
  get isFull(): boolean {
    return this.#engine.isFull()
  }

  /** Indexes of the events whose answers are held. */
  get held(): readonly number[] {
    return this.#held
  }

  /** Bytes the heap has grown by since `enter`. */
  get grownBytes(): number {
    return this.#engine.heapEnd() - this.#heapEndBefore
  }

  /** Loads a program within `timeMs`. */
  load(modules: ModuleSet, timeMs: number): MachineProgram | StageError {
    const failure = (message: string): StageError => ({ code: 'transform.load', message })
    this.#program = undefined
    if (!this.#restore(undefined)) return failure('Error: the engine is broken.')
    if (this.#engine.roomBytes() < modules.codeLength * 3 + crossingBytes)
      return failure(tooMuchMemory(this.#parts.limits))
    this.#modules = modules
    let loaded: MachineProgram | StageError = failure(deepRecursion)
    const ended = this.#contain(timeMs, () => {
      loaded = this.#loadModule(modules)
    })
    if (this.isFull) {
      this.#broken = true
      return failure(tooMuchMemory(this.#parts.limits))
    }
    if (ended === 'interrupted')
      return failure(`Error: Script execution timed out. Loading took longer than ${timeMs} ms.`)
    return ended === 'failed' && !('code' in loaded) ? failure(deepRecursion) : loaded
  }

  /** Puts `program` into the state right after it was loaded. Host calls under way are forgotten. @returns false when the machine broke. */
  enter(program: MachineProgram): boolean {
    this.#isKept = false
    if (this.#program === program && this.#isFresh) return !this.#broken
    this.#program = program
    this.#modules = program.modules
    return this.#restore(program.image)
  }

  /** As `enter`, but a program that is still there stays as it is, unless its heap has grown much. */
  resume(program: MachineProgram): boolean {
    const isSmall = this.#engine.heapEnd() - program.image.end < this.#parts.limits.memoryBytes / 4
    const isEntered = (this.#program === program && isSmall && !this.#broken) || this.enter(program)
    this.#isKept = true
    return isEntered
  }

  /** Wipes what was left behind, by going back to the program as it was loaded. */
  leave(): void {
    if (this.#program) this.#restore(this.#program.image)
  }

  /** Gives the guest a list of events and their metadata (see BatchDocument). `index` is the event that `next` takes first. */
  begin(bytes: Uint8Array, { first, count }: Pick<BatchDocument, 'first' | 'count'>, index: number): Given {
    return this.#hand(bytes, (list) => {
      // They come with the first call of `next`, which saves a call.
      this.#list = [list, ...[count, first, index - first].map((number) => this.#context.newNumber(number))]
      return true
    })
  }

  /** Gives the guest a list of `count` events for the one call of transformBatch; they add up. */
  gather(bytes: Uint8Array, count: number): Given {
    return this.#hand(bytes, (list) => {
      const number = this.#context.newNumber(count)
      const called = this.#context.callFunction(this.#prelude.gather, this.#context.undefined, list, number)
      if (this.#frees) for (const value of [called, list, number]) value.dispose()
      return !called.error
    })
  }

  /**
   * Runs transformEvent for the next event of the list, and what it leaves behind, within `timeMs`. With `isAlone` its
   * answer, once there, is the only one held and taken at once: that saves a call.
   */
  next(index: number, timeMs: number, isAlone = false): Ended {
    return this.#contain(timeMs, () => {
      if (isAlone && this.#held.length === 0) this.#runAlone(index)
      else this.#run(this.#prelude.next, index)
    })
  }

  /** Runs transformBatch for all events that were gathered, within `timeMs`. */
  runGathered(index: number, timeMs: number): Ended {
    return this.#contain(timeMs, () => this.#run(this.#prelude.runGathered, index))
  }

  /** Gives the answer of a host call to the guest, and runs what waited for it. */
  answer(call: OpenCall, timeMs: number): Ended {
    return this.#contain(timeMs, () => {
      this.#calls.owner = call.owner
      const id = this.#context.newNumber(call.id)
      const reply = this.#calls.replyOf(call)
      const called = this.#context.callFunction(this.#prelude.settleCall, this.#context.undefined, id, reply)
      for (const handle of [id, reply]) handle.dispose()
      if (called.error) called.error.dispose()
      else called.value.dispose()
      this.#runJobs()
      this.#noteHeld()
    })
  }

  /** What the promise of this event comes to will be ignored. */
  giveUp(index: number): void {
    this.#contain(graceMs, () => {
      const number = this.#context.newNumber(index)
      this.#context.callFunction(this.#prelude.giveUp, this.#context.undefined, number).dispose()
      number.dispose()
    })
  }

  /**
   * Takes the answers held, in one list unless `singly`. Those that cannot cross as they are go through JSON text, each within `timeMs`; `failed` is
   * called for those whose text took longer. @returns undefined when they are lost.
   */
  flush(singly: boolean, timeMs: number, failed: (index: number) => void): readonly AnswerBytes[] | undefined {
    const alone = this.#alone
    const indexes = alone ? this.#held.slice(0, -1) : this.#held
    this.#held = []
    this.#alone = undefined
    const answers: AnswerBytes[] = []
    if (alone?.bytes) answers.push({ indexes: [alone.index], isList: false, bytes: alone.bytes })
    else if (alone) failed(alone.index)
    if (indexes.length === 0) return answers
    let taken: readonly AnswerBytes[] | undefined
    const ended = this.#contain(graceMs, () => {
      const list = this.#context.callFunction(this.#prelude.take, this.#context.undefined)
      if (list.error) return
      const { value } = list
      const bytes = singly && indexes.length > 1 ? undefined : this.#toBytes(value)
      taken = bytes === undefined ? this.#singly(value, indexes, timeMs, failed) : [{ indexes, isList: true, bytes }]
      if (this.#frees) value.dispose()
    })
    return ended === 'failed' || taken === undefined ? undefined : [...taken, ...answers]
  }

  /** What was logged since the last answer. */
  takeLog(index: number): AnswerBytes | undefined {
    let bytes: Uint8Array<ArrayBuffer> | undefined
    this.#contain(graceMs, () => {
      const number = this.#context.newNumber(index)
      const called = this.#context.callFunction(this.#prelude.takeLog, this.#context.undefined, number)
      number.dispose()
      if (called.error) return
      bytes = this.#toBytes(called.value)
      called.value.dispose()
    })
    return bytes && { indexes: [index], isList: false, bytes }
  }

  /** Values are freed only where putting the memory back, which costs less, would come too late. */
  get #frees(): boolean {
    return this.#isKept || this.grownBytes > unfreedBytes
  }

  #restore(image: MemoryImage | undefined): boolean {
    this.#isFresh = true
    this.#calls.forget()
    this.#held = []
    this.#alone = undefined
    this.#list = undefined
    if (this.#broken || !this.#quickest(image ?? this.#base).restore(this.#engine)) this.#broken = true
    this.#heapEndBefore = this.#engine.heapEnd()
    return !this.#broken
  }

  /** The same image, in the form in which it is put back in the least time. */
  #quickest(image: MemoryImage): MemoryImage {
    const recent = this.#recent
    if (recent?.image !== image) this.#recent = { image, times: 1 }
    else if (recent.joined) return recent.joined
    else if (recent.times < timesBeforeJoined || image.copiedBytes > joinedBytesMax)
      this.#recent = { image, times: recent.times + 1 }
    else this.#recent = { ...recent, joined: image.joined() }
    return image
  }

  #singly(
    list: QuickJSHandle,
    indexes: readonly number[],
    timeMs: number,
    failed: (index: number) => void,
  ): AnswerBytes[] {
    const taken: AnswerBytes[] = []
    indexes.forEach((index, place) => {
      const answer = this.#context.getProp(list, place)
      const bytes = this.#toBytes(answer) ?? this.#normalisedBytes(answer, timeMs)
      answer.dispose()
      if (bytes === undefined) failed(index)
      else taken.push({ indexes: [index], isList: false, bytes })
      this.#interrupted = false
    })
    return taken
  }

  #normalisedBytes(answer: QuickJSHandle, timeMs: number): Uint8Array<ArrayBuffer> | undefined {
    this.#allow(timeMs)
    const plain = this.#context.callFunction(this.#prelude.normalisedAnswer, this.#context.undefined, answer)
    const bytes = plain.error ? undefined : this.#toBytes(plain.value)
    plain.dispose()
    return bytes
  }

  #hand(bytes: Uint8Array, take: (list: QuickJSHandle) => boolean): Given {
    // The glue of the engine does not notice when there is no room for what it is given.
    if (this.#engine.roomBytes() < bytes.length * crossingFactor + crossingBytes) return 'noRoom'
    let taken = false
    const ended = this.#contain(this.#parts.limits.batchTimeMs, () => {
      taken = take(this.#crossing.toGuest(bytes, this.#frees))
    })
    return ended === 'done' && !taken ? 'failed' : ended
  }

  /** Calls a function of the prelude with the list that was given last, if it has not had it. */
  #callWithList(target: QuickJSHandle): ReturnType<QuickJSContext['callFunction']> {
    const list = this.#list
    if (list === undefined) return this.#context.callFunction(target, this.#context.undefined)
    this.#list = undefined
    const called = this.#context.callFunction(target, this.#context.undefined, list)
    if (this.#frees) for (const value of list) value.dispose()
    return called
  }

  #run(target: QuickJSHandle, index: number): void {
    this.#calls.owner = index
    const called = this.#callWithList(target)
    if (called.error) {
      called.error.dispose()
      if (!this.#interrupted) throw new UnreadableError()
      return
    }
    const isHeld = this.#context.getNumber(called.value) === 1
    if (isHeld && !this.#runtime.hasPendingJob()) {
      this.#held.push(index)
      return
    }
    this.#runJobs()
    this.#noteHeld()
  }

  #runAlone(index: number): void {
    this.#calls.owner = index
    const called = this.#callWithList(this.#prelude.nextAlone)
    if (called.error) {
      called.error.dispose()
      if (!this.#interrupted) throw new UnreadableError()
      return
    }
    if (this.#runtime.hasPendingJob()) {
      this.#runJobs()
      this.#noteHeld()
    }
    const isInterrupted = this.#interrupted
    let bytes = this.#toBytes(called.value)
    if (bytes === undefined && !isInterrupted)
      bytes = this.#normalisedBytes(called.value, this.#parts.limits.eventTimeMs)
    this.#interrupted = isInterrupted
    if (this.#frees) called.value.dispose()
    if (bytes && bytes.length <= noAnswerBytes) return
    this.#held.push(index)
    this.#alone = { index, bytes }
  }

  /** Jobs may have brought answers of other events than the one that runs. */
  #noteHeld(): void {
    const ask = (target: QuickJSHandle, ...values: QuickJSHandle[]): number => {
      const called = this.#context.callFunction(target, this.#context.undefined, values)
      if (called.error) {
        called.error.dispose()
        throw new UnreadableError()
      }
      return called.value.consume((handle) => this.#context.getNumber(handle))
    }
    const count = ask(this.#prelude.heldNow)
    for (let n = this.#held.length; n < count; n += 1)
      this.#held.push(this.#context.newNumber(n).consume((place) => ask(this.#prelude.heldIndex, place)))
  }

  #toBytes(handle: QuickJSHandle): Uint8Array<ArrayBuffer> | undefined {
    return this.#crossing.fromGuest(handle, this.#frees)
  }

  #loadModule(modules: ModuleSet): MachineProgram | StageError {
    const context = this.#context
    const failure = (message: string): StageError => ({ code: 'transform.load', message })
    const evaluated = context.evalCode(modules.mainCode, modules.mainName, { type: 'module' })
    if (evaluated.error) return this.#loadError(evaluated.error, modules)
    let exported = evaluated.value
    this.#runJobs()
    const state = context.getPromiseState(exported)
    if (state.type === 'rejected') return this.#loadError(state.error, modules)
    if (state.type === 'pending')
      return failure('Error: a top-level await never resolves: there is nothing left to run.')
    if (state.notAPromise !== true) exported = state.value

    const flag = modules.mentionsToJson ? context.true : context.false
    const found = context.callFunction(this.#prelude.attach, context.undefined, exported, flag)
    if (found.error) return this.#loadError(found.error, modules)
    const names = context.getString(found.value)
    const entry = names.replace('+', '')
    if (entry !== 'transformEvent' && entry !== 'transformBatch')
      return failure(`Error: Expected one of transformEvent,transformBatch. Found ${names}`)
    const log = this.#takeLogText()
    for (const handle of [evaluated.value, exported, found.value]) if (handle.alive) handle.dispose()
    if (this.#runtime.hasPendingJob()) this.#runJobs()
    const usesMetadata = names.endsWith('+')
    return { modules, entry, usesMetadata, log, image: MemoryImage.take(this.#engine, this.#base) }
  }

  #takeLogText(): string {
    const index = this.#context.newNumber(0)
    const taken = this.#context.callFunction(this.#prelude.takeLog, this.#context.undefined, index)
    index.dispose()
    if (taken.error) return ''
    const text = this.#context.getProp(taken.value, 1).consume((handle) => this.#context.getString(handle))
    taken.value.dispose()
    return text
  }

  #loadError(thrown: QuickJSHandle, modules: ModuleSet): StageError {
    const unreadable: StageError = { code: 'transform.load', message: 'Error: the code cannot be loaded.' }
    if (this.#interrupted) return unreadable
    const described = this.#context.callFunction(this.#prelude.describe, this.#context.undefined, thrown)
    if (described.error) return unreadable
    const bytes = this.#toBytes(described.value)
    const answer = bytes && this.#parts.crossing.createDecoder().decode(bytes, 0, bytes.length, describedLimits)
    const exception = answer?.ok && Array.isArray(answer.value) ? readException(answer.value, 3) : undefined
    return exception ? toLoadError(exception, modules) : unreadable
  }

  #runJobs(): void {
    while (!this.#interrupted && this.#runtime.hasPendingJob()) {
      // Exceptions of jobs belong to promises, which tell whoever awaits them.
      this.#runtime.executePendingJobs(jobsPerCheck).dispose()
      if (performance.now() >= this.#deadline) this.#interrupted = true
    }
  }

  #allow(timeMs: number): void {
    this.#isFresh = false
    this.#interrupted = false
    this.#deadline = performance.now() + timeMs
  }

  /** Sets the deadline and runs. */
  #contain(timeMs: number, action: () => void): Ended {
    this.#allow(timeMs)
    try {
      action()
    } catch (thrown) {
      if (thrown instanceof InvariantError) throw thrown
      // Recursion that used up the host's stack, a trap, a failed assertion: the text tells users nothing and may hold host paths.
      if (!(thrown instanceof UnreadableError)) this.#broken = true
      else if (this.#interrupted) return 'interrupted'
      return 'failed'
    }
    return this.#interrupted ? 'interrupted' : 'done'
  }
}

/** The prelude itself threw: user code broke what it needs, or nothing was left of stack or memory. */
class UnreadableError extends Error {}

const describedLimits = { depthMax: 2, valuesMax: 100, charsMax: 100_000 }
export const tooMuchMemory = ({ memoryBytes }: SandboxLimits): string =>
  `Error: out of memory. User code and its data may take ${memoryBytes} bytes.`
export const deepRecursion = 'RangeError: Maximum call stack size exceeded'
