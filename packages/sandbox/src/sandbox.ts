import { type Clock, InvariantError, type Random, type StageError, systemClock, systemRandom } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import { loadHostParts, loadImportNames } from '#host-parts'
import { threads } from '#threads'
import { createTypeStripper } from '#type-stripper'
import { createGuestApi } from './api/create-guest-api.ts'
import type { FetchOptions } from './api/fetch/fetch-rules.ts'
import type { GuestFetch } from './api/fetch/guest-fetch.ts'
import type { GeolocationPort } from './api/globals/geolocation.ts'
import type { BatchExecutor, LoadedProgram, NumberedProgram } from './batch-executor.ts'
import { createRunClock, defaultTiming, type Timing } from './clock/create-run-clock.ts'
import { createModuleSet, type ModuleSet } from './code/module-set.ts'
import { binaryCrossing } from './crossing/binary-crossing.ts'
import type { Crossing, DocumentDecoder, DocumentEncoder } from './crossing/crossing.ts'
import type { EngineChoice } from './engine-choice.ts'
import type { GuestApi } from './guest-api.ts'
import { InProcessExecutor } from './in-process-executor.ts'
import type { ProbeMemory, Probes } from './probes.ts'
import type { CompileResult, Program, ProgramSource } from './program.ts'
import { type CompiledProgram, runProgram } from './program-run.ts'
import type { RunEnvironment } from './run-environment.ts'
import { completeLimits, type SandboxLimits } from './sandbox-limits.ts'
import type { TypeStripper } from './typescript/type-stripper.ts'
import { withoutTypes, withTypesInMind } from './typescript/without-types.ts'
import type { Isolation } from './vm/batch-request.ts'
import { chooseCrossing } from './vm/choose-crossing.ts'
import { type EngineSource, engineBuild } from './vm/engine/engine.ts'
import { defaultWarmPrograms, type WarmPrograms } from './vm/machine-slot.ts'

/** Runs the programs of users. */
export interface Sandbox {
  /**
   * Loads a program once, without events. Finds syntax errors, missing imports and exports, a wrong entry point, and
   * code that does not end. Code with TypeScript types is accepted; lines and columns stay the same.
   * @param owner owner of the code, such as a workspace. Owners take fair turns in the threads of the sandbox. Those of
   * untrusted code never share a heap, whatever the isolation. Default: one owner for all code.
   * @throws InvariantError when the sandbox is closed.
   */
  compile(source: ProgramSource, owner?: string): Promise<CompileResult>
  /** Ends running work and frees engines and threads. May be called twice. */
  close(): Promise<void>
}

/**
 * Who wrote the code. `untrusted`: anybody; it runs in QuickJS, which keeps it from everything outside. `trusted`: people
 * who could deploy code to this computer anyway; it runs in V8, several times as fast. Programs get the same API, and
 * batches the same isolation and limits, but an author who wants to can reach the memory of the thread, files, and the
 * network.
 */
export type CodeTrust = 'untrusted' | 'trusted'

