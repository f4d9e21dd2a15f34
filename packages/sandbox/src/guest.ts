import { InvariantError, type StageError } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten'
import type { Engine } from './engine.ts'
import { exceptionIn, type GuestAnswer, readAnswer } from './guest-answer.ts'
import { toLoadError } from './guest-error.ts'
import { type HostPorts, linkPrelude, type PreludeFunctions } from './link-prelude.ts'
import { type ModuleSet, unknownModule } from './module-set.ts'

/** What must be thrown away after a call: nothing, the guest, or the engine with it. */
export type Damage = 'none' | 'guest' | 'engine'
export type EntryPoint = 'transformEvent' | 'transformBatch'

export interface GuestParts extends HostPorts {
  readonly engine: Engine
  readonly modules: ModuleSet
}

/** Microtasks run between two looks at the clock: one call of the engine for all of them may never return. */
const jobsPerCheck = 100
/** Time to bring the log back from a guest that ran out of its own. */
const graceMs = 50
/** Beside the text itself, what carrying it over allocates. */
const crossingBytes = 256 * 1024

/** One heap with one program loaded. Every way user code can end is an answer; nothing is thrown but InvariantError. */
export class Guest {
  readonly #parts: GuestParts
  readonly #runtime: QuickJSRuntime
  readonly #context: QuickJSContext
  readonly #handles: QuickJSHandle[] = []
  #prelude: PreludeFunctions | undefined
  #deadline = 0
  #interrupted = false
  #damage: Damage = 'none'

