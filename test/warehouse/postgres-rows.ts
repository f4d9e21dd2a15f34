import pg from 'pg'
import { byId } from './describe-warehouse.ts'

/** Returns the rows of a table in order of `id`, with their values as texts, numbers, booleans and null. */
export async function postgresRows(
  client: pg.Client,
  table: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { rows, fields } = await client.query<Record<string, unknown>>(`select * from ${table}`)
  const wide = new Set(fields.flatMap(({ name, dataTypeID }) => (dataTypeID === pg.types.builtins.INT8 ? name : [])))
  return byId(
    rows.map((found) =>
      Object.fromEntries(
        Object.entries(found).map(([name, value]) => [name, wide.has(name) && value ? Number(value) : plain(value)]),
      ),
    ),
  )
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
