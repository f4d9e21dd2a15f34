import { RE2JS } from '#inlined/re2js'

/**
 * A regular expression supplied by an operator. Matching takes time linear in the length of the text, whatever the
 * expression.
 */
export interface LinearRegex {
  /**
   * Returns whether the expression matches anywhere in the text. False for texts of more than `regexTextMax`
   * characters.
   */
  test(text: string): boolean
  /** Maximum steps per character. Expressions that run on the same input can share a limit on it. */
  readonly size: number
}

export type LinearRegexResult =
  | { readonly ok: true; readonly regex: LinearRegex }
  /** What is wrong, including the expression. */
  | { readonly ok: false; readonly problem: string }

/** Longest expression, in characters. */
export const regexLengthMax = 1_000
/** Longest text, in characters. With the worst expression a test takes 0.1 s, with a typical one 10 µs. */
export const regexTextMax = 1_000
/** Most steps per character; `.{1,255}` takes 255. */
export const regexSizeMax = 1_000

/** Escapes that mean the same in JavaScript and in RE2, or are translated. */
const knownEscape = /^\\(?:[dDwWsSbBtnrfvxuc0]|[^A-Za-z0-9])$/

/**
 * Compiles a JavaScript regular expression for a linear-time engine. Refuses what such an engine cannot do
 * (look-around, back references) and what it would interpret differently. Two small differences remain: `\s` matches
 * only ASCII white space, and `.` matches every character except `\n`.
 *
 * @param flags `u` allows `\p{…}`, as in JSON Schema.
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
