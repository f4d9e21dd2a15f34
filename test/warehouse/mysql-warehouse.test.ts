import { createMysqlWarehouse, type MysqlOptions, type MysqlSettings } from '@sluice/warehouse'
import { createConnection } from 'mysql2/promise'
import { describe, expect, it } from 'vitest'
import { askMysql, mysqlServer, noMysql } from '../support/databases/mysql.ts'
import { freshSchema } from '../support/databases/postgres.ts'
import { describeColumns } from './describe-columns.ts'
import { describeErasure } from './describe-erasure.ts'
import { byId, describeWarehouse, loadInto, loadRows, row } from './describe-warehouse.ts'

const live = new AbortController().signal

function hostOf(settings: Partial<MysqlSettings> = {}, options?: MysqlOptions) {
  const namespace = freshSchema()
  return {
    namespace,
    warehouse: createMysqlWarehouse({ ...mysqlServer, ssl: false, namespace, ...settings }, options),
    rows: async (table: string) =>
      byId(
        (await askMysql(`select * from \`${namespace}\`.\`${table.replaceAll('`', '``')}\``)).map((found) =>
          Object.fromEntries(Object.entries(found).map(([name, value]) => [name, plain(name, value)])),
        ),
      ),
    run: async (sql: string) => {
      await askMysql(sql.replaceAll(/\{(\w+)\}/g, `\`${namespace}\`.\`$1\``))
    },
    close: async () => {
      await askMysql(`drop database if exists \`${namespace}\``)
    },
  }
}

/** Booleans are small numbers in MySQL. */
function plain(name: string, value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (name === 'flag' || name === 'off') return value === 1
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

/** Why tests of sequences cannot run, undefined when they can: MariaDB has them, MySQL has not. */
const noSequences = noMysql ?? (await reasonWithoutSequences())

async function reasonWithoutSequences(): Promise<string | undefined> {
  const [{ version } = {}] = await askMysql('select version() as version')
  if (String(version).includes('MariaDB')) return undefined
  process.stdout.write('tests of sequences skipped: the server is no MariaDB\n')
  return 'MySQL has no sequences'
}

describe.skipIf(noMysql)('MySQL', () => {
  describeErasure('MySQL', async () => hostOf(), {
    strange: { type: 'varbinary(9)', value: "'x'" },
    caseless: 'varchar(50) collate utf8mb4_general_ci',
    hasTextKeys: true,
    // MariaDB stores JSON as text.
    missingTypes: ['json'],
  })

  describeWarehouse('MySQL', async () => hostOf(), {
    types: { text: 'varchar(200)', shortText: 'varchar(5)', int: 'bigint', strange: 'binary(4)' },
    columnsMax: 300,
    timeOf: (iso) => iso,
  })

  describeColumns('MySQL', async () => hostOf(), {
    types: { text: 'varchar(200)', int: 'bigint', key: 'primary key' },
    retypesTimes: false,
    timeOf: (iso) => iso,
  })

  it.skipIf(noSequences)('gives a table another name when a sequence has its own, and loads the others', async () => {
    const host = hostOf()
    await loadInto(host.warehouse, 'first', ['others'])
    await host.run('create sequence {taken}')
    for (const id of ['a', 'b']) await loadInto(host.warehouse, id, ['taken', 'others'])
    expect((await host.rows('_taken')).map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await host.rows('others')).map(({ id }) => id)).toEqual(['a', 'b', 'first'])
    await host.close()
  })

  const wrong = [
    { what: 'a password', settings: { user: 'no_such_user', password: 'hush' }, says: /no_such_user.*Check user/ },
    { what: 'a port', settings: { port: 1 }, says: /127.0.0.1:1: .*ECONNREFUSED.*check host and port/ },
    { what: 'a host', settings: { host: 'no-such-host.invalid' }, says: /no-such-host.invalid.*The host is unknown/ },
  ]
  for (const { what, settings, says } of wrong)
    it(`says what to do about ${what} that is wrong, without the password`, async () => {
      const error = await hostOf(settings)
        .warehouse.connect(live)
        .catch((found: Error) => found)
      expect(String((error as Error).message)).toMatch(says)
      expect(String((error as Error).message)).not.toContain('hush')
    })

  it('tells ids apart that differ in blanks at the end in tables of earlier versions, without losing a row', async () => {
    const host = hostOf()
    const load = (...ids: readonly string[]) =>
      loadRows(
        host.warehouse,
        ids.flatMap((id) => [row('users', { id }), row('pages', { id })]),
      )
    await load('u')
    for (const table of ['users', 'pages'])
      await host.run(`alter table {${table}} modify column id varchar(255) character set utf8mb4 collate utf8mb4_bin`)
    await load('u ', 'U')
    for (const table of ['users', 'pages'])
      expect((await host.rows(table)).map(({ id }) => id)).toEqual(['U', 'u', 'u '])
    await host.close()
  })

  it('replaces only rows with exactly the same id in a table without a key, whatever its collation', async () => {
    const host = hostOf()
    await loadInto(host.warehouse, 'first', ['others'])
    await host.run('create table {pages} (id varchar(50) character set utf8mb4 collate utf8mb4_general_ci)')
    for (const [at, id] of ['u', 'U', 'u ', 'u'].entries())
      await loadRows(host.warehouse, [row('pages', { id })], 'replace', `l${at}`)
    expect((await host.rows('pages')).map(({ id }) => id)).toEqual(['U', 'u', 'u '])
    await host.close()
  })

  it('waits for a locked row no longer than it may, and has loaded nothing then', async () => {
    const host = hostOf({}, { lockSeconds: 1 })
    await loadInto(host.warehouse, 'a', ['tracks', 'pages'])
    const other = await createConnection(mysqlServer)
    await other.query(`lock tables ${host.namespace}.pages write`)
    const failed = await loadInto(host.warehouse, 'b', ['tracks', 'pages']).catch((error: Error) => error.message)
    await other.end()
    expect(failed).toMatch(/Another session locks the table/)
    expect((await host.rows('tracks')).map(({ id }) => id)).toEqual(['a'])
    await loadInto(host.warehouse, 'b', ['tracks', 'pages'])
    expect((await host.rows('pages')).map(({ id }) => id)).toEqual(['a', 'b'])
    await host.close()
  })
})
