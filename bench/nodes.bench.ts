import { type BenchResult, type FigureResult, measureRoundTrip } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import type { PipelineSetup } from './endtoend/pipeline.ts'
import { runPipeline } from './endtoend/run-pipeline.ts'

/** Each is measured in a process of its own, after a warm-up as long as the measurement. */
const events = Number(process.env['BENCH_EVENTS'] ?? 20_000)
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
  // One after the other, so that a machine that becomes busy slows both.
  const sqlite = runPipeline({ ...setup, store: 'sqlite', events })
  const postgres = runPipeline({ ...setup, store: 'postgres', events })
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

const corpus = loadCorpus()
const result: BenchResult = {
  question: 'What does a store in PostgreSQL cost, beside SQLite?',
  corpus: corpus.name,
  rtMicroseconds: await measureRoundTrip(corpus),
  peakMemoryMb: process.resourceUsage().maxRSS / 1_024,
  cases: [],
  figures,
}
process.stdout.write(`${JSON.stringify(result)}\n`)
