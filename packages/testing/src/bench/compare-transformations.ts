import { createSeededRandom, type Event, isJsonObject, systemClock } from '@sluice/core'
import type { SandboxOptions } from '@sluice/sandbox'
import { matches } from '../cases/matches.ts'
import type { Subject } from '../run/offline-run.ts'
import type { BenchCell } from './bench-report.ts'
import { measureCell, warmUp } from './measure-cell.ts'
import { type OpenCell, openCell } from './open-cell.ts'
import { ratiosOf } from './settle-recommendation.ts'
import { eventsAt, spreadOrder } from './spread.ts'

/** Comparison of two transformations. */
export interface Comparison {
  readonly name: string
  readonly other: string
  readonly cell: BenchCell
  /** Events per second of the other transformation divided by those of the first; median of the rounds. */
  readonly ratio: number
  /** The least and greatest ratio of the rounds. If 1 lies between them, neither is clearly faster. */
  readonly ratioRange: readonly [number, number]
  /** Events that were run through both; fewer than given if they take long. */
  readonly compared: number
  /** Indexes of events with different results, in order, at most ten. */
  readonly different: readonly number[]
  readonly differentCount: number
}

const rounds = 5
const roundMsMin = 50
const listedMax = 10
/** Least time for comparing results, because that is worth more than a few milliseconds. */
const comparingMsMin = 5_000
/** Most events per round. */
const workMax = 200

/**
 * Measures two transformations in alternation, so that other load affects both equally, and compares their results at
 * the same clock time and with the same randomness.
 *
 * @param timeMs time for measuring. Comparing results takes at most as long again, or 5 s.
 */
export async function compareTransformations(
  subject: Subject,
  other: Subject,
  events: readonly Event[],
  cell: BenchCell,
  timeMs: number,
  sandbox: SandboxOptions = {},
): Promise<Comparison> {
  const order = spreadOrder(events.length)
  const { compared, different } = await differences(subject, other, events, order, cell, timeMs, sandbox)
  // Events that could not be compared in time could not be measured in time either.
  const work = eventsAt(events, order.slice(0, Math.min(workMax, compared)))
  const [one, two] = await openBoth(subject, other, cell, () => sandbox)
  try {
    for (const open of [one, two]) await warmUp(open, work.slice(0, 1), timeMs / 20)
    const measure = async (open: OpenCell): Promise<number> => {
      const { eventsPerSecond } = await measureCell(open, work, cell, Math.max(roundMsMin, timeMs / rounds / 2))
      return eventsPerSecond
    }
    return {
      ...comparisonOf(subject, other, cell, await ratiosOf(two, one, measure, rounds)),
      compared,
      ...listed(different),
    }
  } finally {
    await Promise.all([one.close(), two.close()])
  }
}

function comparisonOf(subject: Subject, other: Subject, cell: BenchCell, ratios: readonly number[]) {
  const { batch, isolation, workers } = cell
  return {
    name: subject.name,
    other: other.name,
    cell: { batch, isolation, workers },
    ratio: ratios[Math.floor(rounds / 2)] ?? 1,
    ratioRange: [ratios[0] ?? 1, ratios.at(-1) ?? 1],
  } as const
}

function listed(different: readonly number[]): Pick<Comparison, 'different' | 'differentCount'> {
  return { different: different.slice(0, listedMax), differentCount: different.length }
}

async function openBoth(
  subject: Subject,
  other: Subject,
  cell: Omit<BenchCell, 'batch'>,
  options: () => SandboxOptions,
): Promise<readonly [OpenCell, OpenCell]> {
  const one = await openCell(subject, cell, options())
  const two = await openCell(other, cell, options()).catch(async (error: unknown) => {
    await one.close()
    throw error
  })
  return [one, two]
}

async function differences(
  subject: Subject,
  other: Subject,
  events: readonly Event[],
  order: readonly number[],
  cell: BenchCell,
  timeMs: number,
  sandbox: SandboxOptions,
): Promise<{ readonly compared: number; readonly different: readonly number[] }> {
  const now = systemClock.now()
  const still = (): SandboxOptions => ({
    ...sandbox,
    clock: { ...systemClock, now: () => now },
    random: createSeededRandom(1),
  })
  const [one, two] = await openBoth(subject, other, { ...cell, workers: 1 }, still)
  try {
    const different: number[] = []
    let compared = 0
    const end = performance.now() + Math.max(timeMs, comparingMsMin)
    for (const index of order) {
      if (compared > 0 && performance.now() > end) break
      const event = events.slice(index, index + 1)
      const [[mine], [theirs]] = await Promise.all([one.run(event), two.run(event)])
      if (!matches(withoutPlaces(mine), withoutPlaces(theirs))) different.push(index)
      compared += 1
    }
    return { compared, different: different.sort((a, b) => a - b) }
  } finally {
    await Promise.all([one.close(), two.close()])
  }
}

/** Removes places in code, in which two messages of the same failure may differ. */
function withoutPlaces(outcome: unknown): unknown {
  if (!isJsonObject(outcome) || outcome['kind'] !== 'fail' || !isJsonObject(outcome['error'])) return outcome
  return { kind: 'fail', message: String(outcome['error']['message']).split('\n', 1)[0] }
}
