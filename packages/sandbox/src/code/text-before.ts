import { beginsPattern, commentEnd, isSpace, quotedEnd } from './source-scan.ts'

/** Characters examined before an error, and after a `return`. The function of a longer call is not named. */
const beforeMax = 300
const behindMax = 2_000

/**
 * Returns the source text up to the place of an error, ending with the bracket of the call, so that the called function
 * can be named. If a function returns a call, the engine reports the place of `return`; the bracket is then searched
 * for. Lines of a call chain are joined.
 */
export function textBefore(source: string, at: number): string {
  const isReturn = /^return(?![\w$])/.test(source.slice(at, at + 7))
  const end = isReturn ? bracketOfReturned(source, at + 'return'.length) : at + 1
  const text = joinedChains(source.slice(Math.max(0, end - beforeMax), end))
  return text.slice(text.lastIndexOf('\n') + 1)
}

/**
 * Removes line breaks before `.` and `?.`. Visits each run of white space once; a pattern with `\s*\n\s*` would
 * backtrack.
 */
function joinedChains(text: string): string {
  return text.replace(/\s+/g, (space, at: number) => {
    const next = at + space.length
    const isMember = text[next] === '.' || (text[next] === '?' && text[next + 1] === '.')
    return isMember && space.includes('\n') ? '' : space
  })
}

const opening = '([{'
const closing = ')]}'
/** Characters with which an expression can continue on the next line. */
const goesOn = '.?([`,*/%<>=&|^:+-'

/**
 * Returns where the bracket of the last call ends in the expression that begins at `start`; `start` when the expression
 * does not end with a call.
 */
function bracketOfReturned(source: string, start: number): number {
  const text = source.slice(start, start + behindMax)
  let depth = 0
  let bracket = 0
  let callEnd = -1
  let last = ''
  let lastAt = -1
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (isSpace(char)) {
      const next = spaceEnd(text, i)
      const hasBreak = text.slice(i, next).includes('\n')
      if (hasBreak && depth === 0 && last !== '' && !isOperator(last) && !goesOn.includes(text[next] ?? '\n')) break
      i = next - 1
      continue
    }
    const comment = char === '/' ? commentEnd(text, i) : i
    if (comment > i) {
      i = comment - 1
      continue
    }
    if (depth === 0 && (char === ';' || closing.includes(char))) break
    if (char === '(' && depth === 0) bracket = i
    if (char === '`' && depth === 0) bracket = i
    if (opening.includes(char)) depth += 1
    else if (closing.includes(char)) depth -= 1
    else if (char === '"' || char === "'" || char === '`') i = quotedEnd(text, i, char)
    else if (char === '/' && beginsPattern(last)) i = quotedEnd(text, i, '/')
    if (depth === 0 && (char === ')' || char === '`')) callEnd = i
    last = text[i] ?? ''
    lastAt = i
  }
  return start + (callEnd !== -1 && callEnd === lastAt ? bracket + 1 : 0)
}

const isOperator = (char: string): boolean => '.?,=:!&|+-*%~^<>/'.includes(char)

function spaceEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && isSpace(text[end] ?? '')) end += 1
  return end
}
