/** Words of code that may leave microtasks behind even when it answers at once. */
const promises = /\b(?:async|await|Promise|then|queueMicrotask|fetch\w*|geolocation|fromAsync|fetchV2)\b|\bimport\s*\(/
/**
 * Words of code that may change built-ins in a way that a quick check does not see: definitions, prototypes, the global
 * object, code made of texts. Freezing a literal is none.
 */
const definitions =
  /\b(?:defineProperty|defineProperties|__define\w+__|setPrototypeOf|__proto__|globalThis|global|eval|Function)\b|\b(?:freeze|seal|preventExtensions)\b(?!\s*\(\s*[{[])|(?:\.\s*|["'`])constructor\b|\\u/
/** Words of code that may replace a global, so that it must not keep the one that it has found once. */
const globals = /\b(?:globalThis|global|eval|Function)\b|(?:\.\s*|["'`])constructor\b|\\u/
/** Words of code that may make lists of any length. */
const lengths = /\blength\s*[:=](?!=)|\bArray\s*[(.]|["'`]length["'`]/
/** Words of code whose outputs may hold boxed values, which our encoder does not know from another realm. */
const boxes = /\bnew\s+(?:String|Number|Boolean)\b|\bObject\s*\(/

/** What the texts of a program say about how it must run. */
export interface ProgramWords {
  readonly usesJobs: boolean
  /** Whether it needs a realm of its own, all of whose built-ins are compared after each run. */
  readonly isIntrusive: boolean
  /** Whether it needs a realm of its own, whose built-ins refuse lists that are too long. */
  readonly makesLists: boolean
  readonly replacesGlobals: boolean
  readonly boxes: boolean
}

export function wordsOf(texts: readonly string[]): ProgramWords {
  const has = (words: RegExp): boolean => texts.some((text) => words.test(text))
  return {
    usesJobs: has(promises),
    isIntrusive: has(definitions),
    makesLists: has(lengths),
    replacesGlobals: has(globals),
    boxes: has(boxes),
  }
}

export const needsOwnRealm = ({ isIntrusive, makesLists }: ProgramWords): boolean => isIntrusive || makesLists
