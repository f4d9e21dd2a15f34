import { createConnection } from 'mysql2/promise'

/** A MySQL or MariaDB server for tests, which trusts root on localhost. */
export const mysqlServer = { host: '127.0.0.1', port: 3_306, user: 'root', password: '' } as const

/** Why tests that need MySQL cannot run, undefined when they can. The reason is printed. */
export const noMysql: string | undefined = await askMysql('select 1').then(
  () => undefined,
  (error: Error) => {
    process.stdout.write(`tests of MySQL skipped: no server answers at 127.0.0.1:3306 (${error.message})\n`)
    return error.message
  },
)

/** Runs a statement on a connection of its own. @returns its rows. */
export async function askMysql(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const connection = await createConnection({
    ...mysqlServer,
    charset: 'utf8mb4_bin',
    timezone: 'Z',
    connectTimeout: 2_000,
  })
  try {
    const [rows] = await connection.query(sql)
    return Array.isArray(rows) ? (rows as Readonly<Record<string, unknown>>[]) : []
  } finally {
    await connection.end()
  }
}