export interface SandboxOptions {
  /** Who wrote the code of this sandbox. Default: untrusted. Trusted code needs mode `worker`, without probes. */
  readonly code?: CodeTrust
  /**
   * Where user code runs. `worker` (the default in Node): in threads with a watchdog, so that it can never block the
   * calling thread. `in-process` (the default, and the only one, elsewhere): in the calling thread, for tests and
   * platforms without threads. A few built-ins over huge arrays then cannot be stopped and block the thread for as long
   * as they take; in a browser, create the sandbox in a Worker that the page can end.
   */
  readonly mode?: 'worker' | 'in-process'
  /** Number of threads. Default: one less than the number of cores, at least one. */
  readonly workers?: number
  /** Most concurrent batches per thread. Batches that wait for the host do not delay others. Default 4. */
  readonly batchesPerWorker?: number
  /** Most batches waiting for a thread; default 10,000. Beyond it, `run` rejects with SandboxBusyError. */
  readonly queueLengthMax?: number
  readonly limits?: Partial<SandboxLimits>
  /**
   * How limits of running time are kept. `measured`: by the clock. `counted`, in process only: by the steps of the
   * engine, half a millisecond for ten thousand jumps and calls, so that results do not depend on the speed of the
   * machine. Default: `measured`, and `counted` in Cloudflare's Workers, where the clock stands still while code runs.
   * Waits for the host (`asyncTimeMs`) are always measured.
   */
  readonly timing?: Timing
  /** Programs that a machine keeps loaded, by number and bytes. A worker has `batchesPerWorker` machines. */
  readonly warm?: Partial<WarmPrograms>
  /**
   * Current time as seen by user code. In threads, any clock other than the system's stands still during a batch.
   * Limits always use real time.
   */
  readonly clock?: Clock
  /** Source of Math.random and uuids for user code. */
  readonly random?: Random
  /**
   * What user code may fetch, or a function to use instead of the network, for tests. Absent: nothing. Only Node reaches
   * the network; other platforms take a function.
   */
  readonly fetch?: FetchOptions | GuestFetch
  /** Port for `geolocation(ip)`. Absent: unavailable. */
  readonly geolocation?: GeolocationPort
  /**
   * Called right before code may run, with the index of the event in its batch, -1 for a call for the whole batch, -2
   * for loading the modules, -3 for reading answers, -4 when the batch waits for the host. In process only: it allows
   * another thread to find out which event blocks this one. Called for every event, so it must be cheap.
   */
  readonly onEnter?: (whose: number) => void
  /** Removes the types of TypeScript code. Default: in Node, one with threads of its own; elsewhere none, so code with types does not load. */
  readonly typeStripper?: TypeStripper
  /**
   * The WebAssembly of the engine: the file `@jitl/quickjs-wasmfile-release-sync/wasm`, or its compiled module. Default:
   * found by itself in Node, Deno and Bun. Bundled code, browsers and Workers-like platforms must pass it.
   */
  readonly engine?: EngineSource
  /** Replaces the whole guest API. In process only, because functions cannot be sent to threads. */
  readonly api?: GuestApi
  /**
   * State that events may share. `batch` (the default): events of a batch share the state of the module, batches share
   * none. `event`: every event starts with the module as it was loaded. `none`: batches may see state of earlier ones,
   * without any guarantee.
   */
  readonly isolation?: Isolation
  /**
   * Counters for instrumented code, for tests and profiles. They enable the module `@sluice/probe`. Create them with
   * createProbes, and read them there.
   */
  readonly probes?: Probes
  /**
   * Called with a warning about code that loads but will perform badly, once per compilation, with the name of the
   * transformation.
   */
  readonly onWarning?: (message: string) => void
}

/**
 * Module state above which restoring it takes longer than everything else about an event. Source:
 * packages/docs/decisions/0004-memory-images.md.
 */
const stateBytesMax = 512 * 1024

/**
 * @throws RangeError when an option is out of range, or the platform does not have what it needs.
 * @example
 * ```ts
 * import { createSandbox } from '@sluice/sandbox'
 *
 * const sandbox = await createSandbox({ mode: 'in-process' })
 * const compiled = await sandbox.compile({
 *   name: 'greet',
 *   code: "export function transformEvent(event) { return { ...event, event: 'Hello' } }",
 *   libraries: [],
 * })
 * if (compiled.ok) {
 *   const { outcomes } = await compiled.program.run([{ event: { type: 'track' }, metadata: {} }], new AbortController().signal)
 *   console.log(outcomes[0]?.kind) // pass
 * }
 * await sandbox.close()
 * ```
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { pool, isTrusted, runClock, limits, api, warm, probes, poolSize } = settled(options)
  const { clock = systemClock, random = systemRandom } = options
  const engine: EngineChoice = isTrusted
    ? { name: 'v8' }
    : { name: 'quickjs', build: await engineBuild(options.engine) }
  const crossing = engine.name === 'v8' ? binaryCrossing : await chooseCrossing(engine.build)
  const executor =
    pool === undefined
      ? new InProcessExecutor(
          { build: await engineBuild(options.engine), crossing, limits, clock, random, api, runClock, ...probes },
          warm,
          options.onEnter,
        )
      : pool.createPool({
          engine,
          crossing,
          limits,
          warm,
          asyncCalls: api.asyncCalls,
          ...poolSize,
          environment: () => environmentOf(clock, random),
          ...probes,
        })
  return new ExecutingSandbox(executor, crossing, limits, options)
}

/**
 * Checks options as `createSandbox` does, without loading an engine: for programs that create their sandbox when the first code
 * comes.
 * @throws RangeError
 */
