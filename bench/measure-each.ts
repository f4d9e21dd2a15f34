import { Bench } from 'tinybench'
import type { CaseResult, Measure, OpenCase } from './bench-case.ts'

type Measured = Omit<CaseResult, 'rt'>

/** Measures the cases one after the other, each made when its turn comes and closed before the next one. */
export const measureEach: Measure = async (cases, roundTrip) => {
  const before = await timeOf('round trip', roundTrip)
  const results: Measured[] = []
  for (const { name, open } of cases) {
    const each = await open()
    if (each === undefined) continue
    await each.check()
    results.push(await timeOf(name, each))
    await each.close?.()
  }
  // Measured before and after, so that a machine that became busy meanwhile shows less.
  const after = await timeOf('round trip', roundTrip)
  const rtSeconds = (1 / before.eventsPerSecond + 1 / after.eventsPerSecond) / 2
  return { rtSeconds, cases: results.map((each) => ({ ...each, rt: 1 / each.eventsPerSecond / rtSeconds })) }
}

/** Measures a case for half a second, or BENCH_TIME_MS, after three times as long without measuring. */
export async function timeOf(name: string, { events, run }: OpenCase): Promise<Measured> {
  const timeMs = Number(process.env['BENCH_TIME_MS'] ?? 500)
  // Code of a new thread takes a second and more to be compiled well.
  const bench = new Bench({ time: timeMs, warmupTime: timeMs * 3, iterations: 3, warmupIterations: 1, throws: true })
  bench.add(name, () => run())
  const [task] = await bench.run()
  const result = task?.result
  if (result === undefined || !('latency' in result)) throw new Error(`${name} was not measured`)
  const { latency } = result
  return {
    name,
    eventsPerSecond: events / (latency.mean / 1_000),
    p50Ms: latency.p50,
    p99Ms: latency.p99,
    samples: latency.samplesCount,
  }
}
