import { type AST, RegExpParser } from '#inlined/regexpp'
import { Alphabet } from './pattern-alphabet.ts'

/**
 * What a stretch of a text must have so that a pattern can match there. A match takes only characters of the pattern's
 * alphabet, so it lies within a stretch of them that is at least `minLength` long and has all required characters. In a
 * text without such a stretch, no engine finds a match.
 */
export interface PatternFacts {
  /**
   * One entry for each character up to U+00FF: 0 outside of the alphabet, otherwise 1 plus the bit of the character when
   * it is a required one.
   */
  readonly table: Uint8Array
  /** Bits of all required characters. */
  readonly required: number
  /** UTF-16 code units, at least 1. */
  readonly minLength: number
  /** The entry of all characters above U+00FF. */
  readonly wide: 0 | 1
}

/** What a part of a pattern takes from a text at least. */
interface Taken {
  readonly minLength: number
  /** ASCII characters other than letters, so that no flag makes them match anything else. */
  readonly literals: ReadonlySet<number>
}

/** Most required characters of a pattern. Bit 0 of an entry means that the character is in the alphabet. */
const requiredMax = 7
/** Lengths are not counted beyond this number. */
const lengthMax = 65_535
/** Characters that are frequent in texts, the most frequent last. Others exclude more texts. */
const frequent = [...',:/_-.9876543210 '].map((char) => char.charCodeAt(0))
/**
 * Ways to write a character that all engines read alike: itself, an escape with a fixed number of digits, or a control
 * or punctuation character after a backslash. Octal numbers, `\c`, and letters that mean themselves are not among them.
 */
