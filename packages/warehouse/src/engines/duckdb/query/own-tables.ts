import type { DuckDBConnection } from '../load-duckdb.ts'

/** The tables of one schema of a file: what a query may read by name. */
export interface OwnTables {
  /** The file, as SQL names it. */
  readonly catalog: string
  readonly namespace: string
  /** In lower case: DuckDB ignores the case of names. */
  readonly tables: ReadonlySet<string>
}

/** Reads which tables a schema has, views included. */
export async function readOwnTables(connection: DuckDBConnection, namespace: string): Promise<OwnTables> {
  const rowsOf = async (sql: string, values: string[] = []) =>
    (await connection.runAndReadAll(sql, values)).getRowObjectsJson() as readonly { readonly name: string }[]
  const [file] = await rowsOf('select current_database() as name')
  const tables = await rowsOf(
    'select table_name as name from information_schema.tables where table_catalog = current_database() and lower(table_schema) = lower($1)',
    [namespace],
  )
  return { catalog: file?.name ?? '', namespace, tables: new Set(tables.map(({ name }) => name.toLowerCase())) }
}
