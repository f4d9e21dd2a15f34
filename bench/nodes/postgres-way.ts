import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '@sluice/core'
import { cpuOf, cpuOfAll } from '../endtoend/cpu.ts'
import { askDatabase, databaseUrl } from '../endtoend/database.ts'
import { answering, end, freePort, peakOf, startSluice } from '../endtoend/peers.ts'
import { median, medians, startWayLoad, type WayRound, wayRestMs } from '../endtoend/way-load.ts'

export interface PostgresWaySetup {
  readonly events: readonly Event[]
  readonly roundEvents: number
  readonly rounds: number
  /** Processes on the database: one without a supervisor, or several that share a port. */
  readonly processes: number
}

/** Medians over the rounds, of all processes together. */
export interface PostgresWay extends WayRound {
  /** CPU of the server per event, in microseconds: it must be on this machine. */
  readonly databaseMicroseconds: number
  readonly transactionsPerEvent: number
  readonly walBytesPerEvent: number
  /** The most memory that all processes together had, in MiB. */
  readonly peakMb: number
}

/** Events of each call. */
const callEvents = 20
const warmUpEvents = 4_000

/**
 * Measures what an event costs over real HTTP in and out with PostgreSQL: durable before the answer, one request for each event to
 * a receiver on this machine. The store is a database of its own, which is dropped.
 */
export async function measurePostgresWay({
  events,
  roundEvents,
  rounds,
  processes,
}: PostgresWaySetup): Promise<PostgresWay> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const load = await startWayLoad({ events, callEvents })
  const name = `bench_${process.pid}_${processes}`
  await askDatabase(`create database ${name}`)
  const { child, port } = startSluice({
    folder,
    port: await freePort(),
    webhookUrl: load.receiver,
    destinations: 1,
    workspaces: 1,
    store: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
    ...(processes > 1 && { processes }),
  })
  /** The process that was started, and those that it has started. */
  const pids = (): readonly number[] => [Number(child.pid), ...childrenOf(Number(child.pid))]
  const cpu = (): number => pids().reduce((sum, pid) => sum + cpuOf({ pid }), 0)
  const round = (count: number): Promise<WayRound> => load.round({ port, cpu, count })
  try {
    await answering(() => load.post(port), child)
    await sleep(wayRestMs)
    await round(warmUpEvents)
    const all: Omit<PostgresWay, 'peakMb'>[] = []
    for (let n = 0; n < rounds; n += 1) {
      const before = await usage(name)
      const way = await round(roundEvents)
      const after = await usage(name)
      all.push({
        ...way,
        databaseMicroseconds: (after.cpu - before.cpu) / roundEvents,
        transactionsPerEvent: (after.transactions - before.transactions) / roundEvents,
        walBytesPerEvent: (after.wal - before.wal) / roundEvents,
      })
    }
    const of = (figure: keyof Omit<PostgresWay, 'peakMb'>): number => median(all.map((each) => each[figure]))
    return {
      ...medians(all),
      databaseMicroseconds: of('databaseMicroseconds'),
      transactionsPerEvent: of('transactionsPerEvent'),
      walBytesPerEvent: of('walBytesPerEvent'),
      peakMb: pids().reduce((sum, pid) => sum + peakOf({ pid }), 0),
    }
  } finally {
    await end(child)
    load.close()
    await askDatabase(`drop database ${name} with (force)`)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function usage(database: string): Promise<{ cpu: number; transactions: number; wal: number }> {
  const [row] = await askDatabase(
    `select xact_commit as transactions, pg_current_wal_lsn() - '0/0' as wal from pg_stat_database where datname = '${database}'`,
  )
  return { cpu: cpuOfAll('postgres'), transactions: Number(row?.['transactions']), wal: Number(row?.['wal']) }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}
