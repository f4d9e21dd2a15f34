/**
 * Texts to insert into code, without line breaks, so that lines do not move.
 *
 * At the same place, closing texts come before opening ones. An outer node opens before its children are visited and
 * closes after them, so both are in order.
 */
export interface CodeEdits {
  open(offset: number, text: string): void
  close(offset: number, text: string): void
  /** Returns the code with all texts inserted. */
  apply(): string
}

export function createCodeEdits(code: string): CodeEdits {
  const closing: { readonly offset: number; readonly text: string }[] = []
  const opening: { readonly offset: number; readonly text: string }[] = []
  return {
    open: (offset, text) => {
      opening.push({ offset, text })
    },
    close: (offset, text) => {
      closing.push({ offset, text })
    },
    apply() {
      // Sorting is stable.
      const all = [...closing, ...opening].sort((a, b) => a.offset - b.offset)
      let last = 0
      const parts: string[] = []
      for (const { offset, text } of all) {
        parts.push(code.slice(last, offset), text)
        last = offset
      }
      return parts.join('') + code.slice(last)
    },
  }
}

/** Returns where imports may be inserted: at the beginning, or after a line that begins with `#!`. */
export function startOf(code: string): number {
  return code.startsWith('#!') ? code.indexOf('\n') + 1 || code.length : 0
}

/** Returns a name with this prefix that does not occur in the code. */
export function freeName(code: string, start: string): string {
  let name = start
  for (let n = 0; code.includes(name); n += 1) name = `${start}${n}`
  return name
}
