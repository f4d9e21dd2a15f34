const blank = /[ \t\r\n]*/y
// Every character from the space on, except quote and backslash.
const text = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Finds the place where a text stops being JSON, because JSON.parse of Node 20 does not report it for most errors.
 * @returns line and column, from 1, of the first invalid character, or of the end when something is missing.
 */
export function jsonErrorPlace(json: string): { readonly line: number; readonly column: number } {
  const before = json.slice(0, offsetOf(json)).split('\n')
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

/** Reads token after token, with the open brackets on its own stack, because nesting is controlled by the text. */
function offsetOf(json: string): number {
  let at = 0
  const open: ('{' | '[')[] = []
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const length = pattern.exec(json)?.[0].length
    at += length ?? 0
    return length !== undefined
  }
  const take = (char: string): boolean => {
    skip(blank)
    if (json[at] !== char) return false
    at += 1
    return true
  }
  const key = (): boolean => {
    skip(blank)
    return skip(text) && take(':')
  }
  let wantsValue = true
  for (;;) {
    if (wantsValue) {
      if (take('{')) {
        open.push('{')
        if (!take('}')) {
          if (!key()) return at
          continue
        }
        open.pop()
      } else if (take('[')) {
        open.push('[')
        if (!take(']')) continue
        open.pop()
      } else if (!skip(text) && !skip(word)) return at
      wantsValue = false
    }
    const bracket = open.at(-1)
    if (bracket === undefined) {
      skip(blank)
      return at
    }
    if (take(',')) {
      if (bracket === '{' && !key()) return at
      wantsValue = true
    } else if (take(bracket === '{' ? '}' : ']')) open.pop()
    else return at
  }
}
