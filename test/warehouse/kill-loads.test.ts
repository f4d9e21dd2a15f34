import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, freshDatabase, noPostgres } from '../support/databases/postgres.ts'
import { createSender } from '../support/http/sender.ts'
import { sized } from '../support/long.ts'
import { dataPlaneProgram } from '../support/processes/data-plane-program.ts'
import { type Killable, startKillable } from '../support/processes/killable.ts'
import { runSeed } from '../support/seed.ts'

const rounds = sized(2, 60)

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe.skipIf(noPostgres)('killing a process that loads a warehouse', () => {
  it(
    `${rounds} times, and cutting its connections, loads every acknowledged event exactly once (seed ${runSeed})`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-loads-'))
      closing.push(() => rmSync(folder, { recursive: true, force: true }))
      const database = await freshDatabase()
      closing.push(() => database.drop())
      const inDatabase = (text: string) => ask(text, database.url)
      // Rows are only added, so that a load that happened twice is seen.
      const settings = {
        host: '127.0.0.1',
        database: database.name,
        user: 'postgres',
        namespace: 'house',
        syncSeconds: 1,
        syncEvents: 40,
        loadMode: 'append',
      }
      const options = {
        workspace: {
          id: 'w',
          sources: [{ id: 's', writeKey: 'k' }],
          destinations: [{ id: 'pg', type: 'POSTGRES', settings }],
          connections: [{ source: 's', destination: 'pg' }],
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
      let sent = 0
      for (let round = 0; round <= rounds; round += 1) {
        running = await startKillable(dataPlaneProgram, [JSON.stringify({ folder, port: 0, options })])
        const port = Number(await running.reported('serving'))
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
          if (dice(30) === 0)
            await inDatabase(`select pg_terminate_backend(pid) from pg_stat_activity
              where application_name = 'sluice warehouse' and datname = current_database()`)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        sender.close()
        if (isLast) {
          running.stop()
          await running.reported('stats')
        } else running.kill()
        await running.ended
      }
      for (const table of ['tracks', '"order"', '_order']) {
        const rows = await inDatabase(`select id from house.${table}`).catch(() => undefined)
        if (rows === undefined) continue
        const ids = rows.map(({ id }) => String(id))
        const known = new Set(ids)
        expect(ids.length - known.size, `doubles in ${table}`).toBe(0)
        expect(
          acknowledged.filter((id) => !known.has(id)),
          `missing in ${table}`,
        ).toEqual([])
      }
      expect(acknowledged.length).toBeGreaterThan(100)
      const [voided] =
        await inDatabase(`select count(*) filter (where state = 'void')::int as void, count(*)::int as total
        from house.sluice_loads`)
      process.stdout.write(
        `${acknowledged.length} events in ${voided?.['total']} loads, ${voided?.['void']} of them void\n`,
      )
    },
    sized(60_000, 600_000),
  )
})
