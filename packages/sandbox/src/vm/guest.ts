import { type Clock, InvariantError, type Random } from '@sluice/core'
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten'
import type { Crossing, GuestCrossing } from '../crossing/crossing.ts'
import type { GuestApi } from '../guest-api.ts'
import { type ModuleSet, unknownModule } from '../module-set.ts'
import type { ProbeMemory } from '../probes.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { Engine, EngineBuild } from './engine.ts'
import { type InstalledApi, installGuestApi } from './guest-api-install.ts'
import { GuestProbes } from './guest-probes.ts'
import { HostCalls } from './host-calls.ts'
import { linkPrelude, type PreludeFunctions } from './prelude-link.ts'

/** What a guest is made of, and what it may ask the host for. */
export interface GuestParts {
  readonly build: EngineBuild
  readonly crossing: Crossing
  readonly limits: SandboxLimits
  readonly clock: Clock
  readonly random: Random
  readonly api: GuestApi
  /** For sandboxes of tests. */
  readonly probes?: ProbeMemory
}

/** How a call into the guest ended. After anything but 'done' only what was held may still be taken. */
export type Ended = 'done' | 'interrupted' | 'failed'

/** Microtasks run between two looks at the clock: one call of the engine for all of them may never return. */
const jobsPerCheck = 100
/** For our own code, when the guest is made. */
const installMs = 2_000
/** Stack for reading a document of as many levels as may cross (a third of this); no user code runs meanwhile. */
const readingStackBytes = 256 * 1024
/** What values that are not freed may make the heap grow by. */
const unfreedBytes = 8 * 1024 * 1024

/** Documents are read with more stack than user code has: how deep an event may be is no matter of how deep calls may be. */
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

/** The prelude itself threw, or said what cannot be: user code broke what it needs, or nothing was left of stack or memory. */
export class UnreadableError extends Error {}

/**
 * An engine with our half of the guest in it, before any user code. All that runs in it is inside of `contain`, which sets
 * a deadline and keeps whatever the engine throws from the host.
 */
export class Guest {
  readonly engine: Engine
  readonly context: QuickJSContext
  readonly prelude: PreludeFunctions
  readonly calls: HostCalls
  readonly probes: GuestProbes | undefined
  /** What imports are looked for in. */
  modules: ModuleSet | undefined
  /** True for a program that keeps its state: nothing else gives its memory back. */
  isKept = false
  /** True while nothing has run since this was set. */
  isFresh = false
  /** End of the heap when the program was entered. */
  heapEndBefore = 0
  readonly #runtime: QuickJSRuntime
  readonly #crossing: GuestCrossing
  #deadline = 0
  #interrupted = false
  #broken = false

  /** @param engine a fresh one, for nobody else. @throws InvariantError when the prelude does not load. */
  constructor(parts: GuestParts, engine: Engine) {
    this.engine = engine
    this.#runtime = engine.quickjs.newRuntime()
    this.#runtime.setMaxStackSize(parts.limits.stackBytes)
    // Limits are kept by the real time, whatever clock the guest is shown: a clock that stands still must not let a loop run on.
    this.#runtime.setInterruptHandler(() => {
      if (performance.now() < this.#deadline) return false
      this.#interrupted = true
      return true
    })
    this.allow(installMs)
    const context = this.#runtime.newContext()
    this.context = context
    this.probes = parts.probes && new GuestProbes(parts.probes, engine, context)
    this.#crossing = withStack(this.#runtime, parts.limits.stackBytes, parts.crossing.link(context))
    this.calls = new HostCalls(parts, engine, context, this.#crossing)
    this.prelude = linkPrelude(context, { ...parts, ports: this.calls })
    this.#setLoader(new Map())
    // The wrapper makes these when they are first asked for; made after an image, they would be nothing after a restore.
    void [context.undefined, context.null, context.true, context.false, context.global]
  }

  /** Gives the context what user code may use beside the language. @throws InvariantError when the guest API does not load. */
  installApi(api: GuestApi): InstalledApi {
    this.allow(installMs)
    this.probes?.offer()
    const installed = installGuestApi(this.context, api, this.prelude)
    this.probes?.withdraw()
    this.#setLoader(installed.moduleNames)
    return installed
  }

  /** True once the engine met something that it does not survive. */
  get broken(): boolean {
    return this.#broken
  }

  get interrupted(): boolean {
    return this.#interrupted
  }

  /** True once the engine may have been out of memory. */
  get isFull(): boolean {
    return this.engine.isFull()
  }

  get grownBytes(): number {
    return this.engine.heapEnd() - this.heapEndBefore
  }

  /** Values are freed only where putting the memory back, which costs less, would come too late. */
  get frees(): boolean {
    return this.isKept || this.grownBytes > unfreedBytes
  }

  /** True when microtasks wait. */
  get hasJobs(): boolean {
    return this.#runtime.hasPendingJob()
  }

  break(): void {
    this.#broken = true
  }

  /** Lets the guest run for so long from now on, also when it was interrupted. */
  allow(timeMs: number): void {
    this.isFresh = false
    this.#interrupted = false
    this.#deadline = performance.now() + timeMs
  }

  /** Sets the deadline and runs. */
  contain(timeMs: number, action: () => void): Ended {
    this.allow(timeMs)
    try {
      action()
    } catch (thrown) {
      if (thrown instanceof InvariantError) throw thrown
      // Recursion that used up the host's stack, a trap, a failed assertion: the text tells users nothing and may hold host paths.
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

  /** Runs what is not the doing of user code: that it is interrupted says nothing of how the program ended. */
  aside<T>(action: () => T): T {
    const before = this.#interrupted
    const result = action()
    this.#interrupted = before
    return result
  }

  /** Calls a function of the prelude. @returns undefined when it was interrupted. Ends the containment when it threw. */
  call(target: QuickJSHandle, values: QuickJSHandle[] = []): QuickJSHandle | undefined {
    const called = this.context.callFunction(target, this.context.undefined, values)
    if (!called.error) return called.value
    called.error.dispose()
    if (!this.#interrupted) throw new UnreadableError()
    return undefined
  }

  /** Runs microtasks until there are none, or until the deadline. */
  runJobs(): void {
    while (!this.#interrupted && this.#runtime.hasPendingJob()) {
      // Exceptions of jobs belong to promises, which tell whoever awaits them.
      this.#runtime.executePendingJobs(jobsPerCheck).dispose()
      if (performance.now() >= this.#deadline) this.#interrupted = true
    }
  }

  // The engine goes on after a refusing normalizer, so unknown specifiers are refused by the loader.
  #setLoader(apiModules: InstalledApi['moduleNames']): void {
    this.#runtime.setModuleLoader(
      (name) =>
        this.modules?.code(name) ?? { error: new Error(`import from ${name.slice(1)} failed. Module not found.`) },
      (_, specifier) => apiModules.get(specifier) ?? this.modules?.resolve(specifier) ?? unknownModule + specifier,
    )
  }

  /** A document as a value of the guest. */
  toGuest(bytes: Uint8Array): QuickJSHandle {
    return this.#crossing.toGuest(bytes, this.frees)
  }

  /** A value as a document; undefined when it cannot cross as it is. */
  toBytes(handle: QuickJSHandle): Uint8Array<ArrayBuffer> | undefined {
    return this.#crossing.fromGuest(handle, this.frees)
  }
}
