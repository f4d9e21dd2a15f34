import { type Destination, errorTraits, type Source } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { SourceStats } from '@sluice/pipeline'
import { cutName, wrapLine } from '../../../terminal/wrap.ts'

interface FlowReportText {
  readonly text: string
  /** Whether every event is accounted for, at every source and destination. */
  readonly sumsAgree: boolean
}

const summaries: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(errorTraits).map(([code, { summary }]) => [code, summary]),
)
const number = new Intl.NumberFormat('en-US')
const count = (value: number): string => number.format(value)

/** Width of the counts of reasons. */
const countChars = '1,000,000 ×'.length
/** Shortest form of a name. */
const nameCharsMin = 12
const columns = ['accepted', 'delivered', 'dropped', 'failed', 'pending', 'requests'] as const

/**
 * Formats where the events of a workspace went, per source and destination, with reasons, and checks the sums.
 * @param width longest line, in characters; names are shortened and sentences wrapped to fit.
 */
export function flowReport(
  workspace: {
    readonly sources: readonly Pick<Source, 'id' | 'name'>[]
    readonly destinations: readonly Pick<Destination, 'id' | 'name' | 'enabled'>[]
  },
  stats: readonly SourceStats[],
  width: number,
): FlowReportText {
  const nameChars = Math.max(nameCharsMin, width - columns.join('  ').length - 4)
  const nameOf = (name: string): string => cutName(printable(name), nameChars)
  const destinationNames = new Map(
    workspace.destinations.map(({ id, name, enabled }) => [id, enabled ? name : `${name} (disabled)`]),
  )
  const sourceNames = new Map(workspace.sources.map(({ id, name }) => [id, name]))
  const sources: string[][] = [['source', 'received', 'rejected', 'suppressed', 'accepted']]
  const lines: string[][] = [['destination', ...columns]]
  const reasons: string[] = []
  let sumsAgree = true

  for (const source of stats) {
    const name = nameOf(sourceNames.get(source.sourceId) ?? source.sourceId)
    const rejected = sum(source.rejected)
    sumsAgree &&= source.received === rejected + source.suppressed + source.duplicates + source.accepted
    sources.push([name, ...[source.received, rejected, source.suppressed, source.accepted].map(count)])
    const refused = Object.entries(source.rejected).map(([reason, n]) => reasonLine('rejected', n, reason, width))
    if (source.duplicates > 0) refused.push(reasonLine('duplicate', source.duplicates, 'accepted before', width))
    if (refused.length > 0) reasons.push(name, ...refused)

    if (source.destinations.length > 0) lines.push([`${name} →`])
    for (const destination of source.destinations) {
      const { destinationId, accepted, delivered, pending, outputs } = destination
      const dropped = sum(destination.dropped)
      const failed = sum(destination.failed)
      const to = destinationNames.get(destinationId) ?? destinationId
      // Can be less than the source accepted, when the destination was connected later, but never more.
      sumsAgree &&= pending >= 0 && accepted <= source.accepted
      lines.push([`  ${nameOf(to)}`, ...[accepted, delivered, dropped, failed, pending, outputs].map(count)])
      const own = [
        ...Object.entries(destination.dropped).map(([reason, n]) => reasonLine('dropped', n, reason, width)),
        ...Object.entries(destination.failed).map(([code, n]) =>
          reasonLine('failed', n, `${code}: ${summaries[code] ?? ''}`, width),
        ),
      ]
      if (own.length > 0) reasons.push(`${name} → ${nameOf(to)}`, ...own)
    }
  }
  const verdict = sumsAgree
    ? 'The sums agree: received = rejected + suppressed + duplicates + accepted, and accepted = delivered + dropped + failed + pending.'
    : 'THE SUMS DO NOT AGREE: this is a bug in Sluice; please report it with this table.'
  const why = reasons.length === 0 ? [] : ['Reasons', ...reasons, '']
  const text = [table(sources, 1), '', table(lines, 1), '', ...why, wrapLine(verdict, width, 2)].join('\n')
  return { text, sumsAgree }
}

function reasonLine(kind: string, n: number, reason: string, width: number): string {
  const head = `  ${`${count(n)} ×`.padStart(countChars)} ${kind.padEnd('duplicate'.length)}  `
  return wrapLine(head + printable(reason), width, head.length)
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, n) => total + n, 0)
}
