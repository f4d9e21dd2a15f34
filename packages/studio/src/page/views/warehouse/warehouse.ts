/** One load, or an attempt at one, as `GET /v2/warehouses/{id}/loads` shows it. */
export interface Load {
  readonly startedAt: string
  readonly endedAt: string
  readonly events: number
  readonly loadId?: string
  readonly tables?: readonly LoadedTable[]
  readonly others?: { readonly tables: number; readonly rows: number }
  readonly leftOut?: { readonly tables: number; readonly rows: number }
  readonly error?: string
}

export interface LoadedTable {
  readonly table: string
  readonly rows: number
  readonly discards: number
  readonly reasons: readonly { readonly column: string; readonly reason: string; readonly values: number }[]
  readonly newColumns: readonly { readonly name: string; readonly type: string }[]
  readonly isNew: boolean
}

/** A warehouse, as `GET /v2/warehouses` shows it. */
export interface Warehouse {
  readonly destinationId: string
  /** Events that were accepted, and are not loaded yet. */
  readonly pending: number
  readonly collected: number
  readonly failingSince?: string
  readonly lastLoad?: Load
}

export interface Conflict {
  readonly table: string
  readonly column: string
  readonly reason: string
}

/** Sums the tables of loads, by name. */
export function loadedTables(loads: readonly Load[]): readonly LoadedTable[] {
  const byName = new Map<string, LoadedTable>()
  for (const each of loads.flatMap(({ tables = [] }) => tables)) {
    const before = byName.get(each.table)
    byName.set(each.table, {
      ...each,
      rows: each.rows + (before?.rows ?? 0),
      discards: each.discards + (before?.discards ?? 0),
      reasons: [...(before?.reasons ?? []), ...each.reasons],
    })
  }
  return [...byName.values()].sort((a, b) => (a.table < b.table ? -1 : 1))
}

/** Values of one column that did not fit for one reason. */
export interface Misfit extends Conflict {
  /** Values in the last loads; undefined where only the catalogue says that they will not fit. */
  readonly values?: number
}

/** Returns what did not fit in loads, by column and reason, the most frequent first; then what will not fit. */
export function misfitsOf(loads: readonly Load[], conflicts: readonly Conflict[]): readonly Misfit[] {
  const byKey = new Map<string, Misfit>()
  for (const { table, reasons } of loads.flatMap(({ tables = [] }) => tables))
    for (const { column, reason, values } of reasons) {
      const key = `${table} ${column} ${reason}`
      byKey.set(key, { table, column, reason, values: values + (byKey.get(key)?.values ?? 0) })
    }
  const seen = [...byKey.values()].sort((a, b) => (b.values ?? 0) - (a.values ?? 0))
  return [...seen, ...conflicts.filter(({ table, column, reason }) => !byKey.has(`${table} ${column} ${reason}`))]
}