export function checkSandboxOptions(options: SandboxOptions): void {
  settled(options)
}

/** Options with their defaults. @throws RangeError */
function settled(options: SandboxOptions) {
  const { clock = systemClock, random = systemRandom, fetch, geolocation } = options
  const mode = options.mode ?? (threads ? 'worker' : 'in-process')
  const timing = options.timing ?? (mode === 'in-process' ? defaultTiming() : 'measured')
  if (timing === 'counted' && mode !== 'in-process')
    throw new RangeError("sandbox option timing 'counted' needs mode 'in-process'")
  const pool = mode === 'worker' ? threads : undefined
  const isTrusted = options.code === 'trusted'
  if (isTrusted && !pool) throw new RangeError(trustedNeedsThreads)
  if (isTrusted && options.probes) throw new RangeError("sandbox option probes needs code 'untrusted'")
  if (options.onEnter && mode !== 'in-process') throw new RangeError("sandbox option onEnter needs mode 'in-process'")
  if (options.api && mode !== 'in-process') throw new RangeError("sandbox option api needs mode 'in-process'")
  const probes = options.probes && { probes: memoryOf(options.probes) }
  if (options.api && probes) throw new RangeError('sandbox options probes and api cannot be combined')
  const warm = withDefaults(defaultWarmPrograms, options.warm)
  atLeastOne('warm.programsMax', warm.programsMax)
  atLeastOne('warm.imagesBytesMax', warm.imagesBytesMax)
  if (mode === 'worker' && !pool)
    throw new RangeError("sandbox mode 'worker' needs the threads of Node; elsewhere use mode 'in-process'")
  return {
    pool,
    isTrusted,
    warm,
    probes,
    runClock: createRunClock(timing),
    limits: completeLimits(withDefaults(mode === 'in-process' ? {} : workerLimits, options.limits)),
    api: options.api ?? createGuestApi({ clock, random, fetch, geolocation, ...probes }),
    poolSize: {
      workers: atLeastOne('workers', options.workers ?? pool?.workersByDefault ?? 1),
      machinesPerWorker: atLeastOne('batchesPerWorker', options.batchesPerWorker ?? 4),
      queueLengthMax: atLeastOne('queueLengthMax', options.queueLengthMax ?? 10_000),
    },
  }
}

const trustedNeedsThreads =
  "sandbox option code 'trusted' needs the threads of Node and mode 'worker': in this thread, nothing could stop a loop"

/**
 * The stack size of a thread can be chosen, so its guests may recurse eight times as deep. Source:
 * packages/docs/decisions/0006-limits-around-the-engine.md.
 */
const workerLimits: Partial<SandboxLimits> = { stackBytes: 256 * 1024 }

function memoryOf({ count, isTimed, memory }: Probes): ProbeMemory {
  return { count, isTimed, memory }
}

function atLeastOne(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new RangeError(`sandbox option ${name} is ${value}, must be a whole number of at least 1`)
}

/**
 * Functions cannot be sent to threads. Clock and randomness of a test are sent as their next values; those of the
 * platform exist there already.
 */
function environmentOf(clock: Clock, random: Random): RunEnvironment {
  const nowMs = clock === systemClock ? {} : { nowMs: clock.now() }
  if (random === systemRandom) return nowMs
  const [a = 0, b = 0, c = 0, d = 0] = random.fill(new Uint8Array(4))
  return { ...nowMs, seed: ((a << 24) | (b << 16) | (c << 8) | d) >>> 0 }
}

class ExecutingSandbox implements Sandbox {
  readonly #executor: BatchExecutor
  readonly #limits: SandboxLimits
  readonly #isolation: Isolation
  readonly #onWarning: (message: string) => void
  /** Only the binary decoder detects that events share what they return. */
  readonly #isBinary: boolean
  readonly #encoder: DocumentEncoder
  readonly #decoder: DocumentDecoder
  readonly #stripper: TypeStripper
  readonly #onEnter: SandboxOptions['onEnter']
  #programs = 0
  #closing: Promise<unknown> | undefined

