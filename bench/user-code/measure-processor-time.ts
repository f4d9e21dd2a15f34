import type { CaseResult, Measure, OpenCase } from '../bench-case.ts'

const rounds = 7
const visitMs = 150
/** The round trip takes less, because it has no threads whose turns vary. */
const baselineMs = 30

/** A case, and what its visits have shown. */
interface Visited {
  readonly name: string
  readonly open: OpenCase
  readonly ratios: number[]
  readonly calls: number[]
}

/**
 * Measures how much processor time cases take in all threads of this process, as multiples of the round trip, which is
 * visited before each of their visits. The median of the visits counts. All cases are open at the same time. Time of
 * the processor, because one thread may work while another one waits for it.
 */
export const measureProcessorTime: Measure = async (cases, roundTrip) => {
  const all: Visited[] = []
  for (const { name, open } of cases) {
    const each = await open()
    if (each === undefined) continue
    await each.check()
    await visit(each, visitMs, [])
    all.push({ name, open: each, ratios: [], calls: [] })
  }
  const baselines: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const { open, ratios, calls } of all) {
      const baseline = await visit(roundTrip, baselineMs, [])
      baselines.push(baseline)
      ratios.push((await visit(open, visitMs, calls)) / baseline)
    }
  }
  for (const { open } of all) await open.close?.()
  const rtSeconds = middle(baselines) / 1e6
  return { rtSeconds, cases: all.map((each) => resultOf(each, rtSeconds)) }
}

/** Runs a case for some time. Adds how long its calls took. @returns microseconds of the processor per event. */
async function visit({ run, events }: OpenCase, durationMs: number, calls: number[]): Promise<number> {
  const before = process.cpuUsage()
  const end = performance.now() + durationMs
  let count = 0
  for (let start = performance.now(); start < end; count += 1) {
    await run()
    const now = performance.now()
    calls.push(now - start)
    start = now
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / count / events
}

function resultOf({ name, ratios, calls }: Visited, rtSeconds: number): CaseResult {
  const rt = middle(ratios)
  return {
    name,
    eventsPerSecond: 1 / (rt * rtSeconds),
    rt,
    p50Ms: middle(calls),
    p99Ms: shareOf(calls, 0.99),
    samples: calls.length,
  }
}

const middle = (values: readonly number[]): number => shareOf(values, 0.5)

/** Returns what this share of the values does not exceed. */
function shareOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
