import { type FigureResult, printFigures } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { type Driven, drive } from './dataplane/load.ts'
import type { PipelineSetup, Sustained } from './endtoend/pipeline.ts'
import { measureRealWay } from './endtoend/real-way.ts'
import { runPipeline, runRecovery, runSlowUsers } from './endtoend/run-pipeline.ts'

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

/** A destination that does not answer for some users for 30 s, beside the same one that answers all. */
function measureSlowUsers(): void {
  const usual = { seconds: Math.max(10, events / 3_000), slowMs: 2_000 }
  const figure = (what: string, value: number, unit: string, goal: string): void => {
    figures.push({ name: `slow users, ${what}`, value, unit, goal })
  }
  const bare = runSlowUsers({ ...usual, hanging: 'none', perSecond: 400 })
  const five = runSlowUsers({ ...usual, hanging: 'five-users', perSecond: 400 })
  figure('5 of 400 hang: events of the others / without', five.arrivedShare / bare.arrivedShare, 'x', '≥ 0.95')
  figure('5 of 400 hang: p99 of the others / without', five.p99Ms / bare.p99Ms, 'x', '≤ 2')
  figure('5 of 400 hang: connections that hang', five.hangingMost, 'at a time', 'none')
  const random = runSlowUsers({ ...usual, hanging: 'at-random', perSecond: 200 })
  figure('1 % of requests at 200 events/s: events of the others', random.arrivedShare, 'of those offered', '≥ 0.95')
  figure('1 % of requests at 200 events/s: p99 of the others', random.p99Ms, 'ms', 'none')
  const half = runSlowUsers({ ...usual, hanging: 'half', perSecond: 400 })
  figure('200 of 400 hang: events of the others', half.arrivedShare, 'of those offered', 'none')
  figure('200 of 400 hang: heap', half.heapMb, 'MiB', 'none')
}

/** Two of ten destinations come back, with all their events waiting, beside eight that were never down. */
function measureRecovery(): void {
  const seconds = Math.max(10, events / 6_000)
  const { p99DownMs, p99BackMs, waiting, recoverySeconds } = runRecovery({
    perSecond: 200,
    downSeconds: seconds,
    backSeconds: 2 * seconds,
  })
  const figure = (what: string, value: number, unit: string, goal: string): void => {
    figures.push({ name: `recovery of 2 of 10, ${what}`, value, unit, goal })
  }
  figure('p99 of the others / while the two are down', p99BackMs / p99DownMs, 'x', '≤ 2')
  figure('p99 of the others', p99BackMs, 'ms', 'none')
  figure('until what waited has arrived', recoverySeconds, 's', 'none')
  figure('events that waited', waiting, 'of each', 'none')
}

if ('HTTP'.includes(only)) await measureHttp()
/** `sluice serve` with HTTP in and out, beside the least program that does the same. */
async function measureServed(): Promise<void> {
  if (process.platform !== 'linux') return void process.stderr.write('real way: skipped, because it needs /proc\n')
  for (const callEvents of [20, 1]) {
    const roundEvents = callEvents === 1 ? events / 12 : events / 3
    const pacedPerSecond = callEvents === 20 ? 500 : undefined
    const setup = { events: corpus.events, callEvents, roundEvents, rounds: 5, pacedPerSecond }
    const { sluice, least, ratio, warm, paced } = await measureRealWay(setup)
    const figure = (what: string, value: number, unit: string, goal = 'none'): void => {
      figures.push({ name: `real way, SQLite, calls of ${callEvents}: ${what}`, value, unit, goal })
    }
    figure('CPU ÷ that of the least program', ratio, 'x', callEvents === 20 ? '≤ 2.2' : 'none')
    figure('CPU of all threads per event', sluice.cpuMicroseconds, 'µs')
    if (warm) {
      figure('CPU of all threads per event, after 60,000', warm.sluiceMicroseconds, 'µs')
      figure('the same ÷ that of the least program', warm.ratio, 'x', callEvents === 20 ? '≤ 2.2' : 'none')
    }
    figure('CPU of the least program per event', least.cpuMicroseconds, 'µs')
    figure(
      'acknowledged while delivering',
      sluice.acknowledgedPerSecond,
      'events/s',
      callEvents === 20 ? '≥ 12000' : 'none',
    )
    figure('delivered', sluice.deliveredPerSecond, 'events/s')
    if (paced) {
      figure('CPU per event at 500 events/s ÷ that at saturation', paced.sluice, 'x', '≤ 1.2')
      figure('the same for the least program', paced.least, 'x')
    }
    figure('peak memory', sluice.peakMb, 'MiB', callEvents === 20 ? '≤ 180' : 'none')
  }
}

if ('real way'.includes(only)) await measureServed()
if ('slow users'.includes(only)) measureSlowUsers()
if ('recovery'.includes(only)) measureRecovery()
await printFigures('What does one event cost on its whole way, sustained?', corpus, figures)
