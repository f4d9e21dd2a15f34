import { RE2JS } from 're2js'

/** A regular expression of an operator. Its time grows with the text alone, whatever the expression. */
export interface LinearRegex {
  /** Whether the expression matches anywhere in the text. A text of more than `regexTextMax` characters matches nothing. */
  test(text: string): boolean
  /** Steps a single character may take: expressions that share an input can share a bound. */
  readonly size: number
}

export type LinearRegexResult =
  | { readonly ok: true; readonly regex: LinearRegex }
  /** What is wrong, naming the expression. */
  | { readonly ok: false; readonly problem: string }

/** Characters of an expression. */
export const regexLengthMax = 1_000
/** Characters of a text: with the worst expression a test takes 0.1 s, with a usual one 10 µs. */
export const regexTextMax = 1_000
/** Steps per character; `.{1,255}` has 255. */
export const regexSizeMax = 1_000

/** Escapes that mean the same in JavaScript and in RE2, or are translated. */
const knownEscape = /^\\(?:[dDwWsSbBtnrfvxuc0]|[^A-Za-z0-9])$/

/**
 * Compiles an expression of JavaScript for a linear-time engine. What such an engine cannot do (look-around, back
 * references) is refused, and so is what would mean something else to it. Two small differences stay: `\s` matches ASCII
 * white space only, and `.` matches every character but `\n`.
 *
 * @param flags `u` as JSON Schema has it, which allows `\p{…}`.
 */
export function compileLinearRegex(source: string, flags: '' | 'u' = ''): LinearRegexResult {
  const shown = `'${source.length > 100 ? `${source.slice(0, 100)}…` : source}'`
  const refuse = (problem: string): LinearRegexResult => ({ ok: false, problem: `${shown} ${problem}` })
  if (source.length > regexLengthMax) return refuse(`has more than ${regexLengthMax} characters; shorten it`)
  try {
    new RegExp(source, flags)
  } catch {
    return refuse('is not a regular expression')
  }
  const escapes: readonly string[] = source.match(/\\./gsu) ?? []
  const unknown = escapes.find((each) => !knownEscape.test(each) && !(flags === 'u' && /^\\p$/i.test(each)))
  if (unknown !== undefined) return refuse(`uses ${unknown}, which is not supported; write it without`)
  if (source.includes('[[:')) return refuse('uses [[:, which is not supported; write [:[')
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(RE2JS.translateRegExp(source))
  } catch {
    return refuse(
      'uses what a linear-time engine (RE2) cannot do: look-ahead, look-behind, back references and repeats above 1,000 are not supported',
    )
  }
  const size = compiled.programSize()
  if (size > regexSizeMax)
    return refuse(`takes ${size} steps per character, more than ${regexSizeMax}; use smaller repeats`)
  return { ok: true, regex: { size, test: (text) => text.length <= regexTextMax && compiled.test(text) } }
}
