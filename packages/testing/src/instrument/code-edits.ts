/**
 * Texts to be put into code at places of its tree, without a line break, so that lines stay.
 *
 * Of texts for one place, those that close something go before those that open something. An outer node opens before its
 * children are visited and closes after them, which brings both into order.
 */
export interface CodeEdits {
  open(offset: number, text: string): void
  close(offset: number, text: string): void
  /** The code with all texts in it. */
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

/** Where imports may be added: at the beginning, after a line that begins with `#!`. */
export function startOf(code: string): number {
  return code.startsWith('#!') ? code.indexOf('\n') + 1 || code.length : 0
}

/** A name that begins like this and occurs nowhere in the code. */
export function freeName(code: string, start: string): string {
  let name = start
  for (let n = 0; code.includes(name); n += 1) name = `${start}${n}`
  return name
}