  constructor(
    executor: BatchExecutor,
    crossing: Crossing,
    limits: SandboxLimits,
    {
      isolation = 'batch',
      onWarning = () => {},
      typeStripper = createTypeStripper(),
      onEnter,
    }: Pick<SandboxOptions, 'isolation' | 'onWarning' | 'typeStripper' | 'onEnter'>,
  ) {
    this.#executor = executor
    this.#limits = limits
    this.#isolation = isolation
    this.#onWarning = onWarning
    this.#stripper = typeStripper
    this.#onEnter = onEnter
    this.#isBinary = crossing.name === 'binary'
    this.#encoder = crossing.createEncoder()
    this.#decoder = crossing.createDecoder()
  }

  async compile(source: ProgramSource, owner = ''): Promise<CompileResult> {
    const withNul = [source, ...source.libraries].find(({ code }) => code.includes('\0'))
    // Source text crosses as a C string, which would end at the NUL.
    if (withNul) return loadFailure(`SyntaxError: a NUL character in ${withNul.name}`)
    const first = await this.#load(source, owner)
    if ('program' in first) return { ok: true, program: first.program }
    // JavaScript that loads is never changed. Types are removed only from code that does not parse.
    if (!first.error.message.startsWith('SyntaxError')) return { ok: false, error: first.error }
    const typeless = await withoutTypes(source, this.#stripper, owner)
    const second = typeless.isChanged ? await this.#load(typeless.source, owner) : first
    if ('program' in second) return { ok: true, program: second.program }
    return { ok: false, error: withTypesInMind(second.error, typeless.failures) }
  }

  async close(): Promise<void> {
    this.#closing ??= Promise.all([this.#executor.close(), this.#stripper.close()])
    await this.#closing
  }

  async #load(
    source: ProgramSource,
    owner: string,
  ): Promise<{ readonly program: Program } | { readonly error: StageError }> {
    if (this.#closing) throw new InvariantError('the sandbox is closed')
    // Taken before anything is awaited: programs that are compiled at the same time must not get the same number.
    this.#programs += 1
    const id = this.#programs
    if (source.libraries.length > 0) await loadImportNames()
    const modules = createModuleSet(source)
    await loadHostParts(modules.texts)
    const cycle = source.libraries.length === 0 ? undefined : await cycleOf(modules)
    if (cycle)
      return { error: { code: 'transform.load', message: `Error: libraries import each other: ${cycle.join(' → ')}` } }
    const numbered: NumberedProgram = { id, owner, source, modules }
    const loaded = await this.#executor.load(numbered)
    if ('code' in loaded) return { error: loaded }
    if (this.#isolation === 'event' && loaded.stateBytes > stateBytesMax)
      this.#onWarning(
        `${source.name}: its modules keep ${Math.round(loaded.stateBytes / 1024)} KB, which isolation 'event' puts back before every event; keep less than ${stateBytesMax / 1024} KB, or use isolation 'batch'`,
      )
    return { program: this.#program(numbered, loaded) }
  }

  #program(numbered: NumberedProgram, { entry, usesMetadata, log }: LoadedProgram): Program {
    const compiled: CompiledProgram = { modules: numbered.modules, entry, usesMetadata, log, eager: !this.#isBinary }
    return {
      run: async (inputs, signal, context) => {
        if (this.#closing) throw new InvariantError('the sandbox is closed')
        return runProgram(inputs, signal, compiled, {
          isolation: this.#isolation,
          limits: this.#limits,
          encoder: this.#encoder,
          decoder: this.#decoder,
          execute: (request, runSignal, onEnter) =>
            this.#executor.run(numbered, request, context?.credentials ?? {}, runSignal, onEnter),
          onEnter: this.#onEnter,
        })
      },
    }
  }
}

/** Code without libraries needs no parser of imports, so that a page need not load it. */
async function cycleOf(modules: ModuleSet): Promise<readonly string[] | undefined> {
  const { importCycle } = await import('./code/import-cycle.ts')
  return importCycle(modules)
}

function loadFailure(message: string): CompileResult {
  return { ok: false, error: { code: 'transform.load', message } }
}
