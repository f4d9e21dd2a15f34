import { table } from '@sluice/core/table'
import { queryDuckDB } from '@sluice/warehouse'

/** Questions to the warehouse of the sample, and their answers in SQL. */
const queries = [
  {
    question: 'Orders per day',
    sql: `select coalesce(original_timestamp, received_at)::date as day, count(*) as orders,
  round(sum(try_cast(total as double)), 2) as total
from shop.order_completed group by day order by day`,
  },
  {
    question: 'Users from product view to order',
    sql: `select count(distinct viewed.user_id) as viewed, count(distinct added.user_id) as added,
  count(distinct ordered.user_id) as ordered
from shop.product_viewed viewed
  left join shop.product_added added using (user_id)
  left join shop.order_completed ordered on ordered.user_id = added.user_id`,
  },
  {
    question: 'Events per source',
    sql: `select context_source_id as source, count(*) as tracks, count(distinct user_id) as users
from shop.tracks group by source order by tracks desc`,
  },
] as const

/**
 * Returns the answers of three queries to the warehouse of the sample, with the queries.
 * @param path of the DuckDB file; undefined where DuckDB is not installed, which the text says then.
 */
export async function sampleQueries(path: string | undefined): Promise<string> {
  if (path === undefined) return '\nNo warehouse: DuckDB is not installed. npm install @duckdb/node-api adds it.'
  const answers: string[] = []
  for (const { question, sql } of queries) {
    const rows = await queryDuckDB(path, sql)
    const names = Object.keys(rows[0] ?? {})
    const lines = rows.map((row) => names.map((name) => String(row[name] ?? '')))
    answers.push(`${question}:\n${indented(sql)}\n\n${indented(table([names, ...lines], 1))}`)
  }
  return `\nThe warehouse has these events as tables.\n\n${answers.join('\n\n')}\n\nWarehouse: ${path} (duckdb ${path})`
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
