import { type Clock, InvariantError, type Random } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core'
import { measuredClock } from '../../clock/create-run-clock.ts'
import type { RunClock } from '../../clock/run-clock.ts'
import { type ModuleSet, unknownModule } from '../../code/module-set.ts'
import type { Crossing, GuestCrossing } from '../../crossing/crossing.ts'
import type { GuestApi } from '../../guest-api.ts'
import type { ProbeMemory } from '../../probes.ts'
import type { SandboxLimits } from '../../sandbox-limits.ts'
import type { Engine, EngineBuild } from '../engine/engine.ts'
import { HostCalls } from '../host-calls.ts'
import { type InstalledApi, installGuestApi } from './guest-api-install.ts'
import { GuestProbes } from './guest-probes.ts'
import { linkPrelude, type PreludeFunctions } from './prelude-link.ts'

/** Components of a machine, including the host functions that its programs may call. */
export interface MachineParts {
  readonly crossing: Crossing
  readonly limits: SandboxLimits
  readonly clock: Clock
  readonly random: Random
  readonly api: GuestApi
  /** Set only by sandboxes that are used in tests. */
  readonly probes?: ProbeMemory
  /** How running time is known. Default: by the clock. */
  readonly runClock?: RunClock
}

/** Components of a guest in QuickJS. */
export interface GuestParts extends MachineParts {
  readonly build: EngineBuild
}

/** How a call into the guest ended. After any result but 'done', only held answers may still be taken. */
/** Longest stack that is read of an interrupted program. */
const stackCharsMax = 8_000

export type Ended = 'done' | 'interrupted' | 'failed'

/**
 * Number of microtasks that run between two checks of the clock. An engine call that runs all of them might never
 * return.
 */
const jobsPerCheck = 100
/** Time limit for our own code when it is installed in the guest. */
export const installMs = 2_000
/**
 * Stack for reading a document of the deepest allowed value, which needs a third of this. No user code runs meanwhile.
 */
const readingStackBytes = 256 * 1024
/** Growth of the heap above which values must be freed. */
const unfreedBytes = 8 * 1024 * 1024

/**
 * Returns a crossing that reads documents with more stack than user code has, because the depth of events and the depth
 * of calls are separate limits.
 */
function withStack(runtime: QuickJSRuntime, stackBytes: number, crossing: GuestCrossing): GuestCrossing {
  if (stackBytes >= readingStackBytes) return crossing
  return {
    ...crossing,
    toGuest: (bytes, frees) => {
      runtime.setMaxStackSize(readingStackBytes)
      try {
        return crossing.toGuest(bytes, frees)
      } finally {
        runtime.setMaxStackSize(stackBytes)
      }
    },
  }
}

/**
 * The prelude itself threw or returned something impossible: user code broke a built-in that it needs, or stack or
 * memory was exhausted.
 */
export class UnreadableError extends Error {}

/**
 * An engine with the prelude installed, in which user code runs. Everything runs inside `contain`, which sets a
 * deadline and catches whatever the engine throws.
 */
export class Guest {
  readonly engine: Engine
  readonly context: QuickJSContext
  readonly prelude: PreludeFunctions
  readonly calls: HostCalls<QuickJSHandle>
  readonly probes: GuestProbes | undefined
  /** Modules of the current program, in which imports are looked up. */
  modules: ModuleSet | undefined
  /** Whether the program keeps its state, so that its memory is not restored. */
  isKept = false
  /** Whether no code has run since the memory was restored. */
  isFresh = false
  /** End of the heap when the program was entered. */
  heapEndBefore = 0
  readonly #runtime: QuickJSRuntime
  #apiModules: readonly string[] = []
  readonly #crossing: GuestCrossing
  readonly #clock: RunClock
  #deadline = 0
  #interrupted = false
  #interruptedStack = ''
  /** Whether the prelude is there. */
  #isLinked = false
  #broken = false

