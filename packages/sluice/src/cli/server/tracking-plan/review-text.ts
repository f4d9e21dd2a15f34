import { printable } from '@sluice/core/printable'
import type { PlanCheck } from '@sluice/http'
import pc from 'picocolors'

const whole = (value: number): string => value.toLocaleString('en')

/** Formats what a plan found for a terminal. */
export function reviewText(report: PlanCheck): string {
  const parts = [reviewSummary(report)]
  for (const group of report.groups)
    parts.push(
      [
        `${pc.yellow('~')} ${pc.bold(groupName(group))}: ${printable(group.first.message)}`,
        `  in ${reachOf(group)}`,
        ...exampleLine(group),
      ].join('\n'),
    )
  if (report.leftOut > 0) parts.push(`${whole(report.leftOut)} violations at further places are left out`)
  if (report.isCut) parts.push('The log has more events; --limit checks more of them.')
  return parts.join('\n\n')
}

/** `8,311 events: 1,204 violate the plan, in 3 groups`. */
export function reviewSummary({ events, violating, groups }: PlanCheck): string {
  if (violating === 0) return `${whole(events)} events: no violation`
  const places = groups.length === 1 ? '1 group' : `${groups.length} groups`
  return `${whole(events)} events: ${whole(violating)} violate the plan, in ${places}`
}

type Group = PlanCheck['groups'][number]

/** `track Bought properties.total (type)`. */
export function groupName({ event, path, rule }: Group): string {
  return printable(`${event}${path === '' ? '' : ` ${path}`} (${rule})`)
}

/** `12 events, 4.1 % of that name`. */
export function reachOf({ count, share }: Group): string {
  return `${whole(count)} ${count === 1 ? 'event' : 'events'}, ${(share * 100).toFixed(1)} % of that name`
}

function exampleLine({ first }: Group): readonly string[] {
  const { messageId, value } = first
  const shown = value === undefined ? [] : [printable(JSON.stringify(value) ?? '')]
  const from = messageId === undefined ? [] : [`in ${printable(messageId)}`]
  const text = [...shown, ...from].join(' ')
  return text === '' ? [] : [`  such as ${text}`]
}
