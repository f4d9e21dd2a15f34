import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import type { PreparedTable } from '@sluice/warehouse'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** One COPY per table without a key, as PostgreSQL's manual recommends for loading: the fastest way there is. */
export async function plainPostgres(tables: readonly PreparedTable[], namespace: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', database: 'test', user: 'postgres' })
  await client.connect()
  await client.query(`begin; create schema ${namespace}`)
  for (const { table, columns, rows } of tables) {
    const types = { boolean: 'boolean', int: 'bigint', float: 'double precision', datetime: 'timestamptz' } as Readonly<
      Record<string, string>
    >
    const defined = columns.map(({ name, type }) => `"${name}" ${types[type] ?? 'text'}`)
    await client.query(`create table ${namespace}."${table}" (${defined.join(', ')})`)
    function* lines(): Generator<string> {
      let text = ''
      for (const row of rows()) {
        text += `${row
          .map((value) =>
            value === null
              ? '\\N'
              : String(typeof value === 'object' ? JSON.stringify(value) : value).replaceAll(/[\\\t\n\r]/g, (found) =>
                  found === '\\' ? '\\\\' : `\\${JSON.stringify(found)[2]}`,
                ),
          )
          .join('\t')}\n`
        if (text.length < 65_536) continue
        yield text
        text = ''
      }
      yield text
    }
    await pipeline(Readable.from(lines()), client.query(copyFrom(`copy ${namespace}."${table}" from stdin`)))
  }
  await client.query('commit')
  await client.query(
    `drop schema ${namespace} cascade; drop schema if exists ${namespace.replace('_plain', '')} cascade`,
  )
  await client.end()
}

/** One appender per table, value by value. */
export async function plainDuckDB(tables: readonly PreparedTable[], namespace: string, folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, `${namespace}.duckdb`))
  const connection = await instance.connect()
  for (const { table, columns, rows } of tables) {
    const types = { boolean: 'BOOLEAN', int: 'BIGINT', float: 'DOUBLE' } as Readonly<Record<string, string>>
    const defined = columns.map(({ name, type }) => `"${name}" ${types[type] ?? 'VARCHAR'}`)
    await connection.run(`create table "${table}" (${defined.join(', ')})`)
    const appender = await connection.createAppender(table)
    for (const row of rows()) {
      for (const [at, value] of row.entries()) {
        const type = columns[at]?.type
        if (value === null) appender.appendNull()
        else if (type === 'boolean') appender.appendBoolean(value === true)
        else if (type === 'int') appender.appendBigInt(BigInt(Number(value)))
        else if (type === 'float') appender.appendDouble(Number(value))
        else appender.appendVarchar(typeof value === 'object' ? JSON.stringify(value) : String(value))
      }
      appender.endRow()
    }
    appender.closeSync()
  }
  connection.disconnectSync()
  instance.closeSync()
}

/** Inserts of 1,000 rows into tables without a key, in one transaction. */
export async function plainMysql(tables: readonly PreparedTable[], namespace: string): Promise<void> {
  const connection = await createConnection({ host: '127.0.0.1', user: 'root', charset: 'utf8mb4_bin', timezone: 'Z' })
  await connection.query(`create database ${namespace}`)
  await connection.query('start transaction')
  for (const { table, columns, rows } of tables) {
    const types = { boolean: 'tinyint(1)', int: 'bigint', float: 'double' } as Readonly<Record<string, string>>
    const defined = columns.map(({ name, type }) => `\`${name}\` ${types[type] ?? 'longtext'}`)
    await connection.query(`create table ${namespace}.\`${table}\` (${defined.join(', ')})`)
    let some: unknown[][] = []
    const insert = async (): Promise<void> => {
      if (some.length > 0) await connection.query(`insert into ${namespace}.\`${table}\` values ?`, [some])
      some = []
    }
    for (const row of rows()) {
      some.push(row.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)))
      if (some.length === 1_000) await insert()
    }
    await insert()
  }
  await connection.query('commit')
  await connection.query(`drop database ${namespace}`)
  await connection.query(`drop database if exists ${namespace.replace('_plain', '')}`)
  await connection.end()
}
