import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import { type ChangeGroup, type DiffReport, groupName, milliseconds } from '@sluice/testing'
import pc from 'picocolors'

const whole = (value: number): string => value.toLocaleString('en')
/** Characters of a value of an example. */
const valueMax = 300
const namesShown = 3

/** Formats a report for a terminal. */
export function diffText(report: DiffReport, open: readonly ChangeGroup[]): string {
  const isOpen = new Set(open)
  const parts = [summaryOf(report), table(totalRows(report), 1)]
  for (const group of report.groups) {
    const name = printable(groupName(group))
    const mark = isOpen.has(group) ? pc.yellow('~') : pc.dim('accepted')
    parts.push([`${mark} ${pc.bold(name)}`, `  in ${reachOf(group, report)}`, ...exampleLines(group)].join('\n'))
  }
  if (report.groupsLeftOut > 0) parts.push(`${whole(report.groupsLeftOut)} changes at further places are left out`)
  return parts.join('\n\n')
}

/** `8,311 events: 1,204 differ, in 3 groups`. */
export function summaryOf({ events, changed, groups }: DiffReport): string {
  if (changed === 0) return `${whole(events)} events: no difference`
  const places = groups.length === 1 ? '1 group' : `${groups.length} groups`
  return `${whole(events)} events: ${whole(changed)} differ, in ${places}`
}

/** `1,204 of 8,311 events (Order Completed 1,190, Cart Viewed 14)`. */
export function reachOf({ events, byName }: ChangeGroup, report: DiffReport): string {
  const named = byName.slice(0, namesShown).map((each) => `${printable(each.name)} ${whole(each.events)}`)
  const more = byName.length > namesShown ? ', …' : ''
  return `${whole(events)} of ${whole(report.events)} events (${named.join(', ')}${more})`
}

/** Outcomes and times of both sides, with a heading. */
export function totalRows({ before, after }: DiffReport): readonly (readonly string[])[] {
  const row = (name: string, of: (side: DiffReport['before']) => string): readonly string[] => [
    name,
    of(before),
    of(after),
  ]
  return [
    ['', 'before', 'after'],
    row('passed', ({ passed }) => whole(passed)),
    row('dropped', ({ dropped }) => whole(dropped)),
    row('failed', ({ failed }) => whole(failed)),
    row('requests', ({ requests }) => whole(requests)),
    row('time per event, p50', ({ p50Ms }) => milliseconds(p50Ms)),
    row('time per event, p99', ({ p99Ms }) => milliseconds(p99Ms)),
  ]
}

/** The values of an example as JSON, each on its line. */
function exampleLines({ example }: ChangeGroup): readonly string[] {
  const { event, messageId, before, after } = example
  const shown = (value: unknown): string => {
    const text = printable(JSON.stringify(value) ?? '')
    return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text
  }
  const about = messageId === null ? '' : ` (${printable(messageId)})`
  return [
    `  such as event ${event}${about}`,
    ...(before === undefined ? [] : [pc.red(`  - ${shown(before)}`)]),
    ...(after === undefined ? [] : [pc.green(`  + ${shown(after)}`)]),
  ]
}
