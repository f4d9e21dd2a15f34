/** Text looked at in front of an error, and behind a `return`; longer calls are not named. */
const beforeMax = 300
const behindMax = 2_000

/**
 * The text of a source up to the place of an error, for the name of what was called there: it ends with the bracket of the
 * call. Of a call that a function returns, the engine gives the place of `return`; its bracket is looked for then.
 * Lines of a chain of calls are joined.
 */
export function textBefore(source: string, at: number): string {
  const isReturn = /^return(?![\w$])/.test(source.slice(at, at + 7))
  const end = isReturn ? bracketOfReturned(source, at + 'return'.length) : at + 1
  const lines = source.slice(Math.max(0, end - beforeMax), end).split('\n')
  let text = lines.pop() ?? ''
  while (lines.length > 0 && /^\s*\??\./.test(text)) text = (lines.pop() ?? '').trimEnd() + text.trimStart()
  return text
}

const opening = '([{'
const closing = ')]}'
/** What an expression can go on with in the next line. */
const goesOn = /^\s*[.?([`,*/%<>=&|^:+-]/
/** After these a slash begins a pattern. */
const beforePattern = '(,=:[!&|?{};+-*%~^<>'

/** Where the bracket of the last call ends in the expression that begins at `start`; `start` when it ends with no call. */
function bracketOfReturned(source: string, start: number): number {
  const text = source.slice(start, start + behindMax)
  let depth = 0
  let bracket = 0
  let callEnd = -1
  let last = ''
  let lastAt = -1
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? ''
    if (char === '\n' && depth === 0 && last !== '' && !isOperator(last) && !goesOn.test(text.slice(i, i + 100))) break
    if (/\s/.test(char)) continue
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
    else if (char === '/' && (last === '' || beforePattern.includes(last))) i = quotedEnd(text, i, '/')
    if (depth === 0 && (char === ')' || char === '`')) callEnd = i
    last = text[i] ?? ''
    lastAt = i
  }
  return start + (callEnd !== -1 && callEnd === lastAt ? bracket + 1 : 0)
}

const isOperator = (char: string): boolean => '.?,=:!&|+-*%~^<>/'.includes(char)

function commentEnd(text: string, start: number): number {
  const ends = { '//': '\n', '/*': '*/' }[text.slice(start, start + 2)]
  if (ends === undefined) return start
  const end = text.indexOf(ends, start + 2)
  return end === -1 ? text.length : end + (ends === '\n' ? 0 : ends.length)
}

function quotedEnd(text: string, start: number, quote: string): number {
  let i = start + 1
  while (i < text.length && text[i] !== quote) i += text[i] === '\\' ? 2 : 1
  return i
}
