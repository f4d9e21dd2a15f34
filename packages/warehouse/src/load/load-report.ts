import type { LoadedTable, LoadReport } from '@sluice/destinations'

/** Tables that a report describes one by one: it is stored, shown, and sent as the answer of a call. */
const tablesMax = 100

/** Returns the report of a load, with the sum of the tables that have no room in it: those that nothing happened to besides rows. */
export function boundedReport({ tables, ...report }: LoadReport): LoadReport {
  if (tables.length <= tablesMax) return { ...report, tables }
  const byWeight = [...tables].sort((a, b) => weightOf(b) - weightOf(a))
  const shown = new Set(byWeight.slice(0, tablesMax))
  const others = { tables: 0, rows: 0, discards: 0 }
  for (const table of byWeight.slice(tablesMax)) {
    others.tables += 1
    others.rows += table.rows
    others.discards += table.discards
  }
  return { ...report, tables: tables.filter((table) => shown.has(table)), others }
}

/** Tables with values that did not fit come first, then those with the most rows. */
function weightOf({ rows, discards }: LoadedTable): number {
  return discards * 1_000_000 + rows
}
