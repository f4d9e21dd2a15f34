import { dialectOf } from '../dialects/dialect-of.ts'
import { type ColumnName, ColumnNames, type PathNames } from './column-names.ts'
import { createNameRules } from './name-rules.ts'

/** What the names of columns begin with, by the member of an event whose keys become columns. */
const prefixes: Readonly<Record<string, string>> = { properties: '', traits: '', context: 'context' }

/**
 * Finds keys whose column has the name of another key's: `na!e` and `na%e` are both `na_e`. An event that has both writes the
 * second into a column with a suffix, in the order of its members. Source: packages/docs/behaviour/warehouses.md#names.
 *
 * @param paths key paths of a schema, such as `properties.na!e`.
 * @returns the column with a suffix, by key path, of all keys that share a name; in lower case, as PostgreSQL has it.
 * @example
 * ```ts
 * import { sharedColumns } from '@sluice/warehouse'
 *
 * console.log(sharedColumns(['properties.na!e', 'properties.na%e'])) // { 'properties.na!e': 'na_e_f58a4ca8', 'properties.na%e': 'na_e_d8db0893' }
 * ```
 */
export function sharedColumns(paths: readonly string[]): Readonly<Record<string, string>> {
  const dialect = dialectOf('postgres')
  const rules = createNameRules(dialect, {
    casing: 'default',
    skipsReserved: false,
    guardsLoads: false,
    keepsNames: true,
  })
  const names = new ColumnNames(rules, new Set(), dialect.nameLengthMax)
  const byColumn = new Map<
    string,
    { readonly path: string; readonly place: PathNames; readonly column: ColumnName }[]
  >()
  for (const path of paths) {
    const [member = '', ...keys] = path.split('.')
    const prefix = prefixes[member]
    if (prefix === undefined || keys.length === 0) continue
    const place = keys.reduce((above, key) => names.below(above, key), names.root(prefix))
    const column = names.of(place)
    if (column === null) continue
    // Only keys of the same object: others overwrite each other, as in RudderStack.
    const id = JSON.stringify([member, keys.slice(0, -1), column.name])
    const group = byColumn.get(id) ?? []
    group.push({ path, place, column })
    byColumn.set(id, group)
  }
  const shared = [...byColumn.values()].filter((group) => group.length > 1).flat()
  return Object.fromEntries(shared.map(({ path, place, column }) => [path, names.besides(place, column).name]))
}
