import { type Event, isJsonObject } from '@sluice/core'
import type { SandboxOptions } from '@sluice/sandbox'
import { matches } from '../cases/matches.ts'
import type { Subject } from '../run/offline-runner.ts'
import type { BenchCell } from './bench-report.ts'
import { measureCell } from './measure-cell.ts'
import { openCell } from './open-cell.ts'

/** Two transformations side by side. */
export interface Comparison {
  readonly name: string
  readonly other: string
  readonly cell: BenchCell
  /** Events per second of the other, for each of the first; the median of the rounds. */
  readonly ratio: number
  /** The least and the most of the rounds: where 1 lies between them, nobody can tell which is faster. */
  readonly ratioRange: readonly [number, number]
  /** Indexes of events that come out differently, at most ten. */
  readonly different: readonly number[]
  readonly differentCount: number
}

const rounds = 5
const toldMax = 10

/** Measures two transformations in turns, so that what the machine does meanwhile hits both, and compares what comes out. */
export async function compareTransformations(
  subject: Subject,
  other: Subject,
  events: readonly Event[],
  cell: BenchCell,
  timeMs: number,
  sandbox: SandboxOptions = {},
): Promise<Comparison> {
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? [subject, other] : [other, subject]
    const speeds = new Map<Subject, number>()
    for (const each of order) {
      const { eventsPerSecond } = await measureCell(each, events, cell, timeMs / rounds, sandbox)
      speeds.set(each, eventsPerSecond)
    }
    ratios.push((speeds.get(other) ?? 0) / (speeds.get(subject) ?? 1))
  }
  ratios.sort((a, b) => a - b)
  const different = await differences(subject, other, events, cell, sandbox)
  return {
    name: subject.name,
    other: other.name,
    cell,
    ratio: ratios[Math.floor(rounds / 2)] ?? 1,
    ratioRange: [ratios[0] ?? 1, ratios.at(-1) ?? 1],
    different: different.slice(0, toldMax),
    differentCount: different.length,
  }
}

async function differences(
  subject: Subject,
  other: Subject,
  events: readonly Event[],
  cell: BenchCell,
  sandbox: SandboxOptions,
): Promise<readonly number[]> {
  const [mine, theirs] = [await openCell(subject, cell, sandbox), await openCell(other, cell, sandbox)]
  try {
    const different: number[] = []
    for (const [index, event] of events.entries()) {
      const [one] = await mine.run([event])
      const [two] = await theirs.run([event])
      if (!matches(withoutPlaces(one), withoutPlaces(two))) different.push(index)
    }
    return different
  } finally {
    await Promise.all([mine.close(), theirs.close()])
  }
}

/** Two texts of the same failure differ by the places in the code. */
function withoutPlaces(outcome: unknown): unknown {
  if (!isJsonObject(outcome) || outcome['kind'] !== 'fail' || !isJsonObject(outcome['error'])) return outcome
  return { kind: 'fail', message: String(outcome['error']['message']).split('\n', 1)[0] }
}
