/** Words of code that may leave microtasks behind even when it answers at once. */
const promises = /\b(?:async|await|Promise|then|queueMicrotask|fetch\w*|geolocation|fromAsync|fetchV2)\b|\bimport\s*\(/
/**
 * Words of code that may change built-ins in a way that a quick check does not see: definitions, prototypes, the global
 * object, code made of texts. Freezing a literal is none.
 */
const definitions =
  /\b(?:defineProperty|defineProperties|__define\w+__|setPrototypeOf|__proto__|globalThis|global|eval|Function)\b|\b(?:freeze|seal|preventExtensions)\b(?!\s*\(\s*[{[])|\.\s*constructor\b|\bconstructor\b(?!\s*\()|\\u/
/** Words of code that may replace a global, so that it must not keep the one that it has found once. */
const globals = /\b(?:globalThis|global|eval|Function)\b|\.\s*constructor\b|\bconstructor\b(?!\s*\()|\\u/
/** Words of code that may make lists of any length. */
const lengths = /\blength\s*[:=](?!=)|\bArray\s*[(.]|["'`]length["'`]/
/** Words of code whose outputs may hold boxed values, which our encoder does not know from another realm. */
const boxes = /\bnew\s+(?:String|Number|Boolean)\b|\bObject\s*\(/

/** Words of code that may give a built-in a property whose key is a symbol. */
const symbols = /\bSymbol\b/

const identifier = /[A-Za-z_$][\w$]*/g
/** What follows a built-in that is only called, or one of whose members is: `(` or `.keys(`. Some calls return built-ins. */
const call = /\s*(?:\.\s*(?!getPrototypeOf\b)[\w$]+\s*)?\(/y
/** Modules of the guest API, whose functions are built-ins too. */
const apiImport = /["'`]@(?:sluice|rs)\//

/**
 * Returns whether code may get hold of a built-in, and so change it: it names one, other than to call it or one of its
 * members. Words of `definitions` are other ways.
 */
function reachesBuiltIns(text: string, globalNames: ReadonlySet<string>): boolean {
  if (apiImport.test(text)) return true
  for (const { 0: name, index } of text.matchAll(identifier)) {
    if (!globalNames.has(name) || text[index - 1] === '.') continue
    call.lastIndex = index + name.length
    if (!call.test(text)) return true
  }
  return false
}

/** What the texts of a program say about how it must run. */
export interface ProgramWords {
  readonly usesJobs: boolean
  /** Whether it needs a realm of its own, all of whose built-ins are compared after each run. */
  readonly isIntrusive: boolean
  /** Whether it may change a built-in by an assignment. */
  readonly reachesBuiltIns: boolean
  /** Whether it needs a realm of its own, whose built-ins refuse lists that are too long. */
  readonly makesLists: boolean
  readonly replacesGlobals: boolean
  readonly boxes: boolean
  /** Whether it may add a property to a built-in whose key is a symbol. */
  readonly namesSymbols: boolean
}

/** @param globalNames names of the built-ins of a realm. */
export function wordsOf(texts: readonly string[], globalNames: readonly string[]): ProgramWords {
  const known = new Set(globalNames)
  const has = (words: RegExp): boolean => texts.some((text) => words.test(text))
  return {
    usesJobs: has(promises),
    isIntrusive: has(definitions),
    reachesBuiltIns: texts.some((text) => reachesBuiltIns(text, known)),
    makesLists: has(lengths),
    replacesGlobals: has(globals),
    boxes: has(boxes),
    namesSymbols: has(symbols),
  }
}

export const needsOwnRealm = ({ isIntrusive, makesLists }: ProgramWords): boolean => isIntrusive || makesLists
