import { createGuardedSockets } from '@sluice/delivery'
import {
  createMysqlWarehouse,
  createPostgresWarehouse,
  type MysqlOptions,
  type PostgresOptions,
  type Warehouse,
} from '@sluice/warehouse'
import { afterEach, describe, expect, it } from 'vitest'
import { askMysql, mysqlServer, noMysql } from '../support/databases/mysql.ts'
import { ask, freshDatabase, freshSchema, noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { type SilencingProxy, startSilencingProxy } from '../support/faults/silencing-proxy.ts'
import { loadInto } from './describe-warehouse.ts'
import { warehouseScene } from './warehouse-scene.ts'

const live = new AbortController().signal
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface Engine {
  readonly name: string
  readonly missing: string | undefined
  readonly type: string
  /** What a statement has that writes the rows of the table `tracks`. */
  readonly writes: string
  /** @param options of connections. */
  open(options?: PostgresOptions & MysqlOptions): Promise<{
    readonly proxy: SilencingProxy
    readonly warehouse: Warehouse
    /** Settings of a destination behind the proxy. */
    readonly settings: object
    /** Runs a statement; `{table}` is a table of the namespace. */
    run(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>
    /** Changes the password of the user of the destination, which is `first` at first. */
    changePassword(to: string): Promise<void>
  }>
}

const engines: readonly Engine[] = [
  {
    name: 'PostgreSQL',
    missing: noPostgres,
    type: 'POSTGRES',
    writes: 'copy ',
    async open(options = {}) {
      const database = await freshDatabase()
      closing.push(() => database.drop())
      const proxy = await startSilencingProxy(5_432)
      closing.push(() => proxy.close())
      const server = {
        host: '127.0.0.1',
        port: proxy.port,
        database: database.name,
        user: 'postgres',
        namespace: 'shop',
      }
      return {
        proxy,
        settings: server,
        warehouse: createPostgresWarehouse({ ...server, password: 'x', ssl: false }, options),
        run: (sql) => ask(sql.replaceAll(/\{(\w+)\}/g, 'shop."$1"'), database.url),
        // It trusts users of this machine, whatever their password is.
        changePassword: async () => {},
      }
    },
  },
  {
    name: 'MariaDB',
    missing: noMysql,
    type: 'MYSQL',
    writes: 'insert into `',
    async open(options = {}) {
      const namespace = freshSchema()
      const user = `u_${namespace}`.slice(0, 30)
      const proxy = await startSilencingProxy(mysqlServer.port)
      closing.push(() => proxy.close())
      await askMysql(`create user '${user}'@'%' identified by 'first'`)
      await askMysql(`grant all on \`${namespace}\`.* to '${user}'@'%'`)
      closing.push(async () => {
        await askMysql(`drop user '${user}'@'%'`)
        await askMysql(`drop database if exists \`${namespace}\``)
      })
      const server = { host: '127.0.0.1', port: proxy.port, user, password: 'first', namespace }
      return {
        proxy,
        settings: server,
        warehouse: createMysqlWarehouse({ ...server, ssl: false }, options),
        run: (sql) => askMysql(sql.replaceAll(/\{(\w+)\}/g, `\`${namespace}\`.\`$1\``)),
        changePassword: async (to) => void (await askMysql(`set password for '${user}'@'%' = password('${to}')`)),
      }
    },
  },
]

for (const { name, missing, type, writes, open } of engines)
  describe.skipIf(missing)(`${name} on a way that breaks`, () => {
    it('is not waited for when it is silent after the connection was accepted', async () => {
      const { proxy, warehouse } = await open({ connectMs: 500 })
      proxy.silence()
      await expect(warehouse.connect(live)).rejects.toThrow(/did not answer in time: check host, port and firewall/)
    })

    it('is not waited for when it falls silent in the middle of a load, which happens once', async () => {
      const socket = createGuardedSockets(['127.0.0.0/8'], undefined, 3_000)
      const { proxy, warehouse, run } = await open({ socket })
      await loadInto(warehouse, 'a', ['tracks'], 'append')
      proxy.before(writes, () => proxy.silence())
      await expect(loadInto(warehouse, 'b', ['tracks'], 'append')).rejects.toThrow(/did not answer in time/)
      proxy.cut()
      proxy.mend()
      const session = await warehouse.connect(live)
      expect(await session.settle('load-b')).toBe(false)
      await session.close()
      await loadInto(warehouse, 'c', ['tracks'], 'append')
      expect((await run('select id from {tracks} order by id')).map(({ id }) => id)).toEqual(['a', 'c'])
    })

    it('fails the load for which a table or a column is dropped meanwhile, and the next one adds it again', async () => {
      const { proxy, warehouse, run } = await open()
      await loadInto(warehouse, 'a', ['tracks', 'pages'])
      for (const [id, drop] of [
        ['b', 'drop table {tracks}'],
        ['c', 'alter table {pages} drop column uuid_ts'],
      ] as const) {
        proxy.before(type === 'POSTGRES' ? 'insert into "shop"."sluice_loads"' : 'insert ignore into', () => run(drop))
        await expect(loadInto(warehouse, id, ['tracks', 'pages'])).rejects.toThrow(
          /was dropped meanwhile: the next load/,
        )
        await loadInto(warehouse, `${id}-again`, ['tracks', 'pages'])
      }
      expect((await run('select id from {tracks} order by id')).map(({ id }) => id)).toEqual(['b-again', 'c-again'])
      expect((await run('select count(uuid_ts) as n from {pages}')).map(({ n }) => Number(n))).toEqual([1])
    })

    it('has every event once after it broke in the middle of loads, and no other destination waits', async () => {
      const { proxy, settings, run } = await open()
      const { send, sent, arrived, errors, sluice } = await warehouseScene(
        type,
        { loadMode: 'append', ...settings },
        (close) => closing.push(close),
      )
      for (let round = 0; round < 2; round += 1) {
        const before = errors.length
        proxy.before(writes, () => proxy.cut())
        await send(25)
        await eventually(arrived).toBe(sent.length)
        await eventually(() => errors.slice(before).join('\n')).toMatch(/connection|closed|terminated/i)
      }
      await sluice.settled()
      expect((await run('select id from {tracks} order by id')).map(({ id }) => id)).toEqual(sent)
    })

    it.skipIf(type === 'POSTGRES')('waits for its credentials, and loads everything once they are right', async () => {
      const { settings, run, changePassword } = await open()
      const { send, sent, arrived, errors, sluice } = await warehouseScene(
        type,
        { loadMode: 'append', ...settings },
        (close) => closing.push(close),
      )
      await send(25)
      await sluice.settled()
      await changePassword('second')
      await send(25)
      await eventually(() => errors.join('\n')).toMatch(/Access denied.*Check user and password/)
      expect(errors.join('\n')).not.toContain('first')
      await eventually(arrived).toBe(sent.length)
      await changePassword('first')
      await sluice.settled()
      expect((await run('select id from {tracks} order by id')).map(({ id }) => id)).toEqual(sent)
    })
  })
