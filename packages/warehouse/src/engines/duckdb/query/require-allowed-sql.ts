import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { WarehouseError } from '../../../load/warehouse-error.ts'
import type { DuckDBConnection } from '../load-duckdb.ts'
import { isAllowedShow, isAllowedTable, namesDefined } from './is-allowed-table.ts'
import type { OwnTables } from './own-tables.ts'

/**
 * Functions that give tables, and read nothing but the file: others switch on logs, read settings, run more SQL, or take the
 * name of a table as a text.
 */
const tableFunctions = new Set(
  'range generate_series unnest repeat repeat_row json_each json_tree summary duckdb_tables duckdb_columns'.split(' '),
)
/** Functions with effects that harm no one. */
const harmless = ['random', 'uuid', 'uuidv4', 'uuidv7', 'gen_random_uuid', 'error']
/** What DuckDB takes for a function without effects. A plan of SQL in a text has the values of settings. */
const harmful = new Set(['pg_sleep', 'current_setting', 'json_serialize_plan'])

/** What a statement may use. */
interface Allowed {
  readonly own: OwnTables
  readonly functions: ReadonlySet<string>
  /** Names that the statement defines. */
  readonly defined: ReadonlySet<string>
}

/**
 * Checks SQL of a person before it is run: one statement that reads, with functions that DuckDB itself knows and that have
 * no effects, from tables of its own schema. DuckDB reads the SQL, so that nothing can be hidden from the check.
 *
 * @param connection any connection; nothing of the SQL is run. @throws WarehouseError that says what is not allowed.
 */
export async function requireAllowedSql(connection: DuckDBConnection, sql: string, own: OwnTables): Promise<void> {
  const rowsOf = async (text: string, values: string[] = []) =>
    (await connection.runAndReadAll(text, values)).getRowObjectsJson() as readonly JsonObject[]
  const namesOf = async (text: string) => new Set((await rowsOf(text)).map(({ name }) => String(name)))
  const [read] = await rowsOf('select system.main.json_serialize_sql($1::varchar) as tree', [sql])
  const tree = JSON.parse(String(read?.['tree'])) as JsonObject
  if (tree['error'] === true) throw refusal(String(tree['error_message']))
  const statements = tree['statements']
  if (!Array.isArray(statements) || statements.length !== 1) throw refusal('Send one statement.')
  // A macro is SQL, and may read what a statement may not. Those of the file are not DuckDB's.
  const known = await namesOf(
    "select distinct function_name as name from duckdb_functions() where internal and function_type in ('scalar', 'aggregate', 'macro') and not coalesce(has_side_effects, false) and not regexp_matches(coalesce(macro_definition, ''), '(?i)\\bfrom\\s')",
  )
  const functions = new Set([...harmless, ...known])
  for (const name of harmful) functions.delete(name)
  const system = await namesOf('select lower(view_name) as name from duckdb_views() where internal')
  requireAllowed(statements, { own, functions, defined: definedIn(statements, system) })
}

/** Returns the names that a statement defines. Where they are defined is not followed, so none may be that of a view of DuckDB. */
function definedIn(statements: JsonValue, system: ReadonlySet<string>): ReadonlySet<string> {
  const defined = new Set<string>()
  for (const node of objectsIn(statements))
    for (const name of namesDefined(node)) {
      if (system.has(name)) throw refusal(`The name ${shownName(name)} is one of DuckDB; choose another.`)
      defined.add(name)
    }
  return defined
}

function requireAllowed(statements: JsonValue, { own, functions, defined }: Allowed): void {
  const ofTables = new Set<JsonObject>()
  for (const node of objectsIn(statements)) {
    const { type, function: called, function_name: name } = node
    if (type === 'TABLE_FUNCTION' && isJsonObject(called)) ofTables.add(called)
    if (typeof name === 'string' && name !== '') {
      const isKnown = (ofTables.has(node) ? tableFunctions : functions).has(name.toLowerCase())
      if (!isKnown) throw refusal(`The function ${shownName(name)} is not allowed.`)
    }
    if (type === 'BASE_TABLE' && !isAllowedTable(node, own, defined))
      throw refusal(`The table ${shownName(node['table_name'])} is not allowed, or does not exist in ${own.namespace}.`)
    if (type === 'SHOW_REF' && !isAllowedShow(node, own))
      throw refusal(`Only the tables of ${own.namespace} can be shown.`)
  }
}

/** Returns all objects in a value, each before those in it. */
function* objectsIn(value: JsonValue): Iterable<JsonObject> {
  const open: JsonValue[] = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isJsonObject(next)) yield next
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next)) if (member !== undefined) open.push(member)
  }
}

function shownName(name: unknown): string {
  return String(name).slice(0, 100)
}

function refusal(what: string): WarehouseError {
  return new WarehouseError(
    `${what} A query is one statement that only reads: select, with, from, show, describe or summarize.`,
    'QUERY_REFUSED',
  )
}
