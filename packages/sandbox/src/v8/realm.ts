import { type Context, createContext, type Script } from 'node:vm'
import type { PreludeSettings } from '../vm/guest/prelude.ts'
import type { GuestCallPorts } from '../vm/guest/prelude-link.ts'
import type { CompiledApi } from './compile-api.ts'
import { ownScripts } from './own-scripts.ts'
import type { ProgramWords } from './program-words.ts'

/** An answer of the prelude (see guest/guest-prelude.js), as an object of its realm. */
export type Answer = unknown[]

/** Functions of the prelude, called directly. */
export interface RealmPrelude {
  nextAlone(list?: unknown, count?: number, first?: number, start?: number): Answer | false
  gather(list: unknown, count: number): void
  runGathered(): boolean
  take(): Answer[]
  heldNow(): number
  normalisedAnswer(answer: Answer): Answer
  giveUp(index: number): void
  takeLog(index: number): Answer
  describe(thrown: unknown): Answer
  attach(exported: object, normalises: boolean): string
  renew(target: unknown, normalises: boolean): void
  settleCall(id: number, reply: unknown): void
  unlock(): void
  lock(): void
}

/** See guest/realm-watch.js. */
interface RealmWatch {
  isUnchanged(): boolean
  restore(): boolean
}

/** Exports of a module of a realm, as getters. */
export type ModuleExports = Readonly<Record<string, unknown>>
export type ModuleFactory = (
  dependencies: readonly ModuleExports[],
  load: (specifier: unknown) => unknown,
  meta: object,
) => ModuleExports | Promise<ModuleExports>

/** What the realms of one machine have in common. */
export interface RealmParts {
  readonly settings: PreludeSettings
  readonly now: () => number
  readonly randoms: () => ArrayBuffer
  readonly calls: GuestCallPorts<unknown>
  readonly api: CompiledApi
}

/** What the words of a program say about the changes that it may make. */
type RestoreWords = Pick<ProgramWords, 'isIntrusive' | 'reachesBuiltIns' | 'namesSymbols'>

/** Names that may be parameters. `undefined` is left out, because the engine knows it as a global. */
const parameterName = /^(?!undefined$)[A-Za-z_$][\w$]*$/

/**
 * A context of node:vm with built-ins of its own, the prelude and the guest API, in which programs run. It separates
 * what programs do by mistake. It is no boundary for code that wants to get out.
 */
export class Realm {
  readonly prelude: RealmPrelude
  /** Modules of the guest API, by specifier. */
  readonly api: ReadonlyMap<string, ModuleExports>
  /** Names and values of the globals, for functions that take them as parameters. */
  readonly globalNames: readonly string[]
  readonly decode: (bytes: Uint8Array) => unknown
  readonly settled: (promise: unknown, seen: SettledPromise) => void
  readonly later: (get: () => ModuleExports | string) => unknown
  readonly #globals: readonly unknown[]
  readonly #context: Context
  readonly #watch: RealmWatch

  /** @param guardsLists whether built-ins refuse lists that are too long to be stopped. */
  constructor({ settings, now, randoms, calls, api }: RealmParts, guardsLists: boolean) {
    this.#context = createContext(Object.create(null), {
      microtaskMode: 'afterEvaluate',
      codeGeneration: { strings: true, wasm: false },
    })
    this.run<(guardsLists: boolean) => void>(ownScripts.globals)(guardsLists)
    const link = this.run<(...ports: readonly unknown[]) => RealmPrelude>(ownScripts.prelude)
    const call = (name: unknown, args: unknown): unknown => calls.call(name, args)
    const start = (name: unknown, args: unknown): unknown => calls.start(name, args)
    this.prelude = link(now, randoms, call, start, JSON.stringify(settings))
    this.later = this.run(ownScripts.later)
    this.settled = this.run(ownScripts.settled)
    this.prelude.unlock()
    this.run(api.globals)
    this.api = this.#apiModules(api)
    this.prelude.lock()
    this.globalNames = this.run<readonly string[]>(ownScripts.globalNames).filter((name) => parameterName.test(name))
    const values = this.run<(names: readonly string[]) => readonly unknown[]>(ownScripts.globalValues)
    this.#globals = values(this.globalNames)
    const decoder = this.run<(latin1: unknown, utf16: unknown) => (bytes: Uint8Array) => unknown>(ownScripts.decoder)
    this.decode = decoder(latin1, utf16)
    // Programs may hang something on a function that they import.
    const exported = [...this.api.values()].flatMap((exports) => Object.values(exports)).filter(isObject)
    this.#watch = this.run<(more: readonly object[]) => RealmWatch>(ownScripts.watch)(exported)
  }

  /** Runs a script, and the microtasks of the realm. */
  run<T>(script: Script): T {
    return script.runInContext(this.#context) as T
  }

  /** Runs microtasks until there are none left. */
  runJobs(): void {
    this.run(ownScripts.nothing)
  }

  /** Returns the function of a compiled module. @param takesGlobals whether its text has the globals as parameters. */
  factory(script: Script, takesGlobals: boolean): ModuleFactory {
    const made = this.run<(...globals: readonly unknown[]) => ModuleFactory>(script)
    const globals = takesGlobals ? this.#globals : []
    // Called for each run, because code may assign to its parameters as it may to globals.
    return (dependencies, load, meta) => made(...globals)(dependencies, load, meta)
  }

  /** Undoes changes that code with these words may have made of built-ins. */
  restore({ isIntrusive, reachesBuiltIns, namesSymbols }: RestoreWords): boolean {
    if (!isIntrusive && !reachesBuiltIns) return true
    // The quick check does not see properties that are new and whose keys are symbols.
    return (!isIntrusive && !namesSymbols && this.#watch.isUnchanged()) || this.#watch.restore()
  }

  #apiModules({ modules }: CompiledApi): ReadonlyMap<string, ModuleExports> {
    const made = new Map<string, ModuleExports>()
    const load = (specifier: string): ModuleExports => {
      const known = made.get(specifier)
      if (known) return known
      const found = modules.get(specifier)
      if (found === undefined) throw new Error(`the guest API has no module ${specifier}`)
      const dependencies = found.module.imports.map((one) => load(one.specifier))
      const exports = this.factory(found.script, false)(dependencies, () => undefined, {}) as ModuleExports
      Object.preventExtensions(exports)
      made.set(specifier, exports)
      return exports
    }
    for (const specifier of modules.keys()) load(specifier)
    return made
  }
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

export interface SettledPromise {
  state?: 'fulfilled' | 'rejected'
  value?: unknown
}

type Slices = Readonly<Record<'latin1Slice' | 'ucs2Slice', (start: number, end: number) => string>>
const latin1 = (bytes: unknown, start: number, end: number): string => (bytes as Slices).latin1Slice(start, end)
const utf16 = (bytes: unknown, start: number, end: number): string => (bytes as Slices).ucs2Slice(start, end)
