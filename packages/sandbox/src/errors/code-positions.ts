/** A position in code that an error names. */
export interface CodePosition {
  /** Name of the program, or `library` and the name of a library. */
  readonly module: string
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** Longest line of an error that is searched, because the patterns are quadratic in its length. */
const lineCharsMax = 600
const frame = /^ {4}at (?:.*\()?(.+):(\d+):(\d+)\)?$/
const bracketed = /\[([^[]+):(\d+):(\d+)\]/g

/**
 * Returns the positions that the message of an error of user code names, in its order: frames `(module:line:column)`, and
 * `[module:line:column]` of syntax errors. Source: packages/docs/behaviour/user-code.md#errors.
 */
export function codePositions(message: string): readonly CodePosition[] {
  const lines = message.split('\n').filter(({ length }) => length <= lineCharsMax)
  const found = lines.flatMap((each) => {
    const inFrame = frame.exec(each)
    return inFrame ? [inFrame] : [...each.matchAll(bracketed)]
  })
  return found.map(([, module = '', line, column]) => ({ module, line: Number(line), column: Number(column) }))
}
