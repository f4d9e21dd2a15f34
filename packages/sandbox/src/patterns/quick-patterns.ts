import { LRUCache } from '#inlined/lru-cache'
import type { PatternNeeds } from './pattern-needs.ts'
import type { QuickPattern } from './quick-pattern.ts'
import { type PatternLiteral, topLevelPatterns } from './top-level-patterns.ts'

/** Most quick patterns of one program. */
const patternsMax = 32
/** Most patterns of one program that are parsed. */
const parsedMax = 64
/** Characters that are frequent in texts, the most frequent last. Looking for any other excludes more texts. */
const frequent = ',:/_-.9876543210 '
/** Patterns that are slow without a check: some repetition, and a character that is not a letter. */
const mayBeSlow = /[*+]|\{\d+,\}/
/**
 * Words with which a program could see or change how patterns work: it could define properties of a pattern or of
 * RegExp.prototype, see the prototype or the method `test` of a pattern, or run code that is not in its text.
 */
const tampers =
  /\b(?:prototype|__proto__|constructor|defineProperty|defineProperties|__define[GS]etter__|Reflect|Symbol|super|extends|compile|eval|Function)\b|PrototypeOf\b|\.test\b(?!\s*\()|\\(?:x|u00|u\{0*)[4-7]/

const needs = new LRUCache<string, { readonly needs: PatternNeeds | undefined }>({ max: 1_000 })

/**
 * Returns the patterns of a program for which checking a text first pays, and is safe: searching them takes time for
 * each start, every match contains a certain character, and the code has no word with which it could see or influence
 * the check. Code that hides such a word changes only its own results.
 */
export async function quickPatterns(texts: readonly string[]): Promise<readonly QuickPattern[]> {
  if (texts.some((text) => tampers.test(text))) return []
  const literals = texts.flatMap(topLevelPatterns).filter(({ source }) => mayBeSlow.test(source))
  if (literals.length === 0) return []
  // The parser is loaded when the first pattern needs it, because loading takes several milliseconds.
  const { patternNeeds } = await import('./pattern-needs.ts')
  const found: QuickPattern[] = []
  for (const literal of literals.slice(0, parsedMax)) {
    const pattern = quickPattern(literal, patternNeeds)
    if (pattern && found.length < patternsMax) found.push(pattern)
  }
  return found
}

function quickPattern(
  { source, flags }: PatternLiteral,
  patternNeeds: (source: string, flags: string) => PatternNeeds | undefined,
): QuickPattern | undefined {
  // A sticky pattern is not searched for.
  if (flags.includes('y')) return undefined
  const key = `${flags}/${source}`
  const known = needs.get(key) ?? { needs: patternNeeds(source, flags) }
  needs.set(key, known)
  if (!known.needs?.isSlow) return undefined
  const { minLength, literals } = known.needs
  const [literal] = [...literals].sort((a, b) => frequent.indexOf(a) - frequent.indexOf(b))
  return literal === undefined ? undefined : { source, flags, minLength, literal }
}
