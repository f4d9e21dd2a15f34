import { type BenchResult, type FigureResult, measureRoundTrip } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { type Driven, drive } from './dataplane/load.ts'
import type { PipelineSetup, Sustained } from './endtoend/pipeline.ts'
import { runPipeline } from './endtoend/run-pipeline.ts'

/** Each is measured in a process of its own, after a warm-up as long as the measurement. */
const events = Number(process.env['BENCH_EVENTS'] ?? 60_000)

interface Row extends Omit<PipelineSetup, 'events'> {
  readonly name: string
  readonly goalRt: string
  readonly goalPerSecond?: string
}

const sqlite = { store: 'sqlite', transformation: false } as const
const rows: readonly Row[] = [
  {
    ...sqlite,
    name: 'SQLite, light transformation, webhook',
    destinations: 1,
    transformation: true,
    goalRt: '≤ 8.5',
    goalPerSecond: '≥ 20000',
  },
  { ...sqlite, name: 'SQLite, webhook', destinations: 1, goalRt: '≤ 6.5', goalPerSecond: '≥ 24000' },
  {
    ...sqlite,
    name: 'memory, light transformation, webhook',
    store: 'memory',
    destinations: 1,
    transformation: true,
    goalRt: '≤ 6.5',
  },
  { ...sqlite, name: 'SQLite, no destination', destinations: 0, goalRt: '≤ 4.5' },
  { ...sqlite, name: 'SQLite, 5 webhooks', destinations: 5, goalRt: 'none' },
  { ...sqlite, name: 'SQLite, 20 webhooks', destinations: 20, goalRt: 'none' },
  {
    store: 'memory',
    name: 'process without a log, light transformation, webhook',
    direct: true,
    destinations: 1,
    transformation: true,
    goalRt: '≤ 4.5',
  },
  {
    store: 'memory',
    name: 'process without a log, webhook',
    direct: true,
    destinations: 1,
    transformation: false,
    goalRt: '≤ 2',
  },
]

const corpus = loadCorpus()
const only = process.env['BENCH_ONLY'] ?? ''
const figures: FigureResult[] = []
const measured = new Map<number, Sustained>()
for (const { name, goalRt, goalPerSecond = 'none', ...setup } of rows.filter((row) => row.name.includes(only))) {
  const figure = (value: number, unit: string, what: string, goal: string): void => {
    figures.push({ name: `${name}: ${what}`, value, unit, goal })
  }
  // Twenty destinations do twenty times the work.
  const result = runPipeline({
    ...setup,
    events: Math.round(events / Math.max(1, setup.destinations / 3) / 1_000) * 1_000,
  })
  if (setup.store === 'sqlite' && !setup.direct && !setup.transformation) measured.set(setup.destinations, result)
  figure(result.rtPerEvent, 'RT', 'CPU of all threads per event', goalRt)
  figure(result.eventsPerSecond, 'events/s', 'sustained', goalPerSecond)
  figure(result.bytesAllocatedPerEvent / 1_024, 'KiB', 'allocated per event', 'none')
  if (result.p50Ms !== undefined) figure(result.p50Ms, 'ms', 'acknowledged to delivered at 1,000 events/s, p50', 'none')
  if (result.p99Ms !== undefined) figure(result.p99Ms, 'ms', '… p99', 'none')
}
const [one, twenty] = [measured.get(1), measured.get(20)]
if (one && twenty)
  figures.push({
    name: 'each further webhook: CPU of all threads per event',
    value: (twenty.rtPerEvent - one.rtPerEvent) / 19,
    unit: 'RT',
    goal: '≤ 2',
  })

/** Durable ingestion over HTTP, beside a server that parses and drops. */
async function measureHttp(): Promise<void> {
  const timeMs = events / 10
  const driven = (kind: 'bare' | 'durable', consumers: boolean): Promise<Driven> =>
    drive({ kind, consumers, batch: 20, events: corpus.events, warmupMs: timeMs, timeMs })
  const bare = await driven('bare', false)
  for (const [name, consumers, goal] of [
    ['HTTP, calls of 20: durable ingestion / a server that only parses', false, '≤ 2.5'],
    ['HTTP, calls of 20: the same with catalogue and webhook', true, '≤ 5'],
  ] as const) {
    const { cpuMicrosecondsPerEvent } = await driven('durable', consumers)
    figures.push({ name, value: cpuMicrosecondsPerEvent / bare.cpuMicrosecondsPerEvent, unit: 'x', goal })
  }
}

if ('HTTP'.includes(only)) await measureHttp()
const result: BenchResult = {
  question: 'What does one event cost on its whole way, sustained?',
  corpus: corpus.name,
  rtMicroseconds: await measureRoundTrip(corpus),
  peakMemoryMb: process.resourceUsage().maxRSS / 1_024,
  cases: [],
  figures,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
