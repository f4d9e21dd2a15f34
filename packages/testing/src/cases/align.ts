import type { JsonValue } from '@sluice/core'

/** Matching entries of two lists; one is absent if the other has no counterpart. */
export interface Aligned {
  readonly expected: JsonValue | undefined
  readonly actual: JsonValue | undefined
  /** Index of the actual entry, or of the expected one if there is no actual entry. */
  readonly index: number
}

/** Most pairs to compare. Longer lists are aligned only by their common beginning and end. */
const comparedMax = 250_000

/**
 * Aligns two lists by their common entries, so that a missing event is one difference and does not shift all that
 * follow. Between common entries the others are paired in order.
 */
export function alignLists(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
  isSame: (expected: JsonValue, actual: JsonValue) => boolean,
): readonly Aligned[] {
  const aligned: Aligned[] = []
  let [e, a] = [0, 0]
  const until = (eEnd: number, aEnd: number): void => {
    while (e < eEnd || a < aEnd) {
      const [wanted, given] = [e < eEnd ? expected[e] : undefined, a < aEnd ? actual[a] : undefined]
      const index = given === undefined ? e : a
      aligned.push({
        index,
        expected: wanted,
        actual: given,
      })
      e = Math.min(e + 1, eEnd)
      a = Math.min(a + 1, aEnd)
    }
  }
  for (const [sharedE, sharedA] of sharedEntries(expected, actual, isSame)) {
    until(sharedE, sharedA)
    until(sharedE + 1, sharedA + 1)
  }
  until(expected.length, actual.length)
  return aligned
}

/** Returns the index pairs of the longest common subsequence. */
function sharedEntries(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
  isSame: (expected: JsonValue, actual: JsonValue) => boolean,
): readonly [number, number][] {
  const same = (e: number, a: number): boolean => isSame(expected[e] ?? null, actual[a] ?? null)
  const shared: [number, number][] = []
  let start = 0
  while (start < expected.length && start < actual.length && same(start, start)) {
    shared.push([start, start])
    start += 1
  }
  let tail = 0
  const left = (): number => Math.min(expected.length, actual.length) - start - tail
  while (left() > 0 && same(expected.length - 1 - tail, actual.length - 1 - tail)) tail += 1
  const [rows, columns] = [expected.length - tail - start, actual.length - tail - start]
  if (rows * columns <= comparedMax) shared.push(...longestShared(rows, columns, start, same))
  for (let i = tail; i > 0; i -= 1) shared.push([expected.length - i, actual.length - i])
  return shared
}

function longestShared(
  rows: number,
  columns: number,
  start: number,
  same: (e: number, a: number) => boolean,
): readonly [number, number][] {
  const width = columns + 1
  const lengths = new Uint32Array((rows + 1) * width)
  const isSame = new Uint8Array((rows + 1) * width)
  const at = (table: Uint32Array | Uint8Array, row: number, column: number): number => table[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1) {
      const equal = same(start + row, start + column)
      isSame[row * width + column] = equal ? 1 : 0
      lengths[row * width + column] = equal
        ? at(lengths, row + 1, column + 1) + 1
        : Math.max(at(lengths, row + 1, column), at(lengths, row, column + 1))
    }
  const shared: [number, number][] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (at(isSame, row, column) === 1) {
      shared.push([start + row, start + column])
      row += 1
      column += 1
    } else if (at(lengths, row + 1, column) >= at(lengths, row, column + 1)) row += 1
    else column += 1
  }
  return shared
}
