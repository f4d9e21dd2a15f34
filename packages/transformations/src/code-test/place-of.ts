/** Where an error of user code happened, if known. */
export interface CodePlace {
  /** Line in `module`, from 1. */
  readonly line?: number
  /** Name of the transformation, or `library` and an import name. */
  readonly module?: string
}

/** Longest line of an error searched for a position, because the patterns are quadratic in the length of a line. */
const frameCharsMax = 600
const frame = /^ {4}at (?:.*\()?(.+):(\d+):\d+\)?$/
const bracketed = /\[(.+):(\d+):\d+\]/

/**
 * Parses the first position in an error: a frame `(module:line:column)`, or `[module:line:column]` of a syntax error.
 */
export function placeOf(error: string): CodePlace {
  const lines = error.split('\n').filter(({ length }) => length <= frameCharsMax)
  const place =
    lines.map((each) => frame.exec(each)).find(Boolean) ?? lines.map((each) => bracketed.exec(each)).find(Boolean)
  const [, module, line] = place ?? []
  return module === undefined ? {} : { line: Number(line), module }
}
