import type { DuckDBConnection } from '@duckdb/node-api'
import { byId } from '../describe-warehouse.ts'

/** What differs between the SQL of a product and that of DuckDB, as far as loads use it. */
export interface PlayedDialect {
  /** The database of the tables, such as a project. */
  readonly database: string
  /** Returns what DuckDB needs for a statement: often the same, sometimes several. */
  translate(sql: string): readonly string[]
  /** Whether a statement lists columns; it is answered with `columnOf`. */
  readonly listsColumns: RegExp
  columnOf(column: {
    readonly table: string
    readonly name: string
    readonly type: string
  }): Readonly<Record<string, string>>
}

export interface Answer {
  readonly names: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** A database in memory that takes the statements of a product, one request after the other. */
export interface PlayedDatabase {
  /** Runs statements, in one session. @returns the answer to the last one. */
  run(statements: readonly string[], values: Readonly<Record<string, string>> | string[]): Promise<Answer>
  /** The statements, in order of arrival, with their parameters below. */
  readonly seen: string[]
  rows(table: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  close(): void
}

/** Opens one. @param namespace the schema of the tables. */
export async function openPlayedDatabase(dialect: PlayedDialect, namespace: string): Promise<PlayedDatabase> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(':memory:')
  const setup = await instance.connect()
  await setup.run(`attach ':memory:' as "${dialect.database}"`)
  await setup.run("set timezone = 'UTC'")
  let last: Promise<unknown> = Promise.resolve()
  const seen: string[] = []

  async function answer(
    statements: readonly string[],
    values: Readonly<Record<string, string>> | string[],
  ): Promise<Answer> {
    seen.push(shown(statements, Object.values(values)))
    const connection = await instance.connect()
    try {
      let found: Answer = { names: [], rows: [] }
      for (const sql of statements) {
        if (dialect.listsColumns.test(sql)) found = await columns()
        else
          for (const each of dialect.translate(sql)) {
            const given = Object.keys(values).length === 0 ? undefined : values
            found = await answerTo(connection, each, given)
          }
      }
      return found
    } finally {
      connection.disconnectSync()
    }
  }

  async function columns(): Promise<Answer> {
    const reader = await setup.runAndReadAll(
      `select table_name, column_name, data_type from duckdb_columns()
       where database_name = '${dialect.database}' and schema_name = '${namespace}' order by table_name, column_index`,
    )
    const listed = reader
      .getRowsJson()
      .map(([table, name, type]) => dialect.columnOf({ table: String(table), name: String(name), type: String(type) }))
    return { names: Object.keys(listed[0] ?? {}), rows: listed.map((each) => Object.values(each)) }
  }

  return {
    seen,
    run(statements, values) {
      const result = last.then(() => answer(statements, values))
      last = result.catch(() => {})
      return result
    },
    async rows(table) {
      const reader = await setup.runAndReadAll(
        `from "${dialect.database}"."${namespace}"."${table.replaceAll('"', '""')}"`,
      )
      const isNumber = reader.columnTypes().map((type) => ['BIGINT', 'DOUBLE', 'HUGEINT'].includes(String(type)))
      const names = reader.columnNames()
      return byId(
        reader
          .getRowsJson()
          .map((row) =>
            Object.fromEntries(
              row.map((value, at) => [names[at] ?? '', isNumber[at] && value !== null ? Number(value) : value]),
            ),
          ),
      )
    },
    close() {
      setup.disconnectSync()
      instance.closeSync()
    },
  }
}

/** Reads rows as JSON: the driver omits a BOM at the beginning of a text. */
async function answerTo(
  connection: DuckDBConnection,
  statement: string,
  values: Readonly<Record<string, string>> | string[] | undefined,
): Promise<Answer> {
  const isQuery = statement.startsWith('select ')
  const reader = await connection.runAndReadAll(
    isQuery ? `select to_json(q)::varchar as json from (${statement}) q` : statement,
    values,
  )
  if (!isQuery) return { names: reader.columnNames(), rows: reader.getRowsJson().map((row) => row.map(textOf)) }
  const rows = reader.getRowsJson().map(([row]) => JSON.parse(String(row)) as Readonly<Record<string, unknown>>)
  return { names: Object.keys(rows[0] ?? {}), rows: rows.map((row) => Object.values(row).map(textOf)) }
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Breaks long statements where a reader would. */
export function shown(statements: readonly string[], values: readonly string[]): string {
  const lines = statements.map((sql) =>
    sql.replaceAll(/ (?=(?:using \(|when (?:not )?matched|select .* from |values \(|where |on [tl]\.))/g, '\n  '),
  )
  return [...lines.map((sql) => `${sql};`), ...values.map((value, at) => `-- parameter ${at + 1}: ${value}`)].join('\n')
}

/** Adds the columns of one statement one by one. @param list splits what follows `add column` into definitions. */
export function addedOneByOne(sql: string, form: RegExp, between: RegExp): readonly string[] {
  const [, table = '', list = ''] = form.exec(sql) ?? []
  return list === '' ? [sql] : list.split(between).map((each) => `alter table ${table} add column ${each}`)
}
