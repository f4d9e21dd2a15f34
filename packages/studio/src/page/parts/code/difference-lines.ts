import { isSameJson, type JsonValue } from '@sluice/core'
import { insidePair } from '@sluice/testing/diff'

/** A line of a difference: of both, of the second only, of the first only, or a number of equal lines that are left out. */
export interface DifferenceLine {
  readonly sign: 'same' | 'added' | 'removed' | 'gap'
  /** Levels of indentation. */
  readonly depth: number
  /** Name of the member, if it has one. */
  readonly name?: string
  /** A value without members, or what opens or closes one with members; for a gap, how many lines. */
  readonly value: unknown
  readonly isBracket?: boolean
}

/** Equal lines that are shown around a change. */
const around = 2
/** More lines are not shown. */
const linesMax = 2_000
/** Deeper values are compared as texts. */
const depthMax = 40

/**
 * Returns how a JSON value differs from another, as lines. Members are compared by name, items of arrays by those that both have. Equal
 * lines far from a change are left out; without any change there are no lines.
 */
export function differenceLines(before: unknown, after: unknown): readonly DifferenceLine[] {
  const lines: DifferenceLine[] = []
  compare(asJson(before), asJson(after), 0, undefined, lines)
  return lines.some(({ sign }) => sign === 'added' || sign === 'removed') ? withGaps(lines) : []
}

/** As it would be sent: members that are undefined are not there. */
const asJson = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue

type Sign = 'same' | 'added' | 'removed'

function compare(
  before: JsonValue,
  after: JsonValue,
  depth: number,
  name: string | undefined,
  to: DifferenceLine[],
): void {
  if (to.length >= linesMax) return
  const inside = depth < depthMax ? insidePair(before, after, isSameJson) : undefined
  if (inside !== undefined) {
    const [open, close] = inside.kind === 'list' ? ['[', ']'] : ['{', '}']
    to.push({ sign: 'same', depth, name, value: open, isBracket: true })
    for (const pair of inside.pairs) {
      const shown = 'key' in pair ? pair.key : undefined
      if (pair.actual === undefined) write(pair.expected, 'removed', depth + 1, shown, to)
      else if (pair.expected === undefined) write(pair.actual, 'added', depth + 1, shown, to)
      else compare(pair.expected, pair.actual, depth + 1, shown, to)
    }
    to.push({ sign: 'same', depth, value: close, isBracket: true })
    return
  }
  const isSame = JSON.stringify(before) === JSON.stringify(after)
  if (!isSame) write(before, 'removed', depth, name, to)
  write(after, isSame ? 'same' : 'added', depth, name, to)
}

function write(value: unknown, sign: Sign, depth: number, name: string | undefined, to: DifferenceLine[]): void {
  if (to.length >= linesMax) return
  if (!isParent(value) || depth >= depthMax) {
    to.push({ sign, depth, name, value: isParent(value) ? JSON.stringify(value) : value })
    return
  }
  const [open, close] = brackets(value)
  to.push({ sign, depth, name, value: open, isBracket: true })
  for (const [key, member] of Object.entries(value))
    write(member, sign, depth + 1, Array.isArray(value) ? undefined : key, to)
  to.push({ sign, depth, value: close, isBracket: true })
}

function withGaps(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const isNear = lines.map(() => false)
  for (const [n, { sign }] of lines.entries())
    if (sign !== 'same') isNear.fill(true, Math.max(0, n - around), Math.min(lines.length, n + around + 1))
  const shown: DifferenceLine[] = []
  let hidden = 0
  const close = (depth: number): void => {
    if (hidden > 0) shown.push({ sign: 'gap', depth, value: hidden })
    hidden = 0
  }
  for (const [n, line] of lines.entries()) {
    if (!isNear[n]) {
      hidden += 1
      continue
    }
    close(line.depth)
    shown.push(line)
  }
  close(0)
  return shown
}

type Parent = Readonly<Record<string, unknown>>

function isParent(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null
}

function brackets(value: object): readonly [string, string] {
  return Array.isArray(value) ? ['[', ']'] : ['{', '}']
}
