import { commentEnd, isSpace, quotedEnd } from '../../code/source-scan.ts'
import type { Piece } from './piece.ts'

const nameStart = /[\p{L}\p{N}_$]/u

/**
 * Returns what replaces `export` in front of a declaration, an expression or a list.
 * @param localName name of what is exported. @param standard name for a default export that has none.
 */
export function exportPiece(code: string, start: number, localName: string | undefined, standard: string): Piece {
  let at = start
  /** Moves behind a word or mark, and the space and comments after it. */
  const take = (word: string): boolean => {
    if (!code.startsWith(word, at) || (nameStart.test(word) && nameStart.test(code[at + word.length] ?? '')))
      return false
    at = afterSpace(code, at + word.length)
    return true
  }
  take('export')
  if (code[at] === '{') return { start, end: listEnd(code, at), text: '' }
  if (!take('default') || localName !== undefined) return { start, end: at, text: '' }
  const end = at
  // A function without a name stays a declaration, which needs no semicolon behind it.
  const isAsync = take('async')
  if (take('function')) {
    const mark = take('*') ? '*' : ''
    if (code[at] === '(') return { start, end: at, text: `${isAsync ? 'async ' : ''}function${mark} ${standard}` }
  }
  return { start, end, text: `var ${standard} =` }
}

/** Returns the first position from `start` on with neither space nor comment. */
function afterSpace(code: string, start: number): number {
  let at = start
  while (at < code.length) {
    const end = isSpace(code[at] ?? '') ? at + 1 : commentEnd(code, at)
    if (end === at) break
    at = end
  }
  return at
}

/** Returns the position behind the brace that closes the list at `start`. */
function listEnd(code: string, start: number): number {
  let at = start + 1
  while (at < code.length && code[at] !== '}') {
    const char = code[at] ?? ''
    const end = '"\''.includes(char) ? quotedEnd(code, at, char) + 1 : commentEnd(code, at)
    at = Math.max(at + 1, end)
  }
  return at + 1
}
