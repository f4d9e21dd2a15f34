import { type Clock, InvariantError, type Random, type StageError, systemClock, systemRandom } from '@sluice/core'
import { createEngine, type Engine } from './engine.ts'
import { Guest } from './guest.ts'
import { createModuleSet, type ModuleSet } from './module-set.ts'
import type { CompileResult, GuestInput, Program, ProgramRun, ProgramSource } from './program.ts'
import { type GuestSupply, type LoadedGuest, runProgram } from './program-run.ts'
import { completeLimits, type SandboxLimits } from './sandbox-limits.ts'

/** Runs programs of people who need not be trusted. */
export interface Sandbox {
  /**
   * Loads a program once, without events: finds syntax errors, imports and exports that are missing, a wrong entry
   * point and code that does not end.
   * @throws InvariantError when the sandbox is closed.
   */
  compile(source: ProgramSource): Promise<CompileResult>
  /** Waits for what is under way, then frees the engine. Calling it twice is fine. */
  close(): Promise<void>
}

export interface SandboxOptions {
  readonly limits?: Partial<SandboxLimits>
  /** What user code sees as the current time. Limits are kept by the real time. */
  readonly clock?: Clock
  /** Where Math.random of user code comes from. */
  readonly random?: Random
}

/**
 * Makes a sandbox that runs user code inside this thread, one batch at a time: between events it lets the event loop
 * have its turn, but one event may hold it for its time limit, and a few built-ins over huge arrays even longer.
 * @throws RangeError when a limit is out of range.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const limits = completeLimits(options.limits ?? {})
  return new InProcessSandbox(
    await createEngine(limits.memoryBytes),
    limits,
    options.clock ?? systemClock,
    options.random ?? systemRandom,
  )
}

class InProcessSandbox implements Sandbox {
  readonly #limits: SandboxLimits
  readonly #clock: Clock
  readonly #random: Random
  #engine: Engine | undefined
  #closed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(engine: Engine, limits: SandboxLimits, clock: Clock, random: Random) {
    this.#engine = engine
    this.#limits = limits
    this.#clock = clock
    this.#random = random
  }

  async compile(source: ProgramSource): Promise<CompileResult> {
    const withNul = [source, ...source.libraries].find(({ code }) => code.includes('\0'))
    // Source text crosses as a C string, which would end there.
    if (withNul)
      return {
        ok: false,
        error: { code: 'transform.load', message: `SyntaxError: a NUL character in ${withNul.name}` },
      }
    const modules = createModuleSet(source)
    return this.#alone(async () => {
      const supply = this.#supply(modules, [])
      const opened = await supply.open(this.#limits.eventTimeMs)
      if ('code' in opened) return { ok: false, error: opened }
      supply.close(opened.guest)
      const program: Program = { run: (inputs, signal) => this.#run(modules, inputs, signal) }
      return { ok: true, program }
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#last
    this.#engine = undefined
  }

  #run(modules: ModuleSet, inputs: readonly GuestInput[], signal: AbortSignal): Promise<ProgramRun> {
    return this.#alone(() => runProgram(inputs, signal, this.#limits, this.#supply(modules, inputs)))
  }

  /** Runs `task` once everything asked for before it is done, so that two guests never share the memory of the engine. */
  #alone<T>(task: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new InvariantError('the sandbox is closed'))
    const result = this.#last.then(task)
    this.#last = result.catch(() => {})
    return result
  }

  #supply(modules: ModuleSet, inputs: readonly GuestInput[]): GuestSupply {
    const open = async (timeMs: number): Promise<LoadedGuest | StageError> => {
      const engine = this.#engine ?? (await createEngine(this.#limits.memoryBytes))
      // Kept only once the guest is loaded: an engine in which that throws is not used again.
      this.#engine = undefined
      const guest = this.#newGuest(engine, modules, inputs)
      const entry = guest.load(timeMs)
      this.#engine = engine
      if (typeof entry === 'string') return { guest, entry }
      close(guest)
      return entry
    }
    const close = (guest: Guest): void => {
      if (guest.dispose() === 'engine') this.#engine = undefined
    }
    return { open, close }
  }

  #newGuest(engine: Engine, modules: ModuleSet, inputs: readonly GuestInput[]): Guest {
    return new Guest({
      engine,
      modules,
      limits: this.#limits,
      clock: this.#clock,
      random: this.#random,
      metadataText: (index) => JSON.stringify(inputs[index]?.metadata ?? {}),
    })
  }
}
