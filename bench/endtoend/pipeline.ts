import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { loadCorpus } from '../corpus.ts'
import { light } from '../flow-case.ts'
import { Allocations } from './allocations.ts'
import { type BenchDatabase, openBenchDatabase } from './database.ts'
import { Arrivals, ingestAll, ingestAtPace, processAll } from './sustained.ts'

/** What one pipeline is measured with, in a process of its own. */
export interface PipelineSetup {
  readonly store: 'sqlite' | 'memory' | 'postgres'
  /** Webhooks that get every event. */
  readonly destinations: number
  readonly transformation: boolean
  /** Events of one call; default 20. */
  readonly callEvents?: number
  /** False writes no receipts. */
  readonly receipts?: boolean
  /** `process` without a log instead of `ingest`. */
  readonly direct?: boolean
  /** Events of the warm-up, and of what is measured. */
  readonly events: number
}

export interface Sustained {
  /** CPU of all threads of the process, in RT. */
  readonly rtPerEvent: number
  /** CPU of the processes of the database server, in RT, and what it writes ahead, in bytes; where there is one. */
  readonly databaseRtPerEvent?: number
  readonly walBytesPerEvent?: number
  readonly eventsPerSecond: number
  /** On the heap of the main thread. */
  readonly bytesAllocatedPerEvent: number
  /** From acknowledged to arrived, at a steady 1,000 events/s; absent where nothing arrives or nothing is logged. */
  readonly p50Ms?: number
  readonly p99Ms?: number
}

async function measurePipeline(setup: PipelineSetup) {
  const { store: kind, destinations, transformation, direct, callEvents, receipts = true, events: count } = setup
  const corpus = loadCorpus()
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const parts = { clock: systemClock, random: systemRandom }
  const arrivals = new Arrivals()
  const ids = Array.from({ length: destinations }, (_, n) => `hook-${n}`)
  const database = kind === 'postgres' ? await openBenchDatabase() : undefined
  const ownStore = (): Store | Promise<Store> =>
    kind === 'memory' ? createMemoryStore(parts) : openSqliteStore({ ...parts, path: join(folder, 'db') })
  const sluice = await createSluice({
    store: database?.store ?? (await ownStore()),
    receipts: receipts ? undefined : 'off',
    transport: arrivals.transport,
    workspace: {
      id: 'bench',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: ids.map((id) => ({
        id,
        type: 'WEBHOOK',
        settings: { webhookUrl: `http://${id}.test/` },
        transformation: transformation ? { code: light } : undefined,
      })),
      connections: ids.map((destination) => ({ source: 's', destination })),
    },
  })
  const work = async (events: number): Promise<void> => {
    if (direct) await processAll(sluice, corpus.events, events)
    else await ingestAll(sluice, corpus.events, events, callEvents)
    await sluice.settled()
  }
  await work(count)
  const walBefore = await database?.wal()
  let bytesAllocated = 0
  const rounds: Round[] = []
  for (let round = 0; round < roundsMax; round += 1)
    rounds.push(
      await measureRound(
        corpus.texts,
        count / roundsMax,
        async (each) => {
          const allocations = new Allocations()
          await work(each)
          bytesAllocated += allocations.end()
        },
        database,
      ),
    )
  const walBytes = ((await database?.wal()) ?? 0) - (walBefore ?? 0)
  if (!direct) await checkAllEnded(sluice, destinations, 2 * count)
  if (!direct && destinations > 0) await ingestAtPace(sluice, arrivals, corpus.events, { calls: 150, everyMs: 20 })
  const latencies = arrivals.latenciesMs
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  await sluice.stop()
  await database?.drop()
  rmSync(folder, { recursive: true })
  const sum = (pick: (round: Round) => number): number => rounds.reduce((total, round) => total + pick(round), 0)
  return {
    rtPerEvent: sum(({ cpu }) => cpu) / sum(({ rt }) => rt),
    ...(database
      ? {
          databaseRtPerEvent: sum(({ databaseCpu }) => databaseCpu) / sum(({ rt }) => rt),
          walBytesPerEvent: walBytes / count,
        }
      : {}),
    eventsPerSecond: count / (sum(({ ms }) => ms) / 1_000),
    bytesAllocatedPerEvent: bytesAllocated / count,
    ...(latencies.length > 0 ? { p50Ms: at(0.5), p99Ms: at(0.99) } : {}),
  } satisfies Sustained
}

/** Rounds of work between which RT is measured, so that a machine that becomes busy meanwhile slows both. */
const roundsMax = 10
/** Passes over the corpus that make up one measurement of RT. */
const rtPasses = 4

interface Round {
  /** Microseconds of CPU per event. */
  readonly cpu: number
  /** The same, of the database server. */
  readonly databaseCpu: number
  /** Microseconds of CPU for JSON.stringify(JSON.parse(text)) of one event. */
  readonly rt: number
  readonly ms: number
}

async function measureRound(
  texts: readonly string[],
  events: number,
  work: (events: number) => Promise<void>,
  database: BenchDatabase | undefined,
): Promise<Round> {
  const rt = await cpuOf(async () => {
    for (let pass = 0; pass < rtPasses; pass += 1) for (const text of texts) JSON.stringify(JSON.parse(text))
  })
  const startedAt = performance.now()
  const databaseBefore = database?.cpu() ?? 0
  const cpu = await cpuOf(() => work(events))
  const databaseCpu = ((database?.cpu() ?? 0) - databaseBefore) / events
  return { cpu: cpu / events, databaseCpu, rt: rt / (rtPasses * texts.length), ms: performance.now() - startedAt }
}

/** Microseconds, of all threads. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** First right, then fast. */
async function checkAllEnded(sluice: Sluice, destinations: number, events: number): Promise<void> {
  const [stats] = await sluice.stats()
  assert.equal(stats?.accepted, events)
  assert.equal(stats?.destinations.length, destinations)
  for (const { pending, failed, delivered, dropped } of stats?.destinations ?? []) {
    assert.deepEqual({ pending, failed }, { pending: 0, failed: {} })
    assert.equal(delivered + Object.values(dropped).reduce((sum, each) => sum + each, 0), events)
  }
}

const setup = JSON.parse(process.argv[2] ?? '') as PipelineSetup
process.stdout.write(JSON.stringify(await measurePipeline(setup)))
