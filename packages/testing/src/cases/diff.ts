import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { alignLists } from './align.ts'
import { cutPair, cutText } from './cut-text.ts'
import { keysOf, matches, memberOf } from './matches.ts'
import { isPlaceholder } from './placeholder.ts'

/** A line of pretty-printed JSON: common, expected only (`-`), or actual only (`+`). */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** A difference with surrounding lines. */
export interface DiffHunk {
  /** Path of the first different value, such as `[0].properties["a b"]`; `(all)` for the whole. */
  readonly path: string
  readonly lines: readonly DiffLine[]
}

export interface JsonDiff {
  /** Paths of all different values, in order; empty when the values match. */
  readonly paths: readonly string[]
  readonly hunks: readonly DiffHunk[]
  /** Number of differing lines that are not shown. */
  readonly linesLeftOut: number
}

interface PathLine extends DiffLine {
  readonly path: string
}

const contextLines = 3
/** Most lines shown; the paths name further differences. */
const shownLinesMax = 200

/**
 * Compares JSON values and shows the differences line by line, with keys in the expected order.
 * @example
 * ```ts
 * import { diffJson } from '@sluice/testing'
 *
 * console.log(diffJson({ a: 1 }, { a: 2 })) // { paths: [ '.a' ], hunks: [ { path: '.a', lines: [Array] } ], linesLeftOut: 0 }
 * ```
 */
export function diffJson(expected: JsonValue, actual: JsonValue): JsonDiff {
  const lines: PathLine[] = []
  const paths: string[] = []
  const both = { lines, paths }
  walk(both, { label: '', tail: '', indent: '', path: '' }, expected, actual)
  return { paths, ...hunksOf(lines) }
}

interface Written {
  readonly lines: PathLine[]
  readonly paths: string[]
}

interface Place {
  /** Text before the value: the key of a member. */
  readonly label: string
  /** Text after the value: the comma. */
  readonly tail: string
  readonly indent: string
  readonly path: string
}

function walk(to: Written, at: Place, expected: JsonValue | undefined, actual: JsonValue | undefined): void {
  if (expected === undefined || actual === undefined) {
    to.paths.push(at.path === '' ? '(all)' : at.path)
    if (expected !== undefined) write(to, '-', at, expected)
    if (actual !== undefined) write(to, '+', at, actual)
  } else if (matches(expected, actual)) write(to, ' ', at, expected)
  else if (Array.isArray(expected) && Array.isArray(actual)) walkList(to, at, expected, actual)
  else if (isJsonObject(expected) && isJsonObject(actual) && !isPlaceholder(expected))
    walkObject(to, at, expected, actual)
  else {
    to.paths.push(at.path === '' ? '(all)' : at.path)
    const areTexts = typeof expected === 'string' && typeof actual === 'string'
    const [wanted, given] = areTexts ? cutPair(expected, actual) : []
    write(to, '-', at, expected, wanted)
    write(to, '+', at, actual, given)
  }
}

function walkObject(to: Written, at: Place, expected: JsonObject, actual: JsonObject): void {
  const keys = [...new Set([...keysOf(expected), ...keysOf(actual)])]
  line(to, ' ', at, `${at.label}{`)
  keys.forEach((key, i) => {
    const label = `${JSON.stringify(key)}: `
    const below = { label, tail: i < keys.length - 1 ? ',' : '', indent: `${at.indent}  `, path: at.path + step(key) }
    walk(to, below, memberOf(expected, key), memberOf(actual, key))
  })
  line(to, ' ', at, `}${at.tail}`)
}

function walkList(to: Written, at: Place, expected: readonly JsonValue[], actual: readonly JsonValue[]): void {
  line(to, ' ', at, `${at.label}[`)
  const aligned = alignLists(expected, actual)
  aligned.forEach((pair, i) => {
    const tail = i < aligned.length - 1 ? ',' : ''
    const path = `${at.path}[${pair.index}]`
    walk(to, { label: '', tail, indent: `${at.indent}  `, path }, pair.expected, pair.actual)
  })
  line(to, ' ', at, `]${at.tail}`)
}

/** Writes a whole value, or a text in its place. */
function write(to: Written, mark: DiffLine['mark'], at: Place, value: JsonValue, text?: string): void {
  const pretty = (text ?? JSON.stringify(value, (_, member: unknown) => shortened(member), 2)).split('\n')
  pretty.forEach((each, i) => {
    line(to, mark, at, `${i === 0 ? at.label : ''}${each}${i === pretty.length - 1 ? at.tail : ''}`)
  })
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(cutText(value)) : value
}

function line(to: Written, mark: DiffLine['mark'], { indent, path }: Place, text: string): void {
  to.lines.push({ mark, text: indent + text, path })
}

/** Formats a key of a path. */
function step(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

function hunksOf(lines: readonly PathLine[]): Pick<JsonDiff, 'hunks' | 'linesLeftOut'> {
  const hunks: { path: string; lines: DiffLine[] }[] = []
  let shown = 0
  let linesLeftOut = 0
  let end = 0
  lines.forEach(({ mark, path }, at) => {
    if (mark === ' ') return
    if (shown >= shownLinesMax) {
      linesLeftOut += 1
      return
    }
    const start = Math.max(end, at - contextLines)
    const isApart = hunks.length === 0 || at - contextLines > end
    if (isApart) hunks.push({ path: path === '' ? '(all)' : path, lines: [] })
    const stop = Math.min(lines.length, at + contextLines + 1)
    // The following lines are context, or are processed later.
    const taken = lines.slice(start, Math.max(stop, end))
    const until = taken.findIndex((each, i) => start + i > at && each.mark !== ' ')
    const added = until === -1 ? taken : taken.slice(0, until)
    for (const { mark, text } of added) hunks.at(-1)?.lines.push({ mark, text })
    shown += added.length
    end = start + added.length
  })
  return { hunks, linesLeftOut }
}
