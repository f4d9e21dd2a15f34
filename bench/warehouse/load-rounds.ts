import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Event } from '@sluice/core'
import {
  createDuckDBWarehouse,
  createLoader,
  createMysqlWarehouse,
  createPostgresWarehouse,
  createRowMaker,
  type PreparedTable,
  prepareLoad,
  StagedRows,
  type TableRow,
  type Warehouse,
} from '@sluice/warehouse'
import { loadCorpus } from '../corpus.ts'
import { plainDuckDB, plainMysql, plainPostgres } from './plain-loads.ts'

/** A product, and a plain load of the same rows into it. */
interface Engine {
  warehouse(namespace: string, folder: string): Warehouse
  plain(tables: readonly PreparedTable[], namespace: string, folder: string): Promise<void>
  provider: 'postgres' | 'duckdb' | 'mysql'
}

export const engines: Readonly<Record<string, Engine>> = {
  PostgreSQL: {
    provider: 'postgres',
    warehouse: (namespace) =>
      createPostgresWarehouse({
        host: '127.0.0.1',
        port: 5_432,
        database: 'test',
        user: 'postgres',
        password: '',
        namespace,
        ssl: false,
      }),
    plain: plainPostgres,
  },
  DuckDB: {
    provider: 'duckdb',
    warehouse: (namespace, folder) => createDuckDBWarehouse({ path: join(folder, `${namespace}.duckdb`), namespace }),
    plain: plainDuckDB,
  },
  MySQL: {
    provider: 'mysql',
    warehouse: (namespace) =>
      createMysqlWarehouse({ host: '127.0.0.1', port: 3_306, user: 'root', password: '', namespace, ssl: false }),
    plain: plainMysql,
  },
}

const signal = new AbortController().signal
const pace = { ms: 1, eventsMax: 1 }
const rounds = 3

/**
 * Loads the rows of 20,000 events in turns with a plain load of the same rows.
 * @returns how many times as fast as the plain load it is: rows per second by rows per second.
 */
export async function shareOfPlain(name: string, mode: 'append' | 'replace'): Promise<number> {
  const engine = engines[name]
  if (engine === undefined) throw new Error(`no engine ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'sluice-load-bench-'))
  const rows = [...rowsOf(engine.provider, 20_000)]
  const ours: number[] = []
  const plain: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const namespace = `bench_${randomUUID().slice(0, 8)}`
    const warehouse = engine.warehouse(namespace, folder)
    const loader = createLoader(
      { warehouse, pace, mode, nameOf: (given) => given },
      { destinationId: 'd', now: Date.now },
    )
    // Tables exist in both, so that their creation does not count.
    stage(loader, rows.slice(0, 2_000))
    await loader.load(randomUUID(), signal)
    loader.discard()
    const startedAt = performance.now()
    stage(loader, rows)
    await loader.load(randomUUID(), signal)
    ours.push(performance.now() - startedAt)
    plain.push(await timePlain(engine, rows, `${namespace}_plain`, folder))
  }
  await rm(folder, { recursive: true, force: true })
  return median(plain) / median(ours)
}

/**
 * Loads a million rows, as many at a time as a load holds.
 * @returns how many times as large as after a quarter of them the process has been at the end: its largest size by that
 * of then.
 */
export async function growthOverMillionRows(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-load-bench-'))
  const warehouse = createDuckDBWarehouse({ path: join(folder, 'million.duckdb'), namespace: 'bench' })
  const loader = createLoader(
    { warehouse, pace, mode: 'append', nameOf: (given) => given },
    { destinationId: 'd', now: Date.now },
  )
  let rows = 0
  let afterQuarter = Number.NaN
  for (const row of rowsOf('duckdb', 500_000)) {
    stage(loader, [row])
    rows += 1
    if (rows === 250_000) afterQuarter = process.resourceUsage().maxRSS
    if (!loader.isFull) continue
    await loader.load(randomUUID(), signal)
    loader.discard()
  }
  await loader.load(randomUUID(), signal)
  await rm(folder, { recursive: true, force: true })
  if (rows !== 1_000_000) throw new Error(`${rows} rows were made`)
  return process.resourceUsage().maxRSS / afterQuarter
}

async function timePlain(
  engine: Engine,
  rows: readonly TableRow[],
  namespace: string,
  folder: string,
): Promise<number> {
  const staged = new StagedRows()
  for (const row of rows) staged.add(row)
  const { load } = prepareLoad(staged.tables(), new Map(), {
    loadId: 'plain',
    destinationId: 'd',
    at: Date.now(),
    limits: { columnsMax: 1_600, ignoresCase: true },
    mode: 'append',
    nameOf: (given) => given,
  })
  const startedAt = performance.now()
  await engine.plain(load.tables, namespace, folder)
  return performance.now() - startedAt
}

function* rowsOf(provider: Engine['provider'], count: number): Generator<TableRow> {
  const make = createRowMaker({ provider, now: Date.now, uuid: () => randomUUID() })
  const { events } = loadCorpus()
  for (let n = 0; n < count; n += 1) {
    const event = events[n % events.length] as Event
    const made = make({ ...event, messageId: `m${n}` }, { sourceId: 's', receivedAt: '2026-01-02T03:04:05.000Z' })
    if (made.ok) yield* made.rows
  }
}

function stage(loader: ReturnType<typeof createLoader>, rows: readonly TableRow[]): void {
  loader.add({}, [{ body: { JSON: { rows } } }] as unknown as Parameters<typeof loader.add>[1])
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
