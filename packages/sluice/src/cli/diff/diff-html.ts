import { type ChangeGroup, type DiffReport, groupName } from '@sluice/testing'
import { escaped } from '../offline/bench/svg-plot.ts'
import { reachOf, summaryOf, totalRows } from './diff-text.ts'

/** Formats a report as a self-contained page: no scripts, no fonts, no network. */
export function diffHtml(report: DiffReport, open: readonly ChangeGroup[]): string {
  const isOpen = new Set(open)
  const [head = [], ...rows] = totalRows(report)
  const cells = (kind: 'td' | 'th', texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${kind}>${escaped(text)}</${kind}>`).join('')}</tr>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>sluice diff</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#1c1e21, #e6e6e6); --line: light-dark(#d8dbe0, #3a3f46); --gone: light-dark(#a3261b, #ff9d92); --new: light-dark(#1d6b2f, #86d79a) }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: var(--ink); background: light-dark(#fff, #17191c) }
h1 { font-size: 1.4rem } table { border-collapse: collapse } td, th { padding: .15rem 1rem .15rem 0; text-align: left; font-variant-numeric: tabular-nums }
section { border-top: 1px solid var(--line); padding: .6rem 0 } h2 { font: 600 14px ui-monospace, monospace; overflow-wrap: anywhere; margin: 0 }
pre { font: 13px ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 } .gone { color: var(--gone) } .new { color: var(--new) } p { margin: .2rem 0 }
</style>
</head>
<body>
<h1>${escaped(summaryOf(report))}</h1>
<table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table>
${report.groups.map((group) => section(group, report, isOpen.has(group))).join('\n')}
${report.groupsLeftOut > 0 ? `<p>${report.groupsLeftOut} changes at further places are left out.</p>` : ''}
</body>
</html>
`
}

function section(group: ChangeGroup, report: DiffReport, isOpen: boolean): string {
  const { event, messageId, before, after } = group.example
  const value = (sign: string, kind: string, of: unknown): string =>
    of === undefined ? '' : `<pre class="${kind}">${sign} ${escaped(JSON.stringify(of, null, 1))}</pre>`
  return `<section>
<h2>${isOpen ? '' : '(accepted) '}${escaped(groupName(group))}</h2>
<p>${escaped(reachOf(group, report))}, such as event ${event}${messageId === null ? '' : ` (${escaped(messageId)})`}</p>
${value('-', 'gone', before)}${value('+', 'new', after)}
</section>`
}
