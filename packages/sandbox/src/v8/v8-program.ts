import type { Script } from 'node:vm'
import type { ModuleSet } from '../code/module-set.ts'
import { compiledModule } from './compiled-texts.ts'
import { checkedModule } from './checked-module.ts'
import { BadModule, MissingExport, MissingModule, UnsettledModule } from './link-errors.ts'
import { type ModuleFunction, type ModuleImport, ModuleSyntaxError, moduleFunction } from './module-function.ts'
import { type ModuleExports, type ModuleFactory, type Realm, type SettledPromise } from './realm.ts'
import type { ProgramWords } from './program-words.ts'

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
  #evaluated = new Map<string, ModuleExports>()

  /** @throws the errors of `link-errors.ts`, ModuleSyntaxError, and SyntaxError of this realm. */
  constructor(modules: ModuleSet, realm: Realm, words: ProgramWords) {
    this.#modules = modules
    this.realm = realm
    this.words = words
    this.#add(modules.mainName, modules.mainCode)
    for (const { name, function: own } of this.#order)
      for (const one of own.imports) this.#checkNames(one, name)
    for (const { name, script } of this.#order) this.#factories.set(name, realm.factory(script, !words.replacesGlobals))
  }

  /** Runs all modules. @returns the exports of the main one. @throws what the code throws, and UnsettledModule. */
  evaluate(): ModuleExports {
    this.#evaluated = new Map()
    for (const { name, function: own, isAsync } of this.#order) {
      const dependencies = own.imports.map(({ specifier }) => this.#exportsOf(specifier))
      const made = this.#factories.get(name)?.(dependencies, this.#load, { __proto__: null })
      const exports = isAsync ? this.#settled(made) : (made as ModuleExports)
      this.#evaluated.set(name, own.stars.length === 0 ? exports : withStars(exports, own.stars.map((place) => dependencies[place])))
    }
    return this.#evaluated.get(this.#modules.mainName) ?? {}
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
      if (resolved === undefined || this.realm.api.has(specifier) || this.#order.some((one) => one.name === resolved)) continue
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
    const own = this.#order.find(({ name }) => name === this.#modules.resolve(specifier))?.function
    if (own === undefined) return new Set()
    const stars = own.stars.flatMap((place) => [...this.#namesOf(own.imports[place]?.specifier ?? '')])
    return new Set([...own.exports, ...stars.filter((name) => name !== 'default')])
  }

  #exportsOf(specifier: string): ModuleExports {
    const exports = this.realm.api.get(specifier) ?? this.#evaluated.get(this.#modules.resolve(specifier) ?? '')
    if (exports === undefined) throw new MissingModule(specifier)
    return exports
  }

  /** What `import()` does: finds what the program imports anyway, and its other libraries. */
  readonly #load = (specifier: unknown): unknown => this.realm.later(() => this.#exportsOf(String(specifier)))
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
