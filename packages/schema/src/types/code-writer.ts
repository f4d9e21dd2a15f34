/** Lines of generated code. */
export class CodeWriter {
  readonly #lines: string[] = []
  #depth = 0
  readonly #indent: string

  constructor(indent: string) {
    this.#indent = indent
  }

  line(text = ''): void {
    this.#lines.push(text === '' ? '' : this.#indent.repeat(this.#depth) + text)
  }

  /** Writes a block: its first line, what is in it, and its last line. */
  block(first: string, last: string, inside: () => void): void {
    this.line(first)
    this.#depth += 1
    inside()
    this.#depth -= 1
    this.line(last)
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }
}

/** Returns a text for a comment: on one line, and without anything that ends a comment or hides text. */
export function commentText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
    .replaceAll('*/', '* /')
    .replaceAll('/*', '/ *')
    .trim()
}
