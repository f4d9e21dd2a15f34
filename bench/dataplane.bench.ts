import { type BenchResult, type FigureResult, measureRoundTrip } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { type Drive, type Driven, drive } from './dataplane/load.ts'

/**
 * Servers are driven from this process, each in one of its own. `DATAPLANE_MINUTES` is how long the last one is driven,
 * whose memory is to stay flat; 10 for the question.
 */
const minutes = Number(process.env['DATAPLANE_MINUTES'] ?? 0.5)
const timeMs = Number(process.env['BENCH_TIME_MS'] ?? 500) * 16
const corpus = loadCorpus()
const rtMicroseconds = await measureRoundTrip(corpus)
const driving = (more: Pick<Drive, 'kind' | 'batch' | 'consumers'> & Partial<Drive>): Promise<Driven> =>
  drive({ events: corpus.events, warmupMs: timeMs, timeMs, ...more })

const figures: FigureResult[] = []
const say = (name: string, value: number, unit: string, goal = 'none'): void => {
  figures.push({ name, value, unit, goal })
}

for (const batch of [1, 20, 100].filter((size) => `batch ${size} `.includes(process.env['BENCH_ONLY'] ?? ''))) {
  const bare = await driving({ kind: 'bare', batch, consumers: false })
  const ingestion = await driving({ kind: 'durable', batch, consumers: false })
  const memory = await driving({ kind: 'memory', batch, consumers: true })
  const durable = await driving({ kind: 'durable', batch, consumers: true })
  const named = (text: string): string => `batch ${batch} · ${text}`
  const perEvent = ({ cpuMicrosecondsPerEvent }: Driven): number => cpuMicrosecondsPerEvent
  say(named('CPU per event, bare server'), perEvent(bare) / rtMicroseconds, 'RT')
  const goal = batch === 20 ? '≤ 2' : 'none'
  say(named('CPU per event, durable ingestion / bare'), perEvent(ingestion) / perEvent(bare), 'x', goal)
  say(named('… with catalogue and a destination / bare'), perEvent(durable) / perEvent(bare), 'x')
  say(named('… / the same without durability'), perEvent(durable) / perEvent(memory), 'x')
  say(named('acknowledged events/s, bare'), bare.eventsPerSecond, 'events/s')
  say(named('… durable ingestion / bare'), ingestion.eventsPerSecond / bare.eventsPerSecond, 'x')
  say(named('… with catalogue and a destination / bare'), durable.eventsPerSecond / bare.eventsPerSecond, 'x')
  say(named('p50, durable ingestion / bare'), ingestion.p50Ms / bare.p50Ms, 'x')
  say(named('p99, durable ingestion / bare'), ingestion.p99Ms / bare.p99Ms, 'x')
  say(named('bytes written / bytes sent'), ingestion.bytesWrittenPerEvent / ingestion.bytesSentPerEvent, 'x')
}
const long = await driving({ kind: 'durable', batch: 20, consumers: true, timeMs: minutes * 60_000 })
const [first, last] = long.residentBytes
say(`memory after ${minutes} min at full load / after a fifth of it`, last / first, 'x', '≤ 1.2')

const result: BenchResult = {
  question: 'What does durable ingestion over HTTP cost, beside a server that parses and drops?',
  corpus: corpus.name,
  rtMicroseconds,
  peakMemoryMb: last / 1_024 ** 2,
  cases: [],
  figures,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
