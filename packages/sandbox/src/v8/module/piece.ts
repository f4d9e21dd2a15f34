/** A part of code, and what takes its place. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Replaces pieces. White space fills what is longer than its replacement, so that lines and columns stay the same. */
export function replaced(code: string, pieces: readonly Piece[]): string {
  let text = ''
  let at = 0
  for (const { start, end, text: instead } of [...pieces].sort((a, b) => a.start - b.start)) {
    const lines = code.slice(start, end).split('\n')
    const blank = lines.length === 1 ? '' : `${'\n'.repeat(lines.length - 1)}${' '.repeat(lines.at(-1)?.length ?? 0)}`
    text += code.slice(at, start) + (blank === '' ? instead.padEnd(end - start) : instead + blank)
    at = end
  }
  return text + code.slice(at)
}
