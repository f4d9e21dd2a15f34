import { table } from '@sluice/core/table'

/** What a load did to a table, or would do. */
interface ReportedTable {
  readonly table: string
  readonly rows: number
  readonly discards: number
  readonly reasons: readonly { readonly column: string; readonly reason: string; readonly values: number }[]
  readonly newColumns: readonly { readonly name: string; readonly type: string }[]
  readonly isNew: boolean
}

/** One attempt at a load, as the server reports it. */
export interface ReportedLoad {
  readonly startedAt: string
  readonly endedAt: string
  readonly events: number
  readonly loadId?: string
  readonly tables?: readonly ReportedTable[]
  readonly others?: { readonly tables: number; readonly rows: number; readonly discards: number }
  readonly leftOut?: { readonly tables: number; readonly rows: number }
  readonly error?: string
}

/** The state of a warehouse, as the server reports it. */
export interface ReportedState {
  readonly destinationId: string
  readonly pending: number
  readonly failingSince?: string
  readonly lastLoad?: ReportedLoad
}

/** Returns a line per warehouse, and the reason where loads fail. */
export function statesText(states: readonly ReportedState[]): string {
  if (states.length === 0) return 'No warehouse in this workspace.'
  const rows = states.map(({ destinationId, pending, failingSince, lastLoad }) => [
    destinationId,
    String(pending),
    lastLoad?.endedAt ?? 'none yet',
    failingSince === undefined ? 'works' : `fails since ${failingSince}`,
  ])
  const reasons = states.flatMap(({ destinationId, lastLoad }) =>
    lastLoad?.error === undefined ? [] : [`${destinationId}: ${lastLoad.error}`],
  )
  return [table([['warehouse', 'waiting events', 'last attempt', 'state'], ...rows], 4), ...reasons].join('\n')
}

/** Returns a line per attempt, with what changed in tables. */
export function loadsText(loads: readonly ReportedLoad[]): string {
  if (loads.length === 0) return 'No load yet.'
  return loads.map(loadText).join('\n')
}

/** Returns one attempt as text. */
export function loadText({ startedAt, endedAt, events, tables = [], others, leftOut, error }: ReportedLoad): string {
  const ms = Date.parse(endedAt) - Date.parse(startedAt)
  const head = `${endedAt}  ${events} events in ${ms} ms`
  if (error !== undefined) return `${head}  failed: ${error}`
  const more = [
    ...tables.map(tableText),
    ...(others ? [`${others.tables} other tables: ${others.rows} rows`] : []),
    ...(leftOut ? [leftOutText(leftOut)] : []),
  ]
  return [head, ...more.map((line) => `    ${line}`)].join('\n')
}

/** Says what became of events beyond the limit of new tables. */
function leftOutText({ tables, rows }: NonNullable<ReportedLoad['leftOut']>): string {
  return `${rows} rows of ${tables} new tables were left out, because a source made more than newTablesPerHour: these events are in tracks only`
}

/** Returns what a load did to a table, or would do. */
export function tableText({ table: name, rows, discards, newColumns, isNew }: ReportedTable): string {
  const columns = newColumns.map((column) => `${column.name} ${column.type}`).join(', ')
  const more = [
    ...(isNew ? [`new, with ${newColumns.length} columns`] : newColumns.length > 0 ? [`new columns: ${columns}`] : []),
    ...(discards > 0 ? [discards === 1 ? '1 value does not fit' : `${discards} values do not fit`] : []),
  ]
  return `${name}: ${rows} ${rows === 1 ? 'row' : 'rows'}${more.length > 0 ? ` (${more.join('; ')})` : ''}`
}

/** A column that does not fit values that were seen, as the server reports it. */
export interface ReportedConflict {
  readonly table: string
  readonly column: string
  readonly reason: string
}

/** Returns a line per column. */
export function conflictsText(conflicts: readonly ReportedConflict[]): string {
  if (conflicts.length === 0) return 'All values that were seen fit the tables.'
  const rows = conflicts.map(({ table: name, column, reason }) => [name, column, reason])
  return table([['table', 'column', 'reason'], ...rows], 3)
}
