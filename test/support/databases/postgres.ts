import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { hangMs } from '../hang-ms.ts'

/** A PostgreSQL server for tests, which trusts everybody on localhost. */
export const postgresUrl = 'postgres://postgres@127.0.0.1:5432/test'

/** Why tests that need PostgreSQL cannot run, undefined when they can. The reason is printed. */
export const noPostgres: string | undefined = await findReason()

async function findReason(): Promise<string | undefined> {
  try {
    await ask('select 1')
    return undefined
  } catch (error) {
    const reason = `no PostgreSQL answers at ${postgresUrl} (${error instanceof Error ? error.message : error})`
    process.stdout.write(`tests of PostgreSQL skipped: ${reason}\n`)
    return reason
  }
}

/** Runs statements on a connection of their own. @param url of another server. @returns the rows of the last one. */
export async function ask(text: string, url = postgresUrl): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: hangMs })
  await client.connect()
  try {
    const results: unknown = await client.query(text)
    return ((Array.isArray(results) ? results.at(-1) : results) as pg.QueryResult).rows
  } finally {
    await client.end()
  }
}

/** Name of a schema that does not exist. */
export function freshSchema(): string {
  return `test_${randomBytes(8).toString('hex')}`
}

export async function dropSchema(schema: string, url = postgresUrl): Promise<void> {
  await ask(`drop schema if exists ${schema} cascade`, url)
}

/** Creates a database for one test, such as one that cuts all connections of its kind. */
export async function freshDatabase(): Promise<{ name: string; url: string; drop(): Promise<void> }> {
  const name = freshSchema()
  await ask(`create database ${name}`)
  const url = postgresUrl.replace(/[^/]*$/, name)
  return { name, url, drop: async () => void (await ask(`drop database ${name} with (force)`)) }
}

/** Empties a store that is not open. Much quicker than a new one, whose files would all be written to the disk. */
export async function emptyStore(schema: string): Promise<void> {
  const tables = await ask(
    `select tablename from pg_tables where schemaname = '${schema}' and tablename not in ('store_version', 'lane', 'change_count', 'log_partition')`,
  )
  await ask(`
    set search_path = ${schema};
    set session_replication_role = replica;
    ${tables.map(({ tablename }) => `delete from ${tablename};`).join(' ')}
    select setval(format('%I.%I', schemaname, sequencename), 1, false) from pg_sequences where schemaname = '${schema}';
    update lane set node_id = null;
    update change_count set count = 0, of_code = 0`)
}
