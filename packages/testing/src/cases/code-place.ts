import type { ProjectCode } from '../project/project.ts'
import type { Subject } from '../run/offline-runner.ts'

/** A place in code that an error names. */
export interface CodePlace {
  /** Absolute path. */
  readonly file: string
  /** In the file, from 1. */
  readonly line: number
  /** In the code, from 1. */
  readonly column: number
  /** That line of the code, cut when it is long. */
  readonly text: string
  /** Where in `text` the column is, from 0. */
  readonly caret: number
}

/** Code with where it lies. */
export type PlacedCode = Pick<ProjectCode, 'file' | 'firstLine' | 'code'>

/** Longer lines of an error name no place; the patterns are quadratic in the length of a line. */
const frameCharsMax = 600
const frame = /^ {4}at (?:.*\()?(.+):(\d+):(\d+)\)?$/
const bracketed = /\[([^[]+):(\d+):(\d+)\]/g

/** Of a line; more is minified code. */
const lineMax = 120

/**
 * Finds the first place in the code of a project that an error of production names: a frame `(module:line:column)`, or
 * `[module:line:column]` of a syntax error. Source: packages/docs/behaviour/user-code.md#errors.
 */
export function placeOf(message: string, subject: Subject, codes: readonly PlacedCode[]): CodePlace | undefined {
  const lines = message.split('\n').filter(({ length }) => length <= frameCharsMax)
  const places = lines.flatMap((each) => {
    const found = frame.exec(each)
    return found ? [found] : [...each.matchAll(bracketed)]
  })
  for (const [, module = '', line, column] of places) {
    const code = module === subject.name ? subject.code : libraryCode(module, subject)
    const found = code !== undefined && codes.find((each) => each.code === code)
    if (found) return placeIn(found, Number(line), Number(column))
  }
  return undefined
}

function libraryCode(module: string, { libraries = [] }: Subject): string | undefined {
  return libraries.find(({ name }) => module === `library ${name}`)?.code
}

function placeIn({ file, firstLine = 1, code }: PlacedCode, line: number, column: number): CodePlace {
  const whole = (code.split('\n')[line - 1] ?? '').trimEnd().replaceAll('\t', ' ')
  const start = whole.length <= lineMax ? 0 : Math.max(0, Math.min(column - 1 - lineMax / 2, whole.length - lineMax))
  const text = whole.slice(start, start + lineMax)
  return {
    file,
    line: firstLine + line - 1,
    column,
    text,
    caret: Math.min(Math.max(0, column - 1 - start), text.length),
  }
}

/** The place as people read it: where it is, the line, and a caret below the column. */
export function placeLines({ file, line, column, text, caret }: CodePlace): readonly string[] {
  const number = String(line)
  return [`${file}:${line}:${column}`, `${number} | ${text}`, `${' '.repeat(number.length)} | ${' '.repeat(caret)}^`]
}

/** The texts that lie in files: of those an error can show the line. */
export function codesOf({ code, libraries = [], files = {} }: Subject): readonly PlacedCode[] {
  const own = files.main === undefined ? [] : [{ file: files.main, code }]
  const others = libraries.flatMap((library) => {
    const file = files.libraries?.[library.name]
    return file === undefined ? [] : [{ file, code: library.code }]
  })
  return [...own, ...others]
}
