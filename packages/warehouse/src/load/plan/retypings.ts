import type { LiveColumn, LiveSchema } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import type { ColumnType } from '../../rows/columns/column-type.ts'
import { standardTypeOf } from '../../rows/columns/standard-types.ts'
import type { StagedTable } from '../staged-rows.ts'

/**
 * Tables with more rows keep their types: a change writes the table again, and locks it meanwhile. About ten seconds on a
 * usual server.
 */
export const retypedRowsMax = 1_000_000

/**
 * Returns the columns whose type should change before these rows are loaded: those of whole numbers that get a fraction, and standard
 * columns with a type that an odd first value has given them, as far as the product has a way to. Pure. Source: packages/docs/behaviour/warehouses.md#schema.
 */
export function retypingsOf(
  staged: readonly StagedTable[],
  live: LiveSchema,
  possible: readonly Retyping['to'][] = [],
): readonly Retyping[] {
  return staged.flatMap((table) =>
    [...(live.get(table.table) ?? [])].flatMap(([column, { type }]) => {
      if (type === undefined) return []
      const to = betterType(table, column, type)
      return to === undefined || !possible.includes(to) ? [] : [{ table: table.table, column, from: type, to }]
    }),
  )
}

/** Returns the tables with these columns in their new types, for a plan of a load that is not done. */
export function withRetypings(live: LiveSchema, retypings: readonly Retyping[]): Map<string, Map<string, LiveColumn>> {
  const changed = new Map([...live].map(([table, columns]) => [table, new Map(columns)]))
  // Whether texts are all times is only known to the warehouse.
  for (const { table, column, to } of retypings.filter(({ to }) => to !== 'datetime'))
    changed.get(table)?.set(column, { type: to, native: to } satisfies LiveColumn)
  return changed
}

function betterType(table: StagedTable, column: string, type: ColumnType): Retyping['to'] | undefined {
  const standard = standardTypeOf(table.table, column)
  // Ids that became times are found by each way to write them only while they are times.
  if (standard === 'string') return type === 'int' || type === 'boolean' ? 'string' : undefined
  if (standard === 'datetime') return type === 'string' || type === 'text' ? 'datetime' : undefined
  return type === 'int' && hasFraction(table, column) ? 'float' : undefined
}

function hasFraction({ columns, rows }: StagedTable, column: string): boolean {
  const type = columns.get(column)
  if (type === undefined || type === 'int' || type === 'boolean' || type === 'datetime') return false
  return rows.some(({ names, types, values }) => {
    const at = names.indexOf(column)
    return at !== -1 && types[at] === 'float' && typeof values[at] === 'number' && !Number.isInteger(values[at])
  })
}
