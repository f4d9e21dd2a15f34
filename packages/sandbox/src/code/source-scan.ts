/** Characters after which a slash begins a pattern. */
const beforePattern = '(,=:[!&|?{};+-*%~^<>'

/** Returns whether a slash begins a pattern when `last` is the last character before it that is not space; '' for none. */
export function beginsPattern(last: string): boolean {
  return last === '' || beforePattern.includes(last)
}

export const isSpace = (char: string): boolean => /\s/.test(char)

/** Returns the position behind the comment that begins at `start`, or `start` when none begins there. */
export function commentEnd(text: string, start: number): number {
  const ends = { '//': '\n', '/*': '*/' }[text.slice(start, start + 2)]
  if (ends === undefined) return start
  const end = text.indexOf(ends, start + 2)
  return end === -1 ? text.length : end + (ends === '\n' ? 0 : ends.length)
}

/** Returns the position of the closing quote; `quote` is the character at `start`: a quote, or the slash of a pattern. */
export function quotedEnd(text: string, start: number, quote: string): number {
  let i = start + 1
  let isInClass = false
  while (i < text.length && (isInClass || text[i] !== quote)) {
    if (quote === '/' && text[i] === '[') isInClass = true
    else if (text[i] === ']') isInClass = false
    i += text[i] === '\\' ? 2 : 1
  }
  return i
}
