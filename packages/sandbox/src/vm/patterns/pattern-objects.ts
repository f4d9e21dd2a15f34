import type { GuestWords } from './guest-words.ts'
import { tags } from './guest-words.ts'
import { compiledFlags } from './known-patterns.ts'

/** Offsets in an object of the engine; the last two are those of a pattern's texts. */
const layout = { class: 6, shape: 20, properties: 24, source: 32, compiled: 36 } as const

/** A pattern whose contents are known, by which the layout is checked. */
export interface SamplePattern {
  readonly address: number
  readonly source: string
  readonly flags: string
  readonly lastIndex: number
}

/** Addresses of objects that live as long as the guest. */
interface SampleObjects {
  readonly samples: readonly SamplePattern[]
  readonly ownFunction: number
  readonly plainObject: number
}

/** Reads the objects of patterns that are as the engine made them: with no property but `lastIndex`. */
export class PatternObjects {
  readonly #words: GuestWords
  readonly #class: number
  readonly #shape: number
  readonly #functionClass: number

  private constructor(words: GuestWords, pattern: number, functionAddress: number) {
    this.#words = words
    this.#class = classOf(words, pattern) ?? 0
    this.#shape = words.word(pattern + layout.shape) ?? 0
    this.#functionClass = classOf(words, functionAddress) ?? 0
  }

  /**
   * @param samples patterns, which keep the shape of all unchanged patterns shared, so
   * that the engine never changes it in place.
   * @param ownFunction a function written in the language.
   * @returns undefined when the engine has another layout.
   */
  static of(words: GuestWords, { samples, ownFunction, plainObject }: SampleObjects): PatternObjects | undefined {
    const [first] = samples
    if (first === undefined) return undefined
    const objects = new PatternObjects(words, first.address, ownFunction)
    const classes = new Set([first.address, ownFunction, plainObject].map((address) => classOf(words, address)))
    if (classes.size < 3) return undefined
    return samples.every((sample) => objects.#isAsExpected(sample)) ? objects : undefined
  }

  #isAsExpected({ address, source, flags, lastIndex }: SamplePattern): boolean {
    const words = this.#words
    const index = this.lastIndexAt(address)
    return (
      this.isUnchanged(address) &&
      words.isText(this.sourceAt(address), source) &&
      compiledFlags(words, this.compiledAt(address)) === flags &&
      words.word(index) === lastIndex &&
      words.tag(index) === tags.int
    )
  }

  /** Whether the object at this address is a pattern to which nothing was added, whose prototype is the engine's. */
  isUnchanged(address: number): boolean {
    const words = this.#words
    return words.word(address + layout.shape) === this.#shape && classOf(words, address) === this.#class
  }

  /** Whether the value at this address can replace matches and has no effect when there are none. */
  isPlainReplacement(valueAt: number): boolean {
    const words = this.#words
    const tag = words.tag(valueAt)
    if (tag === tags.text) return true
    return tag === tags.object && classOf(words, words.word(valueAt) ?? 0) === this.#functionClass
  }

  sourceAt(address: number): number {
    return this.#words.word(address + layout.source) ?? 0
  }

  compiledAt(address: number): number {
    return this.#words.word(address + layout.compiled) ?? 0
  }

  /** Returns the address of the value of `lastIndex`. */
  lastIndexAt(address: number): number {
    return this.#words.word(address + layout.properties) ?? 0
  }
}

function classOf({ u16 }: GuestWords, address: number): number | undefined {
  return u16[(address + layout.class) >>> 1]
}
