import { type AST, RegExpParser } from '#inlined/regexpp'

/** What every match of a pattern has. */
export interface PatternNeeds {
  /** UTF-16 code units. */
  readonly minLength: number
  /** ASCII characters other than letters, so that no flag makes them match anything else. */
  readonly literals: ReadonlySet<string>
  /** Whether a match may begin with any number of characters, so that searching takes time for each start. */
  readonly isSlow: boolean
}

const nothing: PatternNeeds = { minLength: 0, literals: new Set(), isSlow: false }
/** Lengths are not counted beyond this number. */
const lengthMax = 65_535
const parser = new RegExpParser({ ecmaVersion: 2025 })

/** Returns what every match needs; undefined when the pattern cannot be parsed. */
export function patternNeeds(source: string, flags: string): PatternNeeds | undefined {
  try {
    const options = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') }
    return needsOfAny(parser.parsePattern(source, 0, source.length, options).alternatives)
  } catch {
    return undefined
  }
}

function needsOfAny(alternatives: readonly AST.Alternative[]): PatternNeeds {
  const [first = nothing, ...others] = alternatives.map(({ elements }) => needsOfAll(elements))
  return others.reduce(
    (all, needs) => ({
      minLength: Math.min(all.minLength, needs.minLength),
      literals: new Set([...all.literals].filter((char) => needs.literals.has(char))),
      isSlow: all.isSlow || needs.isSlow,
    }),
    first,
  )
}

function needsOfAll(elements: readonly AST.Element[]): PatternNeeds {
  let minLength = 0
  let isSlow = false
  const literals = new Set<string>()
  for (const element of elements) {
    const needs = needsOf(element)
    if (minLength === 0) isSlow ||= needs.isSlow
    minLength = Math.min(lengthMax, minLength + needs.minLength)
    for (const char of needs.literals) literals.add(char)
  }
  return { minLength, literals, isSlow }
}

function needsOf(element: AST.Element): PatternNeeds {
  switch (element.type) {
    case 'Character':
      return { minLength: 1, literals: literalsOf(element), isSlow: false }
    case 'CharacterSet':
      // A property of strings may match the empty text.
      return { ...nothing, minLength: element.kind === 'property' && element.strings ? 0 : 1 }
    case 'CharacterClass':
      return needsOfClass(element)
    case 'Group':
    case 'CapturingGroup':
      return needsOfAny(element.alternatives)
    case 'Quantifier':
      return needsOfQuantifier(element)
    // Look-around takes no characters; what it needs may be anywhere. A back reference may be empty.
    case 'Assertion':
    case 'Backreference':
    case 'ExpressionCharacterClass':
      return nothing
  }
}

function needsOfClass({ negate, unicodeSets, elements }: AST.CharacterClass): PatternNeeds {
  // With the flag v, elements may be texts of any length.
  if (unicodeSets) return nothing
  const [only] = elements
  const isLiteral = !negate && elements.length === 1 && only?.type === 'Character'
  return { minLength: 1, literals: isLiteral ? literalsOf(only) : nothing.literals, isSlow: false }
}

function needsOfQuantifier({ min, max, element }: AST.Quantifier): PatternNeeds {
  const needs = needsOf(element)
  const isSlow = needs.isSlow || max === Number.POSITIVE_INFINITY
  if (min === 0) return { ...nothing, isSlow }
  return { minLength: Math.min(lengthMax, needs.minLength * min), literals: needs.literals, isSlow }
}

function literalsOf({ value }: AST.Character): ReadonlySet<string> {
  const char = value < 0x80 ? String.fromCharCode(value) : ''
  return /^[^A-Za-z]$/.test(char) ? new Set([char]) : nothing.literals
}
