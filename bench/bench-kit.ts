import { Bench } from 'tinybench'
import { type Corpus, loadCorpus } from './corpus.ts'

/** One thing to measure. */
export interface BenchCase {
  readonly name: string
  /** How many events one call works on. */
  readonly events: number
  /** Throws when the answer is wrong: first right, then fast. */
  check(): Promise<void> | void
  run(): Promise<void> | void
  close?(): Promise<void>
}

export interface CaseResult {
  readonly name: string
  readonly eventsPerSecond: number
  /** Time per event in units of RT: what V8 takes for JSON.stringify(JSON.parse(text)) of one event in the same process. */
  readonly rt: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly samples: number
}

export interface BenchResult {
  readonly question: string
  readonly corpus: string
  readonly rtMicroseconds: number
  readonly peakMemoryMb: number
  readonly cases: readonly CaseResult[]
}

/**
 * Measures the cases one after the other in this process, each made when its turn comes and closed before the next one,
 * and prints the result as one line of JSON for `main.ts`.
 */
export async function runBench(question: string, cases: (corpus: Corpus) => AsyncIterable<BenchCase>): Promise<void> {
  const corpus = loadCorpus()
  const timeMs = Number(process.env['BENCH_TIME_MS'] ?? 1_000)
  const roundTrip: BenchCase = {
    name: 'round trip',
    events: corpus.texts.length,
    check: () => {},
    run: () => {
      for (const text of corpus.texts) JSON.stringify(JSON.parse(text))
    },
  }
  const before = await measure(roundTrip, timeMs)
  const results: Measured[] = []
  for await (const each of cases(corpus)) {
    await each.check()
    results.push(await measure(each, timeMs))
    await each.close?.()
  }
  // Measured before and after, so that a machine that became busy meanwhile shows less.
  const rtSeconds = (1 / before.eventsPerSecond + 1 / (await measure(roundTrip, timeMs)).eventsPerSecond) / 2
  const result: BenchResult = {
    question,
    corpus: corpus.name,
    rtMicroseconds: rtSeconds * 1e6,
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    cases: results.map((each) => ({ ...each, rt: 1 / each.eventsPerSecond / rtSeconds })),
  }
  process.stdout.write(`${JSON.stringify(result)}\n`)
}

type Measured = Omit<CaseResult, 'rt'>

async function measure({ name, events, run }: BenchCase, timeMs: number): Promise<Measured> {
  const bench = new Bench({ time: timeMs, warmupTime: timeMs / 4, throws: true })
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
