import { type Across, metricOf, metricTable, type Sample } from '../metric-table.ts'

/** Budgets of the memory of a process; all others are of the store. */
const budgetsInMemory: ReadonlySet<string> = new Set(['bodies', 'taps', 'schemaValues'])

/** How a sample of each of several processes becomes one. */
type Joined = Exclude<Across, 'byBudget'>

/**
 * Returns how the samples of the processes of one server are joined; undefined where all read the same from their store, so
 * that one of them says it for all.
 */
export function joinedBy(sample: Sample): Joined | undefined {
  const { across } = metricTable[metricOf(sample)] ?? {}
  if (across !== 'byBudget') return across
  return budgetsInMemory.has(sample.labels['budget'] ?? '') ? 'sum' : undefined
}

/** Whether a sample may only grow, so that it counts on when its process has ended: a counter, or a part of a histogram. */
export function isGrowing(sample: Sample): boolean {
  const { type } = metricTable[metricOf(sample)] ?? {}
  return type === 'counter' || type === 'histogram'
}

/** Returns the samples of several processes as those of one, in the order in which they first appear. */
export function joinSamples(ofProcesses: readonly (readonly Sample[])[]): readonly Sample[] {
  const joined = new Map<string, Sample>()
  for (const sample of ofProcesses.flat()) {
    const by = joinedBy(sample)
    const key = keyOf(sample)
    const known = joined.get(key)
    if (known === undefined || by === undefined) joined.set(key, known ?? sample)
    else joined.set(key, { ...known, value: join[by](known.value, sample.value) })
  }
  return [...joined.values()]
}

/** The same for the same metric and labels. */
export function keyOf({ name, labels }: Sample): string {
  return JSON.stringify([name, labels])
}

const join: Readonly<Record<Joined, (a: number, b: number) => number>> = {
  sum: (a, b) => a + b,
  max: Math.max,
  min: Math.min,
}
