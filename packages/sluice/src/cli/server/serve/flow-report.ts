import { errorTraits, type Workspace } from '@sluice/core'
import type { SourceStats } from '@sluice/pipeline'
import { table } from '../../terminal/table.ts'

export interface FlowReportText {
  readonly text: string
  /** Whether every event is accounted for, at every source and destination. */
  readonly sumsAgree: boolean
}

const summaries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(errorTraits).map(([code, { summary }]) => [code, summary]),
)
const number = new Intl.NumberFormat('en-US')
const count = (value: number): string => number.format(value)

/** Formats where the events of a workspace went, per source and destination, with reasons, and checks the sums. */
export function flowReport(workspace: Workspace, stats: readonly SourceStats[]): FlowReportText {
  const destinationNames = new Map(
    workspace.destinations.map(({ id, name, enabled }) => [id, enabled ? name : `${name} (disabled)`]),
  )
  const sourceNames = new Map(workspace.sources.map(({ id, name }) => [id, name]))
  const sources: string[][] = [['source', 'received', 'rejected', 'suppressed', 'accepted']]
  const lines: string[][] = [
    ['source', 'destination', 'accepted', 'delivered', 'dropped', 'failed', 'pending', 'requests'],
  ]
  const reasons: string[][] = []
  let sumsAgree = true

  for (const source of stats) {
    const name = sourceNames.get(source.sourceId) ?? source.sourceId
    const rejected = sum(source.rejected)
    sumsAgree &&= source.received === rejected + source.suppressed + source.duplicates + source.accepted
    sources.push([name, ...[source.received, rejected, source.suppressed, source.accepted].map(count)])
    for (const [reason, n] of Object.entries(source.rejected)) reasons.push([name, '', 'rejected', count(n), reason])

    if (source.duplicates > 0) reasons.push([name, '', 'duplicate', count(source.duplicates), 'accepted before'])

    for (const destination of source.destinations) {
      const { destinationId, accepted, delivered, pending, outputs } = destination
      const dropped = sum(destination.dropped)
      const failed = sum(destination.failed)
      const to = destinationNames.get(destinationId) ?? destinationId
      // Can be less than the source accepted, when the destination was connected later, but never more.
      sumsAgree &&= pending >= 0 && accepted <= source.accepted
      lines.push([name, to, ...[accepted, delivered, dropped, failed, pending, outputs].map(count)])
      for (const [reason, n] of Object.entries(destination.dropped))
        reasons.push([name, to, 'dropped', count(n), reason])
      for (const [code, n] of Object.entries(destination.failed))
        reasons.push([name, to, 'failed', count(n), `${code}: ${summaries[code] ?? ''}`])
    }
  }
  const verdict = sumsAgree
    ? 'The sums agree: received = rejected + suppressed + duplicates + accepted, and accepted = delivered + dropped + failed + pending.'
    : 'THE SUMS DO NOT AGREE: this is a bug in Sluice; please report it with this table.'
  const why = reasons.length === 0 ? [] : ['Reasons', reasonTable(reasons), '']
  return { text: [table(sources, 1), '', table(lines, 2), '', ...why, verdict].join('\n'), sumsAgree }
}

function reasonTable(rows: readonly string[][]): string {
  return table(
    rows.map(([source = '', destination = '', kind = '', n = '', reason = '']) => [
      destination === '' ? source : `${source} → ${destination}`,
      kind,
      `${n} ×`,
      reason,
    ]),
    4,
  )
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, n) => total + n, 0)
}
