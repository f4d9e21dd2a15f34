/** What the marks of one line counted in one round. */
interface LineCounts {
  readonly ms: number
  /** Periods that the time consists of, each with the cost of one mark. */
  readonly pieces: number
  readonly hits: number
}

export interface LineTime {
  readonly ms: number
  readonly isCounted: boolean
}

/** A period can be timed when it takes this share of a mark and more, because the cost of a mark varies by a tenth. */
const timedShare = 0.5

/** A mark among the user's code takes at most this many times as long as one by itself. What is more is other work. */
const markTimesMax = 3

/**
 * Returns the time of each line without that of its marks. What is left of a short step after subtracting a mark is
 * chance, so such lines share what is left of the time without marks: each by its hits, and none more than could be
 * timed.
 *
 * @param markUs time of a mark, in µs.
 * @param plainMs time of the same events without marks.
 */
export function lineTimes(lines: readonly LineCounts[], markUs: number, plainMs: number): readonly LineTime[] {
  const alone = markUs / 1_000
  const markMs = Math.min(alone * markTimesMax, Math.max(alone, impliedMarkMs(lines, plainMs)))
  const measured = lines.map(({ ms, pieces }) => ({ ms: ms - pieces * markMs, least: pieces * markMs * timedShare }))
  const isTimed = measured.map(({ ms, least }) => ms > 0 && ms >= least)
  const timedMs = measured.reduce((sum, { ms }, i) => (isTimed[i] ? sum + ms : sum), 0)
  const hits = lines.reduce((sum, line, i) => (isTimed[i] ? sum : sum + line.hits), 0)
  const stepMs = Math.min(markMs * timedShare, Math.max(0, plainMs - timedMs) / Math.max(1, hits))
  return lines.map((line, i) => {
    const timed = isTimed[i] === true
    return { ms: timed ? (measured[i]?.ms ?? 0) : line.hits * stepMs, isCounted: !timed }
  })
}

/**
 * Returns what a mark took when the lines took as long as the code without marks. More than was measured of marks alone
 * when the machine became busier in between.
 */
function impliedMarkMs(lines: readonly LineCounts[], plainMs: number): number {
  const ms = lines.reduce((sum, line) => sum + line.ms, 0)
  const pieces = lines.reduce((sum, line) => sum + line.pieces, 0)
  return pieces === 0 ? 0 : (ms - plainMs) / pieces
}
