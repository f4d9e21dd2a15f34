import { LRUCache } from '#inlined/lru-cache'
import { type PatternFacts, patternFacts } from '../../patterns/pattern-facts.ts'
import { type GuestWords, textLayout } from './guest-words.ts'

/** A pattern as the engine has compiled it. */
interface KnownPattern {
  readonly facts: PatternFacts
  readonly isGlobal: boolean
  /** Whether a search from `lastIndex` on that finds nothing sets it to 0. */
  readonly resets: boolean
}

/** Longest pattern that is analysed. */
const sourceMax = 500
/** Most patterns that are looked at between two restores. Code may make any number of them. */
const patternsMax = 64
/** The engine counts references in 31 bits. */
const referencesMax = 0x7fff_fffe
/** Most patterns whose facts are kept. */
const factsMax = 1_000

/** Bits of the flags, in the first two bytes of a compiled pattern. */
const flagBits = { g: 1, i: 2, m: 4, s: 8, u: 16, y: 32, d: 64, v: 256 } as const
const flagBytes = 2

const noAddress = -1

interface Entry {
  readonly source: string
  readonly bits: number
  readonly known: KnownPattern | undefined
  /** The restore since which the pattern is held at its address. */
  since: number
}

const facts = new LRUCache<string, { readonly facts: PatternFacts | undefined }>({ max: factsMax })

/**
 * The compiled patterns of one engine by their address. A pattern that was looked at is held, by one more reference to
 * its compiled form, so that its address keeps its meaning until the memory is restored.
 */
export class KnownPatterns {
  readonly #words: GuestWords
  readonly #entries = new Map<number, Entry>()
  #restores = 0
  #held = 0
  #lastAddress = noAddress
  #last: KnownPattern | undefined

  constructor(words: GuestWords) {
    this.#words = words
  }

  /** Must be called after every restore of the memory, because addresses then mean other things. */
  forget(): void {
    this.#restores += 1
    this.#held = 0
    this.#lastAddress = noAddress
    if (this.#entries.size > factsMax) this.#entries.clear()
  }

  /** @param compiled address of the compiled pattern. @param source address of its source. */
  at(compiled: number, source: number): KnownPattern | undefined {
    if (compiled === this.#lastAddress) return this.#last
    const entry = this.#entries.get(compiled)
    const held = entry?.since === this.#restores ? entry : this.#holdNow(compiled, source, entry)
    if (held === undefined) return undefined
    this.#lastAddress = compiled
    this.#last = held.known
    return held.known
  }

  #holdNow(compiled: number, source: number, before: Entry | undefined): Entry | undefined {
    const words = this.#words
    const references = words.word(compiled)
    const bits = words.u16[(compiled + textLayout.data) >>> 1]
    // Memory without an object has no references: the host must not write there.
    if (this.#held >= patternsMax || !references || references > referencesMax || bits === undefined) return undefined
    // Usually the same program runs again and has the same pattern there.
    const isSame = before !== undefined && before.bits === bits && words.isText(source, before.source)
    const entry = isSame ? before : this.#read(source, bits)
    if (entry === undefined) return undefined
    this.#held += 1
    words.u32[compiled >>> 2] = references + 1
    entry.since = this.#restores
    this.#entries.set(compiled, entry)
    return entry
  }

  #read(address: number, bits: number): Entry | undefined {
    const source = this.#words.latinText(address, sourceMax)
    if (source === undefined) return undefined
    const flags = flagsOf(bits)
    const key = `${flags}/${source}`
    const found = facts.get(key) ?? { facts: patternFacts(source, flags) }
    facts.set(key, found)
    const known = found.facts && {
      facts: found.facts,
      isGlobal: (bits & flagBits.g) !== 0,
      resets: (bits & (flagBits.g | flagBits.y)) !== 0,
    }
    return { source, bits, known, since: 0 }
  }
}

/** Returns the flags of a compiled pattern; undefined when it is not in memory. */
export function compiledFlags(words: GuestWords, compiled: number): string | undefined {
  const bits = words.u16[(compiled + textLayout.data) / flagBytes]
  return bits === undefined ? undefined : flagsOf(bits)
}

function flagsOf(bits: number): string {
  return Object.entries(flagBits)
    .filter(([, bit]) => (bits & bit) !== 0)
    .map(([flag]) => flag)
    .join('')
}
