import type { Script } from 'node:vm'
import type { ModuleSet } from '../code/module-set.ts'
import { BadModule, MissingExport, MissingModule, missingText, UnsettledModule } from './link-error.ts'
import { checkedModule } from './module/checked-module.ts'
import { compiledModule } from './module/compiled-module.ts'
import { type ModuleFunction, type ModuleImport, ModuleSyntaxError, moduleFunction } from './module/module-function.ts'
import type { ProgramWords } from './program-words.ts'
import type { ModuleExports, ModuleFactory, Realm, SettledPromise } from './realm.ts'

/** A module of a program: its text as a function, compiled. */
interface OwnModule {
  readonly name: string
  readonly function: ModuleFunction
  readonly script: Script
  readonly isAsync: boolean
}

/** A program in one realm. Each `evaluate` runs the top level of its modules again, with fresh variables. */
export class V8Program {
  readonly realm: Realm
  readonly words: ProgramWords
  readonly #modules: ModuleSet
  /** Modules in the order in which they run, each after those that it imports. */
  readonly #order: OwnModule[] = []
  readonly #factories = new Map<string, ModuleFactory>()
  /** Number of modules that always run. Others run when code imports them while it runs. */
  readonly #always: number
  #evaluated = new Map<string, ModuleExports>()

  /** @throws the errors of `link-error.ts`, ModuleSyntaxError, and SyntaxError of this realm. */
  constructor(modules: ModuleSet, realm: Realm, words: ProgramWords) {
    this.#modules = modules
    this.realm = realm
    this.words = words
    this.#add(modules.mainName, modules.mainCode)
    this.#always = this.#order.length
    this.#link(0)
  }

  /** Runs all modules. @returns the exports of the main one. @throws what the code throws, and UnsettledModule. */
  evaluate(): ModuleExports {
    this.#evaluated = new Map()
    for (let n = 0; n < this.#always; n += 1) this.#run(this.#order[n])
    return this.#evaluated.get(this.#modules.mainName) ?? {}
  }

  #run(module: OwnModule | undefined): void {
    if (module === undefined || this.#evaluated.has(module.name)) return
    const { name, function: own, isAsync } = module
    const dependencies = own.imports.map(({ specifier }) => {
      this.#run(this.#moduleOf(specifier))
      return this.#exportsOf(specifier)
    })
    const made = this.#factories.get(name)?.(dependencies, this.#load, { __proto__: null })
    const exports = isAsync ? this.#settled(made) : (made as ModuleExports)
    const stars = own.stars.map((place) => dependencies[place])
    this.#evaluated.set(name, Object.preventExtensions(stars.length === 0 ? exports : withStars(exports, stars)))
  }

  /** Checks the imports of the modules from this place on, and makes them ready to run. */
  #link(from: number): void {
    const modules = this.#order.slice(from)
    for (const { name, function: own } of modules) for (const one of own.imports) this.#checkNames(one, name)
    for (const { name, script } of modules)
      this.#factories.set(name, this.realm.factory(script, !this.words.replacesGlobals))
  }

  #settled(promise: unknown): ModuleExports {
    const seen: SettledPromise = {}
    this.realm.settled(promise, seen)
    this.realm.runJobs()
    if (seen.state === 'rejected') throw seen.value
    if (seen.state === undefined) throw new UnsettledModule()
    return seen.value as ModuleExports
  }

  #add(name: string, code: string): void {
    const globals = this.words.replacesGlobals ? [] : this.realm.globalNames
    const sync = functionOf(code, globals, name)
    const { isAsync } = checkedModule(sync, name)
    const own = isAsync ? moduleFunction(code, globals, true) : sync
    for (const { specifier } of own.imports) {
      const resolved = this.#modules.resolve(specifier)
      if (resolved === undefined && !this.realm.api.has(specifier)) throw new MissingModule(specifier)
      if (resolved === undefined || this.realm.api.has(specifier) || this.#order.some((one) => one.name === resolved))
        continue
      this.#add(resolved, this.#modules.code(resolved) ?? '')
    }
    this.#order.push({ name, function: own, script: compiledModule(own, name), isAsync })
  }

  /** Checks that a module exports the names that are imported of it. */
  #checkNames({ specifier, names }: ModuleImport, importer: string): void {
    if (names.length === 0) return
    const known = this.#namesOf(specifier)
    for (const name of names)
      if (!known.has(name)) throw new MissingExport(specifier, this.#modules.resolve(specifier) ?? importer, name)
  }

  #namesOf(specifier: string): ReadonlySet<string> {
    const api = this.realm.api.get(specifier)
    if (api) return new Set(Object.keys(api))
    const own = this.#moduleOf(specifier)?.function
    if (own === undefined) return new Set()
    const stars = own.stars.flatMap((place) => [...this.#namesOf(own.imports[place]?.specifier ?? '')])
    return new Set([...own.exports, ...stars.filter((name) => name !== 'default')])
  }

  #exportsOf(specifier: string): ModuleExports {
    const exports = this.#foundExports(specifier)
    if (exports === undefined) throw new MissingModule(specifier)
    return exports
  }

  /** What `import()` does: it finds all libraries, and runs those that have not run. */
  readonly #load = (specifier: unknown): unknown => this.realm.later(() => this.#loaded(String(specifier)))

  #loaded(specifier: string): ModuleExports | string {
    const name = this.#modules.resolve(specifier)
    if (name === undefined || this.#evaluated.has(name)) return this.#foundExports(specifier) ?? missingText(specifier)
    try {
      if (this.#moduleOf(specifier) === undefined) {
        const from = this.#order.length
        this.#add(name, this.#modules.code(name) ?? '')
        this.#link(from)
      }
      this.#run(this.#moduleOf(specifier))
    } catch (thrown) {
      return String((thrown as { message?: unknown } | undefined)?.message ?? thrown)
    }
    return this.#foundExports(specifier) ?? missingText(specifier)
  }

  #moduleOf(specifier: string): OwnModule | undefined {
    const name = this.#modules.resolve(specifier)
    return name === undefined ? undefined : this.#order.find((one) => one.name === name)
  }

  #foundExports(specifier: string): ModuleExports | undefined {
    return this.realm.api.get(specifier) ?? this.#evaluated.get(this.#modules.resolve(specifier) ?? '')
  }
}

/** Adds the names of modules whose exports are all exported, unless the module has its own of that name. */
function withStars(exports: ModuleExports, stars: readonly (ModuleExports | undefined)[]): ModuleExports {
  const own = Object.create(null, Object.getOwnPropertyDescriptors(exports)) as ModuleExports
  for (const star of stars)
    for (const name of Object.keys(star ?? {}))
      if (name !== 'default' && !(name in own))
        Object.defineProperty(own, name, { get: () => star?.[name], enumerable: true, configurable: true })
  return own
}

function functionOf(code: string, globals: readonly string[], name: string): ModuleFunction {
  try {
    return moduleFunction(code, globals)
  } catch (thrown) {
    throw thrown instanceof ModuleSyntaxError ? new BadModule(thrown, name) : thrown
  }
}
