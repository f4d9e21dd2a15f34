import type { CaseResult, Measure, OpenCase } from './bench-case.ts'

const rounds = 5
const visitMs = 60
/** Cases between two visits to the round trip. */
const spacing = 20

/** A case, and the times of its calls in the fastest of its visits, in milliseconds. */
interface Visited {
  readonly name: string
  readonly open: OpenCase
  calls: readonly number[]
}

/**
 * Measures many cases in little time: each is visited briefly in several rounds, and the round trip between them. Only
 * the fastest visit of each counts, by the median of its calls, because other processes and the first calls only make
 * it slower. For work in this thread that is short and always the same. The cases are open at the same time.
 */
export const measureInRounds: Measure = async (cases, roundTrip) => {
  const baseline: Visited = { name: 'round trip', open: roundTrip, calls: [] }
  const all: Visited[] = []
  for (const { name, open } of cases) {
    const each = await open()
    if (each === undefined) continue
    await each.check()
    all.push({ name, open: each, calls: [] })
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, each] of all.entries()) {
      if (place % spacing === 0) await visit(baseline)
      await visit(each)
    }
  }
  for (const { open } of all) await open.close?.()
  const rtSeconds = secondsOf(baseline)
  return { rtSeconds, cases: all.map((each) => resultOf(each, rtSeconds)) }
}

async function visit(visited: Visited): Promise<void> {
  const calls: number[] = []
  const end = performance.now() + visitMs
  for (let before = performance.now(); before < end; ) {
    await visited.open.run()
    const after = performance.now()
    calls.push(after - before)
    before = after
  }
  const isFaster = visited.calls.length === 0 || quantile(calls, 0.5) < quantile(visited.calls, 0.5)
  if (isFaster) visited.calls = calls
}

function resultOf(visited: Visited, rtSeconds: number): CaseResult {
  const { name, calls } = visited
  const seconds = secondsOf(visited)
  return {
    name,
    eventsPerSecond: 1 / seconds,
    rt: seconds / rtSeconds,
    p50Ms: quantile(calls, 0.5),
    p99Ms: quantile(calls, 0.99),
    samples: calls.length,
  }
}

/** Returns the time of one event. */
function secondsOf({ calls, open: { events } }: Visited): number {
  return quantile(calls, 0.5) / 1_000 / events
}

/** Returns the time that this share of the calls does not exceed. */
function quantile(calls: readonly number[], share: number): number {
  const sorted = [...calls].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}
