import { type FigureResult, printFigures } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import type { PipelineSetup, Sustained } from './endtoend/pipeline.ts'
import { runPipeline } from './endtoend/run-pipeline.ts'
import { measureTimes } from './nodes/measure-times.ts'
import { measurePostgresWay } from './nodes/postgres-way.ts'

/** Each is measured in a process of its own, after a warm-up as long as the measurement. */
const events = Number(process.env['BENCH_EVENTS'] ?? 40_000)
/** Runs of each store, which take turns, so that a machine that becomes busy slows both. */
const turns = Number(process.env['BENCH_TURNS'] ?? 3)
const only = process.env['BENCH_ONLY'] ?? ''

const plain = { transformation: false, destinations: 1, callEvents: 20 } as const
const rows: readonly (Omit<PipelineSetup, 'events' | 'store'> & { readonly name: string; readonly goal: string })[] = [
  { ...plain, name: 'calls of 20, webhook', goal: '≤ 1.1' },
  { ...plain, name: 'calls of 20, webhook, no receipts', receipts: false, goal: '≤ 1.1' },
  { ...plain, name: 'calls of 20, three webhooks', destinations: 3, goal: '≤ 1.1' },
  { ...plain, name: 'calls of 1, webhook', callEvents: 1, goal: '≤ 1.1' },
]

const figures: FigureResult[] = []
for (const { name, goal, ...setup } of rows.filter((row) => row.name.includes(only))) {
  const pairs = Array.from({ length: turns }, () => ({
    sqlite: runPipeline({ ...setup, store: 'sqlite', events }),
    postgres: runPipeline({ ...setup, store: 'postgres', events }),
  }))
  const sqlite = means(pairs.map((pair) => pair.sqlite))
  const postgres = means(pairs.map((pair) => pair.postgres))
  const figure = (what: string, value: number | undefined, unit: string, goalOfIt = 'none'): void => {
    if (value !== undefined) figures.push({ name: `${name}: ${what}`, value, unit, goal: goalOfIt })
  }
  figure('CPU of the process, PostgreSQL ÷ SQLite', postgres.rtPerEvent / sqlite.rtPerEvent, 'x', goal)
  figure('CPU of the process, PostgreSQL', postgres.rtPerEvent, 'RT')
  figure('CPU of the database per event', postgres.databaseRtPerEvent, 'RT', setup.callEvents === 20 ? '≤ 4' : 'none')
  figure('write-ahead log per event', postgres.walBytesPerEvent, 'bytes')
  figure('acknowledged to delivered at 1,000 events/s, p50', postgres.p50Ms, 'ms')
  figure('… p99', postgres.p99Ms, 'ms')
}

for (const processes of [1, 3].filter(() => 'real way'.includes(only))) {
  const way = await measurePostgresWay({
    events: loadCorpus().events,
    roundEvents: events / 2,
    rounds: turns,
    processes,
  })
  const figure = (what: string, value: number, unit: string): void => {
    const of = processes === 1 ? 'one process' : `${processes} processes on one port`
    figures.push({ name: `real way, calls of 20, ${of}: ${what}`, value, unit, goal: 'none' })
  }
  figure('CPU of the processes per event', way.cpuMicroseconds, 'µs')
  figure('CPU of the database per event', way.databaseMicroseconds, 'µs')
  figure('transactions per event', way.transactionsPerEvent, '')
  figure('write-ahead log per event', way.walBytesPerEvent, 'bytes')
  figure('acknowledged while delivering', way.acknowledgedPerSecond, 'events/s')
  figure('delivered', way.deliveredPerSecond, 'events/s')
  figure('peak memory', way.peakMb, 'MiB')
}

const times = await measureTimes(1_000)
const of = 'three processes: '
figures.push(
  {
    name: `${of}regulation answered, p50, no ledger`,
    value: times.regulationWithoutLedgerP50,
    unit: 'ms',
    goal: 'none',
  },
  { name: `${of}the same with a ledger on the same disk`, value: times.regulationIdleP50, unit: 'ms', goal: '≤ 20' },
  {
    name: `${of}the same beside ${Math.round(times.load)} events/s`,
    value: times.regulationP50,
    unit: 'ms',
    goal: '≤ 20',
  },
  { name: `${of}… p99`, value: times.regulationP99, unit: 'ms', goal: 'none' },
  { name: `${of}taken over after kill -9`, value: times.takeOver, unit: 'ms', goal: '≤ 7000' },
  { name: `${of}taken over after SIGTERM`, value: times.handOver, unit: 'ms', goal: '≤ 500' },
  { name: `${of}calls refused`, value: times.refused, unit: 'calls', goal: '0' },
)

/** Returns the mean of each figure over some runs. */
function means(runs: readonly Sustained[]): Sustained {
  const [first] = runs
  if (first === undefined) throw new Error('BENCH_TURNS must be at least 1')
  const keys = Object.keys(first) as (keyof Sustained)[]
  const mean = (key: keyof Sustained): number => runs.reduce((sum, run) => sum + (run[key] ?? 0), 0) / runs.length
  return Object.fromEntries(keys.map((key) => [key, mean(key)])) as unknown as Sustained
}

const corpus = loadCorpus()
await printFigures('What does a store in PostgreSQL cost, beside SQLite?', corpus, figures)
