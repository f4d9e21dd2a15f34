import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { queryDuckDB } from '@sluice/warehouse'
import { afterEach, describe, expect, it } from 'vitest'
import { noDuckDB, queryDuckDB as queryAnyDuckDB } from '../support/databases/duckdb.ts'
import { createOwnPostgres, noOwnPostgres, type OwnPostgres } from '../support/databases/own-postgres.ts'
import { ask } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { createSmallDisk, noSmallDisk, type SmallDisk } from '../support/faults/small-disk.ts'
import { type WarehouseScene, warehouseScene } from './warehouse-scene.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const scene = (type: string, settings: object) => warehouseScene(type, settings, (close) => closing.push(close))

const appendTo = (server: OwnPostgres) => ({
  host: '127.0.0.1',
  port: server.port,
  database: 'postgres',
  user: 'postgres',
  loadMode: 'append',
})
const idsIn = async (server: OwnPostgres) => {
  const rows = await ask('select id from sluice.tracks order by id', server.url)
  return rows.map(({ id }) => id)
}

describe.skipIf(noOwnPostgres)('a warehouse whose server crashes', () => {
  it('has every event once when it is back, and other destinations did not wait', async () => {
    const server = await createOwnPostgres()
    closing.push(() => server.remove())
    const { sluice, errors, sent, send, arrived } = await scene('POSTGRES', appendTo(server))
    for (const calls of [50, 35]) {
      for (let call = 0; call < calls; call += 1) {
        await send(7)
        await wait(20)
      }
      // While loads are under way.
      server.crash()
      const before = errors.length
      await send(25)
      await eventually(arrived).toBe(sent.length)
      // A load may have been cut first; its repetition finds no server.
      const says = () => errors.slice(before).join('\n')
      await eventually(says).toMatch(/No server listens there: check host and port/)
      server.start()
    }
    await eventually(() => idsIn(server)).toEqual(sent)
    await sluice.settled()
    expect(await idsIn(server)).toEqual(sent)
  })
})

describe.skipIf(noSmallDisk)('a warehouse on a full disk', () => {
  const disk = (megabytes: number): SmallDisk => {
    const small = createSmallDisk(megabytes)
    closing.push(() => small.remove())
    return small
  }
  /** Fills the disk under a warehouse, sends events, and frees it again. */
  const fillAndFree = async (small: SmallDisk, { errors, send, arrived, sent }: WarehouseScene) => {
    small.fill()
    await send(40, 20_000)
    await eventually(() => errors.join('\n')).toMatch(/Free space on the disk/)
    // While the disk is still full.
    await eventually(arrived).toBe(sent.length)
    small.free()
  }

  it.skipIf(noDuckDB)('has every event once when there is room again: a DuckDB file', async () => {
    const small = disk(24)
    const path = join(small.folder, 'w.duckdb')
    const given = await scene('DUCKDB', { path, loadMode: 'append' })
    await given.send(30)
    await given.sluice.settled()
    await fillAndFree(small, given)
    await given.sluice.settled()
    const rows = await queryDuckDB(path, 'select id from sluice.tracks order by id')
    expect(rows.map(({ id }) => id)).toEqual(given.sent)
  })

  it.skipIf(noDuckDB)('has every event once when there is room again: Parquet files', async () => {
    const small = disk(24)
    const given = await scene('PARQUET', { folder: small.folder })
    await given.send(30)
    await given.sluice.settled()
    await fillAndFree(small, given)
    await given.sluice.settled()
    const files = join(small.folder, 'sluice/tracks/**/*.parquet')
    const rows = await queryAnyDuckDB(':memory:', `select id from read_parquet('${files}') order by id`)
    expect(rows.map(({ id }) => id)).toEqual(given.sent)
    expect(readdirSync(small.folder, { recursive: true }).filter((name) => String(name).includes('.tmp'))).toEqual([])
  })

  it.skipIf(noOwnPostgres)('has every event once when there is room again: PostgreSQL', async () => {
    const small = disk(160)
    const server = await createOwnPostgres(small.folder)
    closing.push(() => server.remove())
    const given = await scene('POSTGRES', appendTo(server))
    await given.send(30)
    await given.sluice.settled()
    await fillAndFree(small, given)
    await given.sluice.settled()
    expect(await idsIn(server)).toEqual(given.sent)
  })
})
