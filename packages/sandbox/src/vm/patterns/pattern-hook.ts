import type { QuickJSContext } from 'quickjs-emscripten-core'
import type { Engine } from '../engine/engine.ts'
import { GuestWords, tags } from './guest-words.ts'
import { type HostMethod, HostMethods, valueBytes } from './host-methods.ts'
import { KnownPatterns } from './known-patterns.ts'
import { lacksMatch } from './lacks-match.ts'
import { type MethodName, type MethodWatches, methodNames, watchesOf } from './method-watches.ts'
import { PatternObjects } from './pattern-objects.ts'
import { loadPatternProgram, type PatternProgram } from './pattern-program.ts'

/** Most arguments that a method of the engine reads. */
const argumentsMax = 2
const addressBytes = 4

/**
 * Lets methods of texts and patterns find out that a text has no match before the engine searches it. Searching is the
 * slow part of most patterns, and most texts have no match.
 *
 * The host answers a call only when the engine would do nothing but search and find nothing: no argument can run user
 * code, the pattern and all that the method reads of it are the engine's own, and no stretch of the text has what every
 * match has. The engine makes all other results. When anything is not where this build of the engine has it, so does it.
 */
export class PatternHook {
  readonly #words: GuestWords
  readonly #objects: PatternObjects
  readonly #patterns: KnownPatterns
  readonly #watches: MethodWatches
  readonly #program: PatternProgram
  readonly #host: HostMethods
  /** Addresses of arguments for a call of the engine. Allocated before any image, and never freed. */
  readonly #argumentList: number
  #answered = 0

  private constructor(
    words: GuestWords,
    objects: PatternObjects,
    patterns: KnownPatterns,
    watches: MethodWatches,
    program: PatternProgram,
    host: HostMethods,
  ) {
    this.#words = words
    this.#objects = objects
    this.#patterns = patterns
    this.#watches = watches
    this.#program = program
    this.#host = host
    this.#argumentList = host.glue._malloc(argumentsMax * addressBytes)
  }

  /**
   * Replaces the methods in a context that has run no user code. @returns undefined, and changes nothing, when the
   * engine does not have the expected layout.
   * @throws InvariantError when our own code does not load.
   */
  static install(engine: Engine, context: QuickJSContext): PatternHook | undefined {
    const words = new GuestWords(engine)
    const host = new HostMethods(engine.quickjs, context)
    const program = loadPatternProgram(words, context, host)
    const objects = PatternObjects.of(words, program)
    const watches = watchesOf(words, program.watched)
    if (objects === undefined || watches === undefined) return undefined
    const hook = new PatternHook(words, objects, new KnownPatterns(words), watches, program, host)
    program.replaceMethods(methodNames.map((name) => host.make(name, hook.#method(name))))
    return hook
  }

  /** Number of calls that the host has answered. */
  get answered(): number {
    return this.#answered
  }

  /** Must be called after every restore of the memory. */
  forget(): void {
    this.#patterns.forget()
  }

  #method(name: MethodName): HostMethod {
    const { glue } = this.#host
    const words = this.#words
    const isTest = name === 'test'
    const native = this.#program.native[name]
    const answer = this.#answerOf(name)
    return (context, self, argc, argv) => {
      words.renew()
      const textAt = isTest ? argv : self
      const patternAt = isTest ? self : argv
      if (argc > 0 && this.#hasNoMatch(name, textAt, patternAt, argc, argv)) return answer(context, textAt)
      const list = this.#argumentList >>> 2
      const count = Math.min(argc, argumentsMax)
      for (let i = 0; i < count; i += 1) words.u32[list + i] = argv + i * valueBytes
      return glue._QTS_Call(context, native, self, count, this.#argumentList)
    }
  }

  /** Returns whether the engine's method would only search, and find nothing. It then has done what the search does. */
  #hasNoMatch(name: MethodName, textAt: number, patternAt: number, argc: number, argv: number): boolean {
    const words = this.#words
    const objects = this.#objects
    if (words.tag(textAt) !== tags.text || words.tag(patternAt) !== tags.object) return false
    const pattern = words.word(patternAt) ?? 0
    if (!objects.isUnchanged(pattern) || !this.#isPlainCall(name, argc, argv)) return false
    const lastIndexAt = objects.lastIndexAt(pattern)
    if (words.tag(lastIndexAt) !== tags.int) return false
    const watches = this.#watches[name]
    for (let i = 0; i < watches.length; i += 1) if (!watches[i]?.isUnchanged(words)) return false
    const known = this.#patterns.at(objects.compiledAt(pattern), objects.sourceAt(pattern))
    if (known === undefined || (name === 'replaceAll' && !known.isGlobal)) return false
    if (!lacksMatch(words, words.word(textAt) ?? 0, known.facts)) return false
    // `search` restores what it finds there, and `split` searches with a pattern of its own.
    this.#answered += 1
    if (known.resets && name !== 'search' && name !== 'split') words.u32[lastIndexAt >>> 2] = 0
    return true
  }

  /** Whether the arguments after the pattern are there, and cannot run user code when there is no match. */
  #isPlainCall(name: MethodName, argc: number, argv: number): boolean {
    if (name === 'replace' || name === 'replaceAll')
      return argc === 2 && this.#objects.isPlainReplacement(argv + valueBytes)
    return argc === 1 || (name === 'split' && argc === 2 && this.#words.tag(argv + valueBytes) === tags.undefined)
  }

  /** Returns the function that makes the result of a method for a text without a match. */
  #answerOf(name: MethodName): (context: number, textAt: number) => number {
    const { glue } = this.#host
    const { values } = this.#program
    if (name === 'replace' || name === 'replaceAll')
      return (context, textAt) => glue._QTS_DupValuePointer(context, textAt)
    if (name === 'split')
      return (context, textAt) => {
        this.#words.u32[this.#argumentList >>> 2] = textAt
        return glue._QTS_Call(context, values.arrayOf, values.undefined, 1, this.#argumentList)
      }
    const value = name === 'match' ? values.null : name === 'test' ? values.false : values.minusOne
    return (context) => glue._QTS_DupValuePointer(context, value)
  }
}