const plainCharacter =
  /^(?:[^\\]|[\ud800-\udbff][\udc00-\udfff]|\\x[\dA-Fa-f]{2}|(?:\\u[\dA-Fa-f]{4}){1,2}|\\u\{[\dA-Fa-f]{1,6}\}|\\[0fnrtv]|\\[!-/:-@[-^`{-~])$/
/** Characters that have a meaning in most places, and mean themselves in others. */
const unclearOutsideClasses = '{}]'

const parser = new RegExpParser({ ecmaVersion: 2025 })

/** Returns what is known about a pattern; undefined when no text can be excluded. */
export function patternFacts(source: string, flags: string): PatternFacts | undefined {
  try {
    const unicode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
    const reader = new FactsReader(parser.parsePattern(source, 0, source.length, unicode), flags)
    return reader.facts()
  } catch {
    return undefined
  }
}

/** A part of a pattern that engines may read in different ways. */
class UnclearPattern extends Error {}

class FactsReader {
  readonly #alphabet = new Alphabet()
  readonly #pattern: AST.Pattern
  readonly #isUnicode: boolean
  readonly #ignoresCase: boolean
  readonly #dotTakesAll: boolean
  readonly #hasBackreference: boolean

  constructor(pattern: AST.Pattern, flags: string) {
    this.#pattern = pattern
    this.#isUnicode = /[uv]/.test(flags)
    // A flag that a part of the pattern sets counts for the whole, because it can only add characters.
    this.#ignoresCase = flags.includes('i') || /\(\?[a-z]*i/.test(pattern.raw)
    this.#dotTakesAll = flags.includes('s') || /\(\?[a-z]*s/.test(pattern.raw)
    this.#hasBackreference = /\\[1-9k]/.test(pattern.raw)
  }

  facts(): PatternFacts | undefined {
    const { minLength, literals } = this.#ofAny(this.#pattern.alternatives)
    if (minLength === 0) return undefined
    const alphabet = this.#alphabet
    if (this.#ignoresCase) alphabet.ignoreCase()
    const required = [...literals].sort((a, b) => frequent.indexOf(a) - frequent.indexOf(b)).slice(0, requiredMax)
    if (alphabet.isFull && required.length === 0 && minLength < 2) return undefined
    const table = Uint8Array.from(alphabet.chars)
    let bits = 0
    for (const [place, code] of required.entries()) {
      table[code] = 1 | (2 << place)
      bits |= 2 << place
    }
    return { table, required: bits, minLength, wide: alphabet.wide ? 1 : 0 }
  }

  #ofAny(alternatives: readonly AST.Alternative[]): Taken {
    const [first = nothing, ...others] = alternatives.map(({ elements }) => this.#ofAll(elements))
    return others.reduce(
      (all, taken) => ({
        minLength: Math.min(all.minLength, taken.minLength),
        literals: new Set([...all.literals].filter((code) => taken.literals.has(code))),
      }),
      first,
    )
  }

  #ofAll(elements: readonly AST.Element[]): Taken {
    let minLength = 0
    const literals = new Set<number>()
    for (const element of elements) {
      const taken = this.#of(element)
      minLength = Math.min(lengthMax, minLength + taken.minLength)
      for (const code of taken.literals) literals.add(code)
    }
    return { minLength, literals }
  }

  #of(element: AST.Element): Taken {
    switch (element.type) {
      case 'Character':
        return this.#ofCharacter(element)
      case 'CharacterSet':
        this.#alphabet.addSet(element, this.#dotTakesAll)
        // A property of strings may match the empty text.
        return { ...nothing, minLength: element.kind === 'property' && element.strings ? 0 : 1 }
      case 'CharacterClass':
        return this.#ofClass(element)
      // A set of texts of any length.
      case 'ExpressionCharacterClass':
        this.#alphabet.addAll()
        return nothing
      case 'Group':
      case 'CapturingGroup':
        return this.#ofAny(element.alternatives)
      case 'Quantifier': {
        const taken = this.#of(element.element)
        if (element.min === 0) return nothing
        // A count of more than 308 digits is infinite, and 0 times that is no number.
        const count = Math.min(lengthMax, element.min)
        return { minLength: Math.min(lengthMax, taken.minLength * count), literals: taken.literals }
      }
      case 'Assertion':
        return this.#ofAssertion(element)
      // What its group took may be nothing.
      case 'Backreference':
        return nothing
    }
  }

  /** Look-around takes no characters. But a reference to a group in it takes what that group found there. */
  #ofAssertion(assertion: AST.Assertion): Taken {
    if (this.#hasBackreference && 'alternatives' in assertion) this.#ofAny(assertion.alternatives)
    return nothing
  }

  #ofCharacter(character: AST.Character): Taken {
    this.#mustBePlain(character)
    if (unclearOutsideClasses.includes(character.raw)) throw new UnclearPattern()
    this.#alphabet.add(character.value, character.value)
    return { minLength: 1, literals: literalsOf(character) }
  }

  #ofClass({ negate, unicodeSets, elements }: AST.CharacterClass): Taken {
    if (unicodeSets) {
      this.#alphabet.addAll()
      return nothing
    }
    if (hasUnclearHyphen(elements)) throw new UnclearPattern()
    const members = negate ? new Alphabet() : this.#alphabet
    for (const member of elements) {
      if (member.type === 'Character') {
        this.#mustBePlain(member)
        members.add(member.value, member.value)
      } else if (member.type === 'CharacterClassRange') {
        this.#mustBePlain(member.min)
        this.#mustBePlain(member.max)
        members.add(member.min.value, member.max.value)
      } else if (member.type === 'CharacterSet') members.addSet(member, true)
      else members.addAll()
    }
    if (negate) this.#alphabet.addOthers(members)
    const [only] = elements
    const isLiteral = !negate && elements.length === 1 && only?.type === 'Character'
    return { minLength: 1, literals: isLiteral ? literalsOf(only) : nothing.literals }
  }

  /** @throws UnclearPattern when engines may differ in what this means. */
  #mustBePlain({ raw }: AST.Character): void {
    const isPlain = plainCharacter.test(raw) && (this.#isUnicode || !raw.startsWith('\\u{'))
    if (!isPlain) throw new UnclearPattern()
  }
}

/**
 * Whether a hyphen follows a set such as `\d`, and a later one is not the last character. By the standard `[\d--1]` has a hyphen
 * and a 1, as the first hyphen takes what follows it; for QuickJS it has all from the hyphen to the 1.
 */
function hasUnclearHyphen(elements: AST.CharacterClass['elements']): boolean {
  const first = elements.findIndex(({ type }, i) => type === 'CharacterSet' && elements[i + 1]?.raw === '-')
  return first !== -1 && elements.slice(first + 2, -1).some(({ raw }) => raw === '-')
}

const nothing: Taken = { minLength: 0, literals: new Set() }

function literalsOf({ value }: AST.Character): ReadonlySet<number> {
  return value < 0x80 && !/[A-Za-z]/.test(String.fromCharCode(value)) ? new Set([value]) : nothing.literals
}
