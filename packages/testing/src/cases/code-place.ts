import { codePositions } from '@sluice/sandbox'
import type { ProjectCode } from '../project/project.ts'
import type { Subject } from '../run/offline-run.ts'

/** A place in code, named by an error. */
export interface CodePlace {
  /** Absolute path. */
  readonly file: string
  /** Line in the file, from 1. */
  readonly line: number
  /** Column in the code, from 1. */
  readonly column: number
  /** Text of that line, cut if it is long. */
  readonly text: string
  /** Position of the column in `text`, from 0. */
  readonly caret: number
}

/** Code and its file. */
type PlacedCode = Pick<ProjectCode, 'file' | 'firstLine' | 'code'>

/** Longest line shown; longer ones are minified code. */
const lineMax = 120

/** Finds the first place in a project's code in an error of production. */
export function placeOf(message: string, subject: Subject, codes: readonly PlacedCode[]): CodePlace | undefined {
  for (const { module, line, column } of codePositions(message)) {
    const code = module === subject.name ? subject.code : libraryCode(module, subject)
    const found = code !== undefined && codes.find((each) => each.code === code)
    if (found) return placeIn(found, line, column)
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

/** Formats a place for people: file and position, the line, and a caret below the column. */
export function placeLines({ file, line, column, text, caret }: CodePlace): readonly string[] {
  const number = String(line)
  return [`${file}:${line}:${column}`, `${number} | ${text}`, `${' '.repeat(number.length)} | ${' '.repeat(caret)}^`]
}

/** Returns the sources that are in files, so that errors can show their lines. */
export function codesOf({ code, libraries = [], files = {} }: Subject): readonly PlacedCode[] {
  const own = files.main === undefined ? [] : [{ file: files.main, code }]
  const others = libraries.flatMap((library) => {
    const file = files.libraries?.[library.name]
    return file === undefined ? [] : [{ file, code: library.code }]
  })
  return [...own, ...others]
}
