/** Width of standard output in characters; unlimited when it is not a terminal, because programs read lines. */
export function outputWidth(): number {
  return process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
}

/**
 * Breaks a line at spaces so that no part is longer than `width`, except single words that are. Later parts are
 * indented by `indent` spaces.
 */
export function wrapLine(line: string, width: number, indent: number): string {
  const parts: string[] = []
  let rest = line
  while (rest.length > width) {
    const start = rest.search(/\S/)
    const space = rest.lastIndexOf(' ', width)
    const at = space > start ? space : rest.indexOf(' ', start)
    if (at < 0) break
    parts.push(rest.slice(0, at).trimEnd())
    rest = ' '.repeat(indent) + rest.slice(at).trimStart()
  }
  return [...parts, rest].join('\n')
}

/** Shortens a name to a number of characters. */
export function cutName(name: string, charsMax: number): string {
  return name.length > charsMax ? `${name.slice(0, Math.max(0, charsMax - 1))}…` : name
}
