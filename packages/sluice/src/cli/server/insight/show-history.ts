import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { HistoryReportAnswer } from '@sluice/http'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags } from '../ask-server.ts'

type Workspace = HistoryReportAnswer['workspaces'][number]
type Series = Workspace['series'][number]

/** Reasons that are listed: the most frequent. */
const reasonsMax = 20
const number = new Intl.NumberFormat('en-US')

/** Runs `sluice stats --range`. */
export async function showHistory(range: string, flags: ServerFlags): Promise<void> {
  const history = await askServer<HistoryReportAnswer>(flags, 'GET', `/v2/history?range=${encodeURIComponent(range)}`)
  if (flags.json) return printLine(JSON.stringify(history, null, 2))
  for (const { workspaceId, ...workspace } of history.workspaces) {
    printLine(`Workspace ${printable(workspaceId)}, ${history.since} to ${history.until}\n`)
    printLine(historyText(workspace))
  }
}

/** Formats the sums of a time by source and destination, with delays and the most frequent reasons. */
function historyText({ series, delays }: Pick<Workspace, 'series' | 'delays'>): string {
  const sum = (chosen: readonly Series[], kind: string): string =>
    number.format(chosen.reduce((total, each) => (each.kind === kind ? total + each.total : total), 0))
  const sources = new Set(series.flatMap(({ sourceId }) => (sourceId === '' ? [] : sourceId)))
  const sourceRows = [...sources].map((id) => {
    const own = series.filter((each) => each.sourceId === id && each.destinationId === undefined)
    return [printable(id), ...['received', 'rejected', 'suppressed', 'accepted'].map((kind) => sum(own, kind))]
  })
  const destinations = new Set(series.flatMap(({ destinationId }) => destinationId ?? []))
  const destinationRows = [...destinations].map((id) => {
    const own = series.filter(({ destinationId }) => destinationId === id)
    const delay = delays.find(({ destinationId, of }) => destinationId === id && of === 'delivery')
    return [
      printable(id),
      ...['delivered', 'dropped', 'failed', 'retried'].map((kind) => sum(own, kind)),
      ...(delay ? [delay.halfWithinMs, delay.almostAllWithinMs].map(within) : ['', '']),
    ]
  })
  const reasons = series
    .filter(({ kind, reason }) => reason !== undefined && ['rejected', 'dropped', 'failed'].includes(kind))
    .sort((a, b) => b.total - a.total)
    .slice(0, reasonsMax)
    .map(({ kind, reason = '', sourceId, destinationId, total }) => [
      `${number.format(total)} ×`,
      kind,
      `${printable(destinationId ?? sourceId)}: ${printable(reason)}`,
    ])
  const columns = ['delivered', 'dropped', 'failed', 'retried', 'half within', '99 % within']
  return [
    table([['source', 'received', 'rejected', 'suppressed', 'accepted'], ...sourceRows], 1),
    '',
    table([['destination', ...columns], ...destinationRows], 1),
    ...(reasons.length > 0 ? ['', 'Reasons', reasonTable(reasons)] : []),
    '',
  ].join('\n')
}

function reasonTable(rows: readonly (readonly string[])[]): string {
  const width = Math.max(...rows.map(([count = '']) => count.length))
  return rows
    .map(([count = '', kind = '', why = '']) => `  ${count.padStart(width)} ${kind.padEnd(8)}  ${why}`)
    .join('\n')
}

function within(ms: number | undefined): string {
  if (ms === undefined) return 'over 3 h'
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${ms / 1_000} s`
  return ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`
}
