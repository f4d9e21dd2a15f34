import { printable } from '@sluice/core/printable'
import type { PlanCheck } from '@sluice/http'
import { markdownCode } from '../../terminal/markdown-code.ts'
import { groupName, reachOf, reviewSummary } from './review-text.ts'

/** Groups that are shown; a comment on a pull request has a limit. */
const groupsShown = 50

/** Formats what a plan found as Markdown for a pull request. */
export function reviewMarkdown(report: PlanCheck): string {
  const left = report.groups.length - groupsShown
  return `${[
    `### sluice plan check: ${reviewSummary(report)}`,
    ...(report.groups.length === 0 ? [] : [report.groups.slice(0, groupsShown).map(lineOf).join('\n')]),
    ...(left > 0 ? [`${left} more groups are left out.`] : []),
    'Nothing was sent. Values are masked where they look like personal data.',
  ].join('\n\n')}\n`
}

function lineOf(group: PlanCheck['groups'][number]): string {
  const { value, messageId } = group.first
  const shown = value === undefined ? '' : `, such as ${markdownCode(printable(JSON.stringify(value) ?? ''))}`
  const from = messageId === undefined ? '' : ` (${markdownCode(messageId)})`
  return `- ${markdownCode(groupName(group))}: ${reachOf(group)}${shown}${from}`
}
