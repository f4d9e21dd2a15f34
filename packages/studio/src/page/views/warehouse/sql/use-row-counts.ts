import { usePolled } from '../../../api/polled.ts'
import { cellText, runQuery, toNumber } from './query-answer.ts'
import { literal, quoted } from './sql-names.ts'

export interface Table {
  readonly schema: string
  readonly name: string
}

/** Tables that are counted: DuckDB reads the count of each from the file without its rows. */
const countedMax = 200

interface RowCountsOptions {
  readonly base: string
  readonly tables: readonly Table[]
  /** Another number counts again. */
  readonly syncs: number
}

/** Returns the rows of tables by `schema.name`; empty while they are counted, and where a schema may not be read. */
export function useRowCounts({ base, tables, syncs }: RowCountsOptions): ReadonlyMap<string, number> {
  const sql = rowCountSql(tables)
  const { value } = usePolled(
    `${base} ${syncs} ${sql}`,
    async (signal) => (sql === '' ? undefined : runQuery(base, sql, signal)),
    0,
  ).state.value
  return new Map((value?.rows ?? []).map((row) => [cellText(row['name']), toNumber(row['total']) ?? 0]))
}

/** Returns a query for the rows of each table; empty without any. */
export function rowCountSql(tables: readonly Table[]): string {
  return tables
    .slice(0, countedMax)
    .map(
      ({ schema, name }) =>
        `select ${literal(`${schema}.${name}`)} as name, count(*) as total from ${quoted(schema)}.${quoted(name)}`,
    )
    .join(' union all ')
}
