import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openPostgresStore } from '@sluice/postgres'
import pg from 'pg'
import { cpuOfAll } from './cpu.ts'

export const databaseUrl = process.env['BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/test'

/** A store in PostgreSQL for one measurement, and what the server spends on it: it must be on this machine. */
export interface BenchDatabase {
  readonly store: Store
  /** CPU of all processes of the server so far, in microseconds. */
  cpu(): number
  /** Position in the write-ahead log, in bytes. */
  wal(): Promise<number>
  /** Removes the store, which must be closed. */
  drop(): Promise<void>
}

export async function openBenchDatabase(): Promise<BenchDatabase> {
  const schema = `bench_${process.pid}`
  const store = await openPostgresStore({ url: databaseUrl, schema, clock: systemClock, random: systemRandom })
  return {
    store,
    cpu: () => cpuOfAll('postgres'),
    wal: async () => Number((await askDatabase("select pg_current_wal_lsn() - '0/0' as bytes"))[0]?.['bytes']),
    drop: async () => {
      await askDatabase(`drop schema ${schema} cascade`)
    },
  }
}

/** Runs a statement on a connection of its own. */
export async function askDatabase(text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
