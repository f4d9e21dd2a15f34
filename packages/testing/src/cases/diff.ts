import type { JsonValue } from '@sluice/core'
import { cutPair, cutText } from './cut-text.ts'
import { type InsidePair, insidePair } from './inside-pair.ts'
import { matches } from './matches.ts'
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
  else {
    const inside = isPlaceholder(expected) ? undefined : insidePair(expected, actual)
    if (inside !== undefined) {
      walkInside(to, at, inside)
      return
    }
    to.paths.push(at.path === '' ? '(all)' : at.path)
    const areTexts = typeof expected === 'string' && typeof actual === 'string'
    const [wanted, given] = areTexts ? cutPair(expected, actual) : []
    write(to, '-', at, expected, wanted)
    write(to, '+', at, actual, given)
  }
}

function walkInside(to: Written, at: Place, { kind, pairs }: InsidePair): void {
  const [open, close] = kind === 'list' ? '[]' : '{}'
  line(to, ' ', at, `${at.label}${open}`)
  pairs.forEach((pair, i) => {
    const isMember = 'key' in pair
    walk(
      to,
      {
        label: isMember ? `${JSON.stringify(pair.key)}: ` : '',
        tail: i < pairs.length - 1 ? ',' : '',
        indent: `${at.indent}  `,
        path: `${at.path}${isMember ? step(pair.key) : `[${pair.index}]`}`,
      },
      pair.expected,
      pair.actual,
    )
  })
  line(to, ' ', at, `${close}${at.tail}`)
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
