import { printable } from '@sluice/core/printable'
import { type ChangeGroup, type DiffReport, groupName } from '@sluice/testing'
import { markdownCode } from '../terminal/markdown-code.ts'
import { reachOf, summaryOf, totalRows } from './diff-text.ts'

/** Groups that are shown; a comment on a pull request has a limit. */
const groupsShown = 50
const valueMax = 500

/** Formats a report as Markdown for a pull request. @param isMasked whether personal data is masked in it. */
export function diffMarkdown(report: DiffReport, open: readonly ChangeGroup[], isMasked: boolean): string {
  const isOpen = new Set(open)
  const shown = report.groups.slice(0, groupsShown)
  const left = report.groups.length - shown.length
  const [head = [], ...rows] = totalRows(report)
  return `${[
    `### sluice diff: ${summaryOf(report)}`,
    [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n'),
    ...shown.map((group) => groupText(group, report, isOpen.has(group))),
    ...(left > 0 ? [`${left} more groups are left out.`] : []),
    isMasked
      ? 'Nothing was sent. Values of examples are masked where they look like personal data.'
      : 'Nothing was sent. Personal data of examples is shown.',
  ].join('\n\n')}\n`
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function groupText(group: ChangeGroup, report: DiffReport, isOpen: boolean): string {
  const { before, after, event, messageId } = group.example
  const lines = [
    ...(before === undefined ? [] : [`- ${valueText(before)}`]),
    ...(after === undefined ? [] : [`+ ${valueText(after)}`]),
  ]
  const about = messageId === null ? '' : ` (${markdownCode(messageId)})`
  const example = lines.length === 0 ? '' : `\n\n${fenced(lines.join('\n'))}`
  return `- ${isOpen ? '' : '(accepted) '}${markdownCode(groupName(group))}: ${escaped(reachOf(group, report))}, such as event ${event}${about}${example}`
}

function valueText(value: unknown): string {
  const text = printable(JSON.stringify(value) ?? '')
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text
}

/** A fence longer than any in the text, so that no value ends it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}diff\n${text}\n${fence}`
}

const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]<>()#+!|~-]/g, '\\$&')
