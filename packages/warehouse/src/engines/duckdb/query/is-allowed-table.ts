import { isJsonObject, type JsonObject } from '@sluice/core'
import type { OwnTables } from './own-tables.ts'

/** The names of tables and columns of the file; they have nothing of its values, and nothing of the machine. */
const described: ReadonlySet<string> = new Set(['tables', 'columns'])
/** `show tables` and `show all tables`, as DuckDB writes them. */
const shown: ReadonlySet<string> = new Set(['"tables"', '__show_tables_expanded'])

/** Whether a part of a statement that names a table, as DuckDB has read it, names one that a query may read. */
export function isAllowedTable(node: JsonObject, own: OwnTables, defined: ReadonlySet<string>): boolean {
  const [catalog, schema, table] = ['catalog_name', 'schema_name', 'table_name'].map((name) => textOf(node[name]))
  if (catalog !== '' && catalog !== own.catalog.toLowerCase()) return false
  if (schema === '') return own.tables.has(table ?? '') || defined.has(table ?? '')
  if (schema === 'information_schema') return catalog === '' && described.has(table ?? '')
  return schema === own.namespace.toLowerCase() && own.tables.has(table ?? '')
}

/** Whether a `show`, `describe` or `summarize` shows only what a query may read. A query in it is checked like any other. */
export function isAllowedShow(node: JsonObject, own: OwnTables): boolean {
  if (isJsonObject(node['query'])) return true
  const schema = textOf(node['schema_name'])
  if (node['show_type'] === 'SHOW_FROM')
    return textOf(node['catalog_name']) === '' && schema === own.namespace.toLowerCase()
  return shown.has(textOf(node['table_name']))
}

/** Returns the names that a `with` defines. */
export function namesDefined(node: JsonObject): readonly string[] {
  const { cte_map: ctes } = node
  const entries = isJsonObject(ctes) ? ctes['map'] : undefined
  if (!Array.isArray(entries)) return []
  return entries.flatMap((entry) => (isJsonObject(entry) ? [textOf(entry['key'])] : []))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : ''
}
