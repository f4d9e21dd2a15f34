import { useRef } from 'preact/hooks'
import type { FlowLine, FlowModel } from './flow-model.ts'

interface Seen {
  readonly at: number
  readonly counts: ReadonlyMap<string, number>
}

/** Rates are of this time, in milliseconds: short enough to be live, long enough to be steady. */
const windowMs = 10_000

/**
 * Returns events per second of a source, or delivered per second of a destination, over the last seconds; undefined before
 * it is known.
 */
export function useRates(
  model: FlowModel | undefined,
  at: number,
): (kind: 'in' | 'out', line: FlowLine) => number | undefined {
  const seen = useRef<Seen[]>([])
  if (model !== undefined && seen.current.at(-1)?.at !== at) {
    const lines = [
      ...model.sources.map((line) => ['in', line] as const),
      ...model.destinations.map((line) => ['out', line] as const),
    ]
    const counts = new Map(lines.map(([kind, line]) => [keyOf(kind, line), countOf(kind, line)]))
    seen.current = [...seen.current.filter((each) => each.at > at - windowMs), { at, counts }]
  }
  return (kind, line) => {
    const [first, last] = [seen.current[0], seen.current.at(-1)]
    if (first === undefined || last === undefined || last.at - first.at < 1_000) return undefined
    const key = keyOf(kind, line)
    const [before, now] = [first.counts.get(key), last.counts.get(key)]
    if (before === undefined || now === undefined) return undefined
    return Math.max(0, (now - before) / ((last.at - first.at) / 1_000))
  }
}

function keyOf(kind: 'in' | 'out', { place }: FlowLine): string {
  return `${kind} ${place.id}`
}

function countOf(kind: 'in' | 'out', { whole, parts }: FlowLine): number {
  return kind === 'in' ? whole : (parts.find(({ name }) => name === 'delivered')?.count ?? 0)
}
