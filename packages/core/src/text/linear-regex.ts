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
  /** Returns about how many fifths of a microsecond a test takes at most; more for an expression that has turned out to be slow. */
  stepsFor(text: string): number
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

/** Characters that a fast test reads in one step, and instructions that a slow one takes. */
const charsPerStep = 32
const instructionsPerStep = 16

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
  const states = statesOf(compiled)
  return {
    ok: true,
    regex: {
      size,
      stepsFor: ({ length }) => {
        const bySlowEngine = states.memBudget > 0 || length > regexTextMax ? 0 : (length * size) / instructionsPerStep
        return Math.ceil(1 + length / charsPerStep + bySlowEngine)
      },
      test: (text) => text.length <= regexTextMax && compiled.test(text),
    },
  }
}

/** What the engine remembers of an expression while it matches texts, to be faster with later ones. */
interface States {
  /** Bytes that are left for them. Without any, the engine computes everything for each text. */
  memBudget: number
  /** Bytes that are given again when none are left. */
  stateBudget: number
}

/**
 * Most bytes for them. Expressions such as `(\p{L}|a)*b\p{L}{20}` never stop needing more, and each takes 40 µs to make.
 */
const stateBytesMax = 512 * 1024

/** Limits what the engine remembers of an expression. The members are those of the version in package.json. */
function statesOf({ re2Input }: RE2JS): States {
  const { dfa } = re2Input as unknown as { readonly dfa: States }
  dfa.memBudget = stateBytesMax
  dfa.stateBudget = 0
  return dfa
}
