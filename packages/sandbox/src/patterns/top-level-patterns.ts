import { beginsPattern, commentEnd, isSpace, quotedEnd } from '../code/source-scan.ts'

/** A regular expression as written in source code. */
export interface PatternLiteral {
  readonly source: string
  readonly flags: string
}

/** Characters after which a brace begins an object, not a block. */
const beforeObject = '=([,:?&|'
/** Characters after which a top-level pattern is a value that is kept, so that the same object is used again. */
const beforeValue = '=[:,'
/** Where such a pattern may begin. Most programs have none, so that their text is not read further. */
const mayKeep = /[=[:,]\s*\//
/** Longest pattern that is found. */
const lengthMax = 500
/** Most patterns that are found in one text. */
const countMax = 32

/**
 * Finds the patterns that the top level of a module keeps in variables, lists and objects. This is a guess without
 * parsing the code: it may miss patterns and find some that are none.
 */
export function topLevelPatterns(text: string): readonly PatternLiteral[] {
  if (!mayKeep.test(text)) return []
  const found: PatternLiteral[] = []
  const isBlock: boolean[] = []
  let blocks = 0
  let last = ''
  for (let i = 0; i < text.length && found.length < countMax; i += 1) {
    const char = text[i] ?? ''
    if (isSpace(char)) continue
    const comment = char === '/' ? commentEnd(text, i) : i
    if (comment > i) {
      i = comment - 1
      continue
    }
    if (char === '{') {
      isBlock.push(last === '' || !beforeObject.includes(last))
      if (isBlock.at(-1)) blocks += 1
    } else if (char === '}') {
      if (isBlock.pop()) blocks -= 1
    } else if (char === '"' || char === "'" || char === '`') i = quotedEnd(text, i, char)
    else if (char === '/' && beginsPattern(last)) {
      const end = quotedEnd(text, i, '/')
      const isKept = blocks === 0 && last !== '' && beforeValue.includes(last)
      if (isKept && end < text.length && end - i <= lengthMax)
        found.push({ source: text.slice(i + 1, end), flags: flagsAt(text, end + 1) })
      i = end
    }
    last = char
  }
  return found
}

/** Returns the flags at this position, sorted. */
function flagsAt(text: string, start: number): string {
  let end = start
  while ('dgimsuvy'.includes(text[end] ?? ' ')) end += 1
  return [...text.slice(start, end)].sort().join('')
}
