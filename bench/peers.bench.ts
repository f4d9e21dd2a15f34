import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type FigureResult, printFigures } from './bench-kit.ts'
import { loadCorpus } from './corpus.ts'
import { cpuOf } from './endtoend/cpu.ts'
import { askDatabase } from './endtoend/database.ts'
import { answering, end, freePort, type Peer, peakOf, startLeast, startSluice } from './endtoend/peers.ts'
import { median, medians, startWayLoad, type WayLoad, type WayRound, wayRestMs } from './endtoend/way-load.ts'
import { type Broker, findPostgres, findRabbitmq, type OpenBroker, startNats, startRedis } from './peers/brokers.ts'
import type { PeerKind, PeerProgramSetup } from './peers/peer-program.ts'

const only = process.env['BENCH_ONLY'] ?? ''
const rounds = 3
const roundEvents = Number(process.env['BENCH_EVENTS'] ?? 10_000)
/** Ends with the process, so that programs of two runs share no tables. */
const ownName = `bench_peer_${process.pid}`
const corpus = loadCorpus()

/** A program of the comparison, with the server that it needs. */
interface Program {
  readonly name: string
  readonly broker?: OpenBroker
  start(place: { readonly folder: string; readonly port: number; readonly receiver: string; address: string }): Peer
}

const onQueue = (kind: PeerKind, broker: OpenBroker): Program => ({
  name: kind,
  broker,
  start: ({ port, receiver, address }) => {
    const setup: PeerProgramSetup = {
      kind,
      address,
      name: `${ownName}_${kind.replace(/\W/g, '')}`.toLowerCase(),
      port,
      receiver,
    }
    const program = fileURLToPath(new URL('./peers/peer-program.js', import.meta.url))
    const child = spawn(process.execPath, [program, JSON.stringify(setup)], { stdio: ['ignore', 'ignore', 'inherit'] })
    return { child, port }
  },
})

const sluiceWith = (store: string): Pick<Program, 'start'> => ({
  start: ({ folder, port, receiver: webhookUrl, address }) => {
    const place = {
      folder: join(folder, 'sluice'),
      port,
      webhookUrl,
      store: store === '' ? undefined : `${address}${store}`,
    }
    return startSluice({ ...place, destinations: 1, workspaces: 1 })
  },
})

const programs: readonly Program[] = [
  { name: 'Sluice, SQLite', ...sluiceWith('') },
  { name: 'the least program, SQLite', start: (place) => startLeast(place) },
  onQueue('BullMQ', startRedis),
  onQueue('JetStream', startNats),
  onQueue('RabbitMQ', findRabbitmq),
  { name: 'Sluice, PostgreSQL', broker: findPostgres, ...sluiceWith(`?schema=${ownName}`) },
  onQueue('pg-boss', findPostgres),
  onQueue('graphile-worker', findPostgres),
]

/** A program that runs, and what its rounds were. */
interface Running {
  readonly program: Program
  readonly peer: Peer
  readonly broker: Broker | undefined
  readonly rows: { readonly own: WayRound; readonly brokerMicroseconds: number }[]
}

async function measureRound({ peer, broker, rows }: Running, load: WayLoad, count: number): Promise<void> {
  const before = broker?.cpu() ?? 0
  const own = await load.round({ port: peer.port, cpu: () => cpuOf(peer.child), count })
  rows.push({ own, brokerMicroseconds: ((broker?.cpu() ?? 0) - before) / count })
}

/** Starts the programs whose servers are there. */
async function startAll(folder: string, load: WayLoad, closing: (() => unknown)[]): Promise<readonly Running[]> {
  const running: Running[] = []
  for (const [place, program] of programs.entries()) {
    if (!program.name.includes(only)) continue
    const own = join(folder, String(place))
    mkdirSync(own)
    const broker = await program.broker?.(own)
    if (typeof broker === 'string') {
      process.stderr.write(`${program.name}: skipped, because ${broker}\n`)
      continue
    }
    if (broker) closing.push(() => broker.close())
    const address = broker?.address ?? ''
    const peer = program.start({ folder: own, port: await freePort(), receiver: load.receiver, address })
    closing.push(() => end(peer.child))
    await answering(() => load.post(peer.port), peer.child)
    running.push({ program, peer, broker, rows: [] })
  }
  return running
}

/** The same work for each program: calls of 20 events, durable before the answer, and a request for each event. */
async function measurePeers(): Promise<readonly FigureResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const load = await startWayLoad({ events: corpus.events, callEvents: 20 })
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true }), () => load.close()]
  try {
    const running = await startAll(folder, load, closing)
    await sleep(wayRestMs)
    for (const each of running) {
      await measureRound(each, load, Math.min(roundEvents, 4_000))
      each.rows.length = 0
    }
    // One after the other in each round, so that all meet the same machine.
    for (let n = 0; n < rounds; n += 1) for (const each of running) await measureRound(each, load, roundEvents)
    return running.flatMap(figuresOf)
  } finally {
    for (const close of closing.reverse()) await close()
    await askDatabase(dropOwn).catch(() => {})
  }
}

const dropOwn = `do $$ declare each text; begin
  for each in select nspname from pg_namespace where starts_with(nspname, '${ownName}') loop
    execute format('drop schema %I cascade', each);
  end loop;
end $$`

function figuresOf({ program, peer, broker, rows }: Running): readonly FigureResult[] {
  const { cpuMicroseconds, acknowledgedPerSecond, deliveredPerSecond } = medians(rows.map(({ own }) => own))
  const figure = (what: string, value: number, unit: string): FigureResult => ({
    name: `${program.name}: ${what}`,
    value,
    unit,
    goal: 'none',
  })
  const withBroker = median(rows.map(({ own, brokerMicroseconds }) => own.cpuMicroseconds + brokerMicroseconds))
  return [
    figure('CPU of the process per event', cpuMicroseconds, 'µs'),
    ...(broker ? [figure('the same with its server', withBroker, 'µs')] : []),
    figure('acknowledged while delivering', acknowledgedPerSecond, 'events/s'),
    figure('delivered', deliveredPerSecond, 'events/s'),
    figure('peak memory of the process', peakOf(peer.child), 'MiB'),
  ]
}

if (process.platform !== 'linux') process.stderr.write('peers: skipped, because they need /proc\n')
const figures = process.platform === 'linux' ? await measurePeers() : []
await printFigures('What does the same work cost in what a Node programmer would build?', corpus, figures)
