import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceStats } from '@sluice/pipeline'
import { afterEach, describe, expect, it } from 'vitest'
import { noDuckDB, queryDuckDB } from '../support/databases/duckdb.ts'
import { askMysql, mysqlServer, noMysql } from '../support/databases/mysql.ts'
import { ask, freshDatabase, freshSchema, noPostgres } from '../support/databases/postgres.ts'
import { createSender } from '../support/http/sender.ts'
import { sized } from '../support/long.ts'
import { dataPlaneProgram } from '../support/processes/data-plane-program.ts'
import { type Killable, startKillable } from '../support/processes/killable.ts'
import { runSeed } from '../support/seed.ts'

interface Engine {
  readonly type: string
  readonly settings: object
  /** Ids of the rows of a table, undefined when there is none. */
  ids(table: string): Promise<readonly string[] | undefined>
  /** Ends the connections of loads that are under way. */
  cut(): Promise<unknown>
}

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] =>
  rows.map(({ id }) => String(id))

async function postgres(): Promise<Engine> {
  const database = await freshDatabase()
  closing.push(() => database.drop())
  const inDatabase = (text: string) => ask(text, database.url)
  return {
    type: 'POSTGRES',
    settings: { host: '127.0.0.1', database: database.name, user: 'postgres' },
    ids: (table) => inDatabase(`select id from house."${table}"`).then(idsOf, () => undefined),
    cut: () =>
      inDatabase(`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'sluice warehouse' and datname = current_database()`),
  }
}

async function mysql(): Promise<Engine> {
  const namespace = freshSchema()
  closing.push(() => askMysql(`drop database if exists \`${namespace}\``))
  return {
    type: 'MYSQL',
    settings: { ...mysqlServer, namespace },
    ids: (table) => askMysql(`select id from \`${namespace}\`.\`${table}\``).then(idsOf, () => undefined),
    cut: async () => {
      const own = await askMysql(`select id from information_schema.processlist where db = '${namespace}'`)
      for (const id of idsOf(own)) await askMysql(`kill ${id}`).catch(() => {})
    },
  }
}

async function duckdb(folder: string): Promise<Engine> {
  const path = join(folder, 'loads.duckdb')
  return {
    type: 'DUCKDB',
    // A load takes about as long for ten times as many events, and more come than loads of 40 would take.
    settings: { path, syncEvents: 400 },
    ids: (table) => queryDuckDB(path, `select id from house."${table}"`).then(idsOf, () => undefined),
    // Its file is in the process.
    cut: async () => {},
  }
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe.each([
  ['PostgreSQL', postgres, noPostgres, sized(2, 80)],
  ['MySQL', mysql, noMysql, sized(1, 60)],
  ['DuckDB', duckdb, noDuckDB, sized(1, 60)],
] as const)('killing a process that loads into %s', (_, engineOf, reason, rounds) => {
  it.skipIf(reason)(
    `${rounds} times, and cutting its connections, loads every acknowledged event exactly once (seed ${runSeed})`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-loads-'))
      closing.push(() => rmSync(folder, { recursive: true, force: true }))
      const engine = await engineOf(folder)
      // Rows are only added, so that a load that happened twice is seen.
      const settings = { namespace: 'house', syncSeconds: 1, syncEvents: 40, loadMode: 'append', ...engine.settings }
      const options = {
        workspace: {
          id: 'w',
          sources: [{ id: 's', writeKey: 'k' }],
          destinations: [{ id: 'house', type: engine.type, settings }],
          connections: [{ source: 's', destination: 'house' }],
        },
        allowAddresses: ['localhost'],
        sandbox: { mode: 'in-process' },
      }
      const acknowledged: string[] = []
      let state = runSeed
      const dice = (sides: number): number => {
        state = (state * 48_271) % 2_147_483_647
        return state % sides
      }
      let running: Killable | undefined
      closing.push(() => running?.kill())
      const start = async (): Promise<Killable> => {
        running = await startKillable(dataPlaneProgram, [JSON.stringify({ folder, port: 0, options })])
        return running
      }
      /** Ends a process that has had a minute to load what waits. @returns how many events still wait. */
      const pendingAfter = async (process: Killable): Promise<number> => {
        process.stop()
        const [source] = (await process.reported('stats')) as readonly SourceStats[]
        await process.ended
        return source?.destinations[0]?.pending ?? 0
      }
      let sent = 0
      for (let round = 0; round <= rounds; round += 1) {
        const process = await start()
        const port = Number(await process.reported('serving'))
        const isLast = round === rounds
        // Some five milliseconds for each.
        const batches = isLast ? 50 : 30 + dice(150)
        const sender = createSender('k')
        for (let n = 0; n < batches; n += 1) {
          const batch = Array.from({ length: 10 }, () => {
            sent += 1
            return {
              type: 'track',
              event: 'Order',
              userId: `u${sent % 7}`,
              messageId: `m${sent}`,
              properties: { n: sent },
            }
          })
          if ((await sender.post(port, batch)) === 200) acknowledged.push(...batch.map(({ messageId }) => messageId))
          if (dice(30) === 0) await engine.cut()
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        sender.close()
        if (isLast) {
          let pending = await pendingAfter(process)
          // A slow machine leaves some in the log for the next process. Each one must load more of them.
          while (pending > 0) {
            const before = pending
            pending = await pendingAfter(await start())
            expect(pending).toBeLessThan(before)
          }
        } else {
          process.kill()
          await process.ended
        }
      }
      for (const table of ['tracks', 'order', '_order']) {
        const ids = await engine.ids(table)
        if (ids === undefined) continue
        const known = new Set(ids)
        expect(ids.length - known.size, `doubles in ${table}`).toBe(0)
        expect(
          acknowledged.filter((id) => !known.has(id)),
          `missing in ${table}`,
        ).toEqual([])
      }
      expect(acknowledged.length).toBeGreaterThan(100)
      expect(await engine.ids('tracks')).toBeDefined()
    },
    sized(60_000, 600_000),
  )
})
