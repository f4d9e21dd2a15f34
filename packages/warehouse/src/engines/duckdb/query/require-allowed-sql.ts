import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { WarehouseError } from '../../../load/warehouse-error.ts'
import { loadDuckDB } from '../load-duckdb.ts'
import { closedOff } from './query-duckdb.ts'

/** Functions that give tables, and read nothing but the file: others switch on logs, read settings, or run more SQL. */
const tableFunctions = new Set(
  'range generate_series unnest repeat repeat_row json_each json_tree histogram histogram_values summary duckdb_tables duckdb_columns duckdb_schemas duckdb_views duckdb_types pragma_table_info'.split(
    ' ',
  ),
)
/** Functions with effects that harm no one. */
const harmless = ['random', 'uuid', 'uuidv4', 'uuidv7', 'gen_random_uuid', 'error']
/** What DuckDB takes for a function without effects. */
const harmful = new Set(['pg_sleep', 'current_setting'])

/**
 * Checks SQL of a person before it is run: one statement that reads, with functions that DuckDB itself knows and that have
 * no effects. DuckDB reads the SQL, so that nothing can be hidden from the check.
 *
 * @throws WarehouseError that says what is not allowed.
 */
export async function requireAllowedSql(sql: string): Promise<void> {
  const { DuckDBInstance } = await loadDuckDB()
  const instance = await DuckDBInstance.create(':memory:', { ...closedOff, access_mode: 'AUTOMATIC' })
  const connection = await instance.connect()
  try {
    const rowsOf = async (text: string, values: string[] = []) =>
      (await connection.runAndReadAll(text, values)).getRowObjectsJson() as readonly JsonObject[]
    const [read] = await rowsOf('select json_serialize_sql($1::varchar) as tree', [sql])
    const tree = JSON.parse(String(read?.['tree'])) as JsonObject
    if (tree['error'] === true) throw refusal(String(tree['error_message']))
    const statements = tree['statements']
    if (!Array.isArray(statements) || statements.length !== 1) throw refusal('Send one statement.')
    const known = await rowsOf(
      "select distinct function_name as name from duckdb_functions() where function_type in ('scalar', 'aggregate', 'macro') and not coalesce(has_side_effects, false)",
    )
    const functions = new Set([...harmless, ...known.map(({ name }) => String(name))])
    for (const name of harmful) functions.delete(name)
    requireFunctions(statements, functions)
  } finally {
    connection.disconnectSync()
    instance.closeSync()
  }
}

function requireFunctions(node: JsonValue, functions: ReadonlySet<string>): void {
  const open: { readonly value: JsonValue; readonly isTable: boolean }[] = [{ value: node, isTable: false }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, isTable } = next
    if (Array.isArray(value)) open.push(...value.map((each) => ({ value: each, isTable: false })))
    if (!isJsonObject(value)) continue
    const { function_name: name } = value
    if (typeof name === 'string' && name !== '') {
      const isKnown = (isTable ? tableFunctions : functions).has(name.toLowerCase())
      if (!isKnown) throw refusal(`The function ${name.slice(0, 100)} is not allowed.`)
    }
    for (const [key, member = null] of Object.entries(value))
      open.push({ value: member, isTable: key === 'function' && value['type'] === 'TABLE_FUNCTION' })
  }
}

function refusal(what: string): WarehouseError {
  return new WarehouseError(
    `${what} A query is one statement that only reads: select, with, from, show, describe or summarize.`,
    'QUERY_REFUSED',
  )
}