  /** @param engine a new one, used only by this guest. @throws InvariantError when the prelude does not load. */
  constructor(parts: GuestParts, engine: Engine) {
    this.engine = engine
    this.#clock = parts.runClock ?? measuredClock
    this.#runtime = engine.quickjs.newRuntime()
    this.#runtime.setMaxStackSize(parts.limits.stackBytes)
    // Limits use real time, whatever clock the guest sees: a clock that stands still must not allow endless loops.
    this.#runtime.setInterruptHandler(() => {
      this.#clock.tick()
      if (!this.#isOverdue()) return false
      if (this.#interrupted) return true
      this.#interrupted = true
      if (this.#isLinked) this.#interruptedStack = this.#stackNow()
      return true
    })
    this.allow(installMs)
    const context = this.#runtime.newContext()
    this.context = context
    this.probes = parts.probes && new GuestProbes(parts.probes, engine, context)
    this.#crossing = withStack(this.#runtime, parts.limits.stackBytes, parts.crossing.link(context))
    const crossing = this.#crossing
    this.calls = new HostCalls(parts, {
      roomBytes: () => engine.roomBytes(),
      textOf: (value) => context.getString(value),
      toGuest: (bytes) => crossing.toGuest(bytes, true),
      fromGuest: (value) => crossing.fromGuest(value, true),
    })
    this.prelude = linkPrelude(context, { ...parts, ports: this.calls })
    this.#isLinked = true
    this.#setLoader(new Map())
    // The wrapper creates these handles on first use. If that happened after an image was taken, restoring the image
    // would invalidate them.
    void [context.undefined, context.null, context.true, context.false, context.global]
  }

  /** Installs the guest API in the context. @throws InvariantError when the guest API does not load. */
  installApi(api: GuestApi): InstalledApi {
    this.allow(installMs)
    this.probes?.offer()
    const installed = installGuestApi(this.context, api, this.prelude)
    this.probes?.withdraw()
    this.#setLoader(installed.moduleNames)
    return installed
  }

  /** Whether the engine is damaged beyond use. */
  get broken(): boolean {
    return this.#broken
  }

  get interrupted(): boolean {
    return this.#interrupted
  }

  /** Stack of the code that was interrupted, innermost frame first, or ''. Untrusted, like the stack of any exception. */
  get interruptedStack(): string {
    return this.#interruptedStack
  }

  /** Specifiers of the built-in modules. */
  get apiModules(): readonly string[] {
    return this.#apiModules
  }

  /** Whether the engine may have run out of memory. */
  get isFull(): boolean {
    return this.engine.isFull()
  }

  get grownBytes(): number {
    return this.engine.heapEnd() - this.heapEndBefore
  }

  /**
   * Whether values must be freed one by one. Usually restoring the memory is cheaper, so this is true only when the
   * memory is kept, or when too much of it would be used before the next restore.
   */
  get frees(): boolean {
    return this.isKept || this.grownBytes > unfreedBytes
  }

  /** Whether microtasks are waiting. */
  get hasJobs(): boolean {
    return this.#runtime.hasPendingJob()
  }

  break(): void {
    this.#broken = true
  }

  /** Allows the guest to run for this long from now, even if it was interrupted before. */
  allow(timeMs: number): void {
    this.isFresh = false
    this.#interrupted = false
    this.#interruptedStack = ''
    this.#deadline = this.#clock.start() + timeMs
  }

  #isOverdue(): boolean {
    if (this.#clock.now() < this.#deadline) return false
    this.#clock.settle()
    return this.#clock.now() >= this.#deadline
  }

  /** Runs `action` with a deadline, and reports how it ended. */
  contain(timeMs: number, action: () => void): Ended {
    this.allow(timeMs)
    try {
      action()
    } catch (thrown) {
      if (thrown instanceof InvariantError) throw thrown
      // Recursion that exhausted the host's stack, a trap, or a failed assertion. The text is of no use to authors and
      // may contain host paths, so it is not reported.
      if (!(thrown instanceof UnreadableError)) this.#broken = true
      else if (this.#interrupted) return this.#interruptedEnd()
      return 'failed'
    }
    return this.#interrupted ? this.#interruptedEnd() : 'done'
  }

  #interruptedEnd(): Ended {
    this.probes?.interrupted()
    return 'interrupted'
  }

  /** Runs our own code. Interrupting it does not count as an interruption of the program. */
  aside<T>(action: () => T): T {
    const before = this.#interrupted
    const result = action()
    this.#interrupted = before
    return result
  }

  /**
   * Calls a function of the prelude. @returns undefined when it was interrupted. @throws UnreadableError, for
   * `contain`, when the prelude threw.
   */
  call(target: QuickJSHandle, values: QuickJSHandle[] = []): QuickJSHandle | undefined {
    const called = this.context.callFunction(target, this.context.undefined, values)
    if (!called.error) return called.value
    called.error.dispose()
    if (!this.#interrupted) throw new UnreadableError()
    return undefined
  }

  /** Runs microtasks until none are left, or until the deadline. */
  runJobs(): void {
    while (!this.#interrupted && this.#runtime.hasPendingJob()) {
      // Exceptions in jobs reject promises, and the code that awaits these gets them.
      this.#runtime.executePendingJobs(jobsPerCheck).dispose()
      this.#clock.tick()
      if (this.#isOverdue()) this.#interrupted = true
    }
  }

  /**
   * Returns the stack of the code that runs now, for the interrupt handler. The line of its innermost frame is that of
   * the last call or throw there, or the first line of the function.
   */
  #stackNow(): string {
    // Without room the engine could not create it.
    if (this.isFull) return ''
    const result = this.context.callFunction(this.prelude.here, this.context.undefined)
    if (result.error) result.error.dispose()
    else
      return result.value
        .consume((stack) => (this.context.typeof(stack) === 'string' ? this.context.getString(stack) : ''))
        .slice(0, stackCharsMax)
    return ''
  }

  // The engine would continue after an error in the function that resolves specifiers, so unknown specifiers are
  // refused by the function that loads modules.
  #setLoader(apiModules: InstalledApi['moduleNames']): void {
    this.#apiModules = [...apiModules.keys()]
    this.#runtime.setModuleLoader(
      (name) =>
        this.modules?.code(name) ?? { error: new Error(`import from ${name.slice(1)} failed. Module not found.`) },
      (_, specifier) => apiModules.get(specifier) ?? this.modules?.resolve(specifier) ?? unknownModule + specifier,
    )
  }

  /** Converts a document to a value in the guest. */
  toGuest(bytes: Uint8Array): QuickJSHandle {
    return this.#crossing.toGuest(bytes, this.frees)
  }

  /** Converts a value to a document. Returns undefined when the value must be converted to JSON text first. */
  toBytes(handle: QuickJSHandle): Uint8Array<ArrayBuffer> | undefined {
    return this.#crossing.fromGuest(handle, this.frees)
  }
}