  /** Makes the heap; `load` must follow. */
  constructor(parts: GuestParts) {
    this.#parts = parts
    this.#runtime = parts.engine.quickjs.newRuntime()
    this.#runtime.setMaxStackSize(parts.limits.stackBytes)
    // Limits are kept by the real time, whatever clock the guest is shown: a clock that stands still must not let a loop run on.
    this.#runtime.setInterruptHandler(() => {
      if (performance.now() < this.#deadline) return false
      this.#interrupted = true
      return true
    })
    this.#context = this.#runtime.newContext()
  }

  /** What the calls so far broke. */
  get damage(): Damage {
    return this.#damage
  }

  /** Loads the prelude and the program within `timeMs`. */
  load(timeMs: number): EntryPoint | StageError {
    const failure = (message: string): StageError => ({ code: 'transform.load', message })
    const outcome = this.#contain(timeMs, () => {
      const { modules, engine } = this.#parts
      if (engine.roomBytes() < modules.codeLength * 3 + crossingBytes) return failure(this.#tooMuchMemory())
      this.#prelude = linkPrelude(this.#context, this.#parts, (handle) => this.#keep(handle))
      return this.#loadModule(this.#prelude)
    })
    if (this.#interrupted) {
      this.#worsen('guest')
      return failure(`Error: Script execution timed out. Loading took longer than ${timeMs} ms.`)
    }
    if (this.#parts.engine.isFull()) return failure(this.#tooMuchMemory())
    return outcome ?? failure(deepRecursion)
  }

  /** Runs transformEvent for the event with this index, within `timeMs`. `text` is its JSON text. */
  runEvent(text: string, index: number, timeMs: number): GuestAnswer {
    return this.#run('transformEvent', text, timeMs, 1, (prelude, argument) => {
      const number = this.#context.newNumber(index)
      const answer = this.#call(prelude.runEvent, argument, number)
      number.dispose()
      return answer
    })
  }

  /** Runs transformBatch for all `inputCount` events, within `timeMs`. `text` is the JSON text of their array. */
  runBatch(text: string, inputCount: number, timeMs: number): GuestAnswer {
    return this.#run('transformBatch', text, timeMs, inputCount, (prelude, argument) =>
      this.#call(prelude.runBatch, argument),
    )
  }

  /** Frees the heap. The damage is 'engine' when that went wrong. */
  dispose(): Damage {
    // An instance that is thrown away need not be tidied, and can trap when it is.
    if (this.#damage === 'engine') return this.#damage
    try {
      for (const handle of this.#handles) handle.dispose()
      this.#context.dispose()
      this.#runtime.dispose()
    } catch {
      this.#damage = 'engine'
    }
    return this.#damage
  }

  #run(
    entry: EntryPoint,
    text: string,
    timeMs: number,
    inputCount: number,
    call: (prelude: PreludeFunctions, argument: QuickJSHandle) => string,
  ): GuestAnswer {
    const prelude = this.#prelude
    if (prelude === undefined) throw new InvariantError('the guest is not loaded')
    const { engine, limits } = this.#parts
    // The glue of the engine does not notice when there is no room for a string it is given.
    if (engine.roomBytes() < Buffer.byteLength(text) + crossingBytes)
      return this.#failed('engine', { code: 'transform.memory', message: this.#tooMuchMemory() })

    const answer = this.#contain(timeMs, () => {
      const argument = this.#context.newString(text)
      const immediate = call(prelude, argument)
      argument.dispose()
      this.#runJobs()
      return immediate === '' && !this.#interrupted ? this.#call(prelude.takeAnswer) : immediate
    })
    if (this.#interrupted) {
      const message = `Error: Script execution timed out. ${entry} ran longer than ${Math.ceil(timeMs)} ms.`
      return this.#failed('guest', { code: 'transform.timeout', message })
    }
    if (answer === undefined) return this.#failed('engine', { code: 'transform.stack', message: deepRecursion })
    return this.#read(entry, answer, limits.outputBytesPerEvent * inputCount)
  }

  #read(entry: EntryPoint, text: string, outputBytesMax: number): GuestAnswer {
    const full = this.#parts.engine.isFull()
    const outOfMemory: StageError = { code: 'transform.memory', message: this.#tooMuchMemory() }
    if (text === '') {
      if (full) return this.#failed('engine', outOfMemory)
      const message = `Error: the promise that ${entry} returned never resolves: there is nothing left to run.`
      return this.#failed('guest', { code: 'transform.timeout', message })
    }
    const answer = readAnswer(text, outputBytesMax)
    if (answer === undefined) {
      const message = `Error: the result of ${entry} could not be read; was a built-in overwritten?`
      return full ? this.#failed('engine', outOfMemory) : this.#failed('guest', { code: 'transform.output', message })
    }
    if ('outputs' in answer.result) return answer
    // With no room left to make an error, the engine throws null.
    const memory = answer.result.error.code === 'transform.memory' || (full && exceptionIn(text)?.isNullish === true)
    if (!memory) return answer
    this.#worsen('engine')
    return { result: { error: outOfMemory }, log: answer.log }
  }

  #failed(damage: Damage, error: StageError): GuestAnswer {
    this.#worsen(damage)
    const { takeLog } = this.#prelude ?? {}
    if (takeLog === undefined || this.#damage === 'engine') return { result: { error }, log: [] }
    const text = this.#contain(graceMs, () => this.#call(takeLog))
    return { result: { error }, log: readAnswer(text ?? '', 0)?.log ?? [] }
  }

  #loadModule(prelude: PreludeFunctions): EntryPoint | StageError {
    const context = this.#context
    const { modules } = this.#parts
    // The engine goes on after a refusing normalizer, so unknown specifiers are refused by the loader.
    this.#runtime.setModuleLoader(
      (name) => modules.code(name) ?? { error: new Error(`import from ${name.slice(1)} failed. Module not found.`) },
      (_, specifier) => modules.resolve(specifier) ?? unknownModule + specifier,
    )
    const evaluated = context.evalCode(modules.mainCode, modules.mainName, { type: 'module' })
    if (evaluated.error) return this.#loadError(prelude, this.#keep(evaluated.error))
    let exported = this.#keep(evaluated.value)
    this.#runJobs()
    const state = context.getPromiseState(exported)
    if (state.type === 'rejected') return this.#loadError(prelude, this.#keep(state.error))
    if (state.type === 'pending')
      return {
        code: 'transform.load',
        message: 'Error: a top-level await never resolves: there is nothing left to run.',
      }
    if (state.notAPromise !== true) exported = this.#keep(state.value)

    const found = context.callFunction(prelude.attach, context.undefined, exported)
    if (found.error) return this.#loadError(prelude, this.#keep(found.error))
    const names = found.value.consume((handle) => context.getString(handle))
    if (names === 'transformEvent' || names === 'transformBatch') return names
    const message = `Error: Expected one of transformEvent,transformBatch. Found ${names}`
    return { code: 'transform.load', message }
  }

  #loadError(prelude: PreludeFunctions, thrown: QuickJSHandle): StageError {
    const exception = this.#interrupted ? undefined : exceptionIn(this.#call(prelude.describe, thrown))
    return exception ? toLoadError(exception) : { code: 'transform.load', message: 'Error: the code cannot be loaded.' }
  }

  #runJobs(): void {
    while (!this.#interrupted && this.#runtime.hasPendingJob()) {
      // Exceptions of jobs belong to promises, which tell whoever awaits them.
      this.#runtime.executePendingJobs(jobsPerCheck).dispose()
      if (performance.now() >= this.#deadline) this.#interrupted = true
    }
  }

  /** Calls a function of the prelude, which answers with text; '' when even that failed. */
  #call(target: QuickJSHandle, ...values: QuickJSHandle[]): string {
    const called = this.#context.callFunction(target, this.#context.undefined, values)
    if (called.error) {
      called.error.dispose()
      return this.#interrupted ? '' : unreadable
    }
    return called.value.consume((handle) => this.#context.getString(handle))
  }

  /** Sets the deadline and runs; undefined when the engine itself broke down, which ends its use. */
  #contain<T>(timeMs: number, action: () => T): T | undefined {
    this.#interrupted = false
    this.#deadline = performance.now() + timeMs
    try {
      return action()
    } catch (thrown) {
      if (thrown instanceof InvariantError) throw thrown
      // Recursion that used up the host's stack, a trap, a failed assertion: the text tells users nothing and may hold host paths.
      this.#damage = 'engine'
      return undefined
    } finally {
      if (this.#parts.engine.isFull()) this.#damage = 'engine'
    }
  }

  #keep(handle: QuickJSHandle): QuickJSHandle {
    this.#handles.push(handle)
    return handle
  }

  #worsen(damage: Damage): void {
    if (this.#damage !== 'engine') this.#damage = damage
  }

  #tooMuchMemory(): string {
    return `Error: out of memory. User code and its data may take ${this.#parts.limits.memoryBytes} bytes.`
  }
}

const deepRecursion = 'RangeError: Maximum call stack size exceeded'
/** Not JSON, so that whoever reads it as an answer finds none. */
const unreadable = '?'
