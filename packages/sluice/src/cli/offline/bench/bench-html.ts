import { type BenchReport, type Comparison, cellName, milliseconds } from '@sluice/testing'
import {
  cellHead,
  cellRow,
  comparisonText,
  outcomesText,
  percent,
  sharesOf,
  shareText,
  skippedText,
} from './bench-text.ts'
import { escaped, svgBarPlot, svgDotPlot, svgHistogram } from './svg-plot.ts'

/** Colours of bars by isolation level. */
const colours: Readonly<Record<string, string>> = { event: '#7a5195', batch: '#2f6db5', none: '#8a8f98' }

/** Formats the report as a self-contained page: no scripts, no fonts, no network. */
export function benchHtml(report: BenchReport, comparison: Comparison | undefined): string {
  const { name, cells, recommended, eventTimes, limits, hotLines, slowLines, advice } = report
  const bars = cells.map((cell) => ({
    label: `${cell.batch} · ${cell.isolation} · ${cell.workers}`,
    value: cell.eventsPerSecond,
    shown: Math.round(cell.eventsPerSecond).toLocaleString('en'),
    colour: colours[cell.isolation] ?? '#2f6db5',
    isMarked: cell === recommended,
    range: cell.eventsPerSecondQuartiles,
  }))
  const dots = eventTimes.all.map(({ index, timeMs, messageId }) => ({
    x: index + 1,
    y: timeMs,
    title: `event ${index + 1}${messageId === null ? '' : ` (${messageId})`}: ${milliseconds(timeMs)}`,
  }))
  const shareBars = sharesOf(report).map(({ label, ms, share }) => ({
    label,
    value: ms,
    shown: `${milliseconds(ms)} · ${percent(share)}`,
    colour: '#2f6db5',
    isMarked: false,
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(name)} · bench</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1e21; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.advice { background: #eef5ec; border-left: 4px solid #4b8b3b; padding: .6rem 1rem }
table { border-collapse: collapse } td, th { padding: .15rem .8rem .15rem .3rem; text-align: left; vertical-align: top }
th.number { text-align: right; font-weight: 600 }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
code { font: 13px ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }
svg { width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: currentColor }
.dot { fill: #2f6db5; fill-opacity: .6 }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #17191c } .advice { background: #20301c } .dot { fill: #8fc1ff } }
</style>
</head>
<body>
<h1>${escaped(name)}</h1>
<p>${outcomesText(report)}.</p>
<div class="advice">${advice.map((line) => `<p>${escaped(line)}</p>`).join('\n')}</div>
${comparison ? `<h2>Compared</h2><p>${escaped(comparisonText(comparison).trim()).replaceAll('\n', '<br>')}</p>` : ''}
<h2>Events per second, by batch size · isolation · threads</h2>
<p>The whiskers enclose half of the runs of each combination. Colours are levels of isolation.</p>
${svgBarPlot(bars, 'events per second')}
<h2>Time of each event by itself</h2>
<p>p50 ${milliseconds(eventTimes.p50Ms)}, p99 ${milliseconds(eventTimes.p99Ms)}, max ${milliseconds(eventTimes.maxMs)}. Point at a dot to see which event it is.</p>
${svgDotPlot(dots, milliseconds)}
<h2>Distribution of these times</h2>
${svgHistogram(
  eventTimes.all.map(({ timeMs }) => timeMs),
  'time of an event, logarithmic',
  [
    { name: 'p50', value: eventTimes.p50Ms },
    { name: 'p99', value: eventTimes.p99Ms },
    { name: 'max', value: eventTimes.maxMs },
  ],
  milliseconds,
)}
<h2>Where the time of an event goes (${escaped(cellName(recommended))})</h2>
${svgBarPlot(shareBars, 'time per event')}
<h2>Every combination</h2>
${cellTable(report)}
<h2>Hottest lines</h2>
${hotTable(hotLines)}
<h2>Hottest lines of the slowest events</h2>
${hotTable(slowLines)}
<h2>Limits</h2>
<table>
${limits.map(limitRow).join('\n')}
</table>
</body>
</html>
`
}

function cellTable({ cells, skipped, recommended }: BenchReport): string {
  const row = (kind: 'td' | 'th', texts: readonly string[]): string =>
    `<tr>${texts.map((text) => `<${kind} class="number">${escaped(text)}</${kind}>`).join('')}</tr>`
  const rows = cells.map((cell) => row('td', [...cellRow(cell), cell === recommended ? 'recommended' : '']))
  const left = skipped.map((cell) => `<p>${escaped(skippedText(cell))}</p>`)
  return `<p>Times are per event: the time of a batch divided by its size.</p>
<table>
${[row('th', [...cellHead, '']), ...rows].join('\n')}
</table>
${left.join('\n')}`
}

function hotTable(lines: BenchReport['hotLines']): string {
  if (lines.length === 0) return '<p>No line takes long enough to be measured.</p>'
  return `<table>\n${lines.map(hotRow).join('\n')}\n</table>`
}

function hotRow(hot: BenchReport['hotLines'][number]): string {
  const { module, line, source, share, msPerEvent, hits, isCounted } = hot
  return `<tr style="background: rgba(214, 90, 60, ${(share * 0.6).toFixed(2)})"><td>${escaped(module)}:${line}</td><td><code>${escaped(source)}</code></td><td class="number">${shareText(hot)}</td><td class="number">${milliseconds(msPerEvent)}</td><td class="number">${hits.toLocaleString('en')} ×${isCounted ? ', counted' : ''}</td></tr>`
}

function limitRow({ limit, used, allowed, unit }: BenchReport['limits'][number]): string {
  const shown = unit === 'ms' ? milliseconds(used) : `${used.toLocaleString('en')} ${unit}`
  return `<tr><td>${escaped(limit)}</td><td class="number">${shown}</td><td class="number">of ${allowed.toLocaleString('en')} ${unit}</td></tr>`
}
