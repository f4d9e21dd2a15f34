import { stripVTControlCharacters } from 'node:util'
import { type BenchReport, type Comparison, cellName, milliseconds } from '@sluice/testing'
import { comparisonText } from './bench-text.ts'
import { barPlot, dotPlot, escaped } from './svg-plot.ts'

/** Levels of isolation are the colours of bars. */
const colours: Readonly<Record<string, string>> = { event: '#7a5195', batch: '#2f6db5', none: '#8a8f98' }

/** The report as one page that needs nothing else: no scripts, no fonts, no network. */
export function benchHtml(report: BenchReport, comparison: Comparison | undefined): string {
  const { name, events, outcomes, cells, recommended, eventTimes, shares, limits, hotLines, advice } = report
  const all = shares.crossingInMs + shares.userCodeMs + shares.crossingOutMs
  const bars = cells.map((cell) => ({
    label: `${cell.batch} · ${cell.isolation} · ${cell.workers}`,
    value: cell.eventsPerSecond,
    shown: Math.round(cell.eventsPerSecond).toLocaleString('en'),
    colour: colours[cell.isolation] ?? '#2f6db5',
    isMarked: cell === recommended,
  }))
  const dots = eventTimes.all.map(({ index, timeMs, messageId }) => ({
    x: index + 1,
    y: timeMs,
    title: `event ${index + 1}${messageId === null ? '' : ` (${messageId})`}: ${milliseconds(timeMs)}`,
  }))
  const shareBars = [
    { label: 'crossing in', value: shares.crossingInMs },
    { label: 'user code', value: shares.userCodeMs },
    { label: 'crossing out', value: shares.crossingOutMs },
  ].map((bar) => ({
    ...bar,
    shown: `${milliseconds(bar.value)} · ${Math.round((bar.value / all) * 100)} %`,
    colour: '#2f6db5',
    isMarked: false,
  }))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(name)} · bench</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c1e21; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
.advice { background: #eef5ec; border-left: 4px solid #4b8b3b; padding: .6rem 1rem }
table { border-collapse: collapse } td, th { padding: .15rem .8rem .15rem 0; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
code { font: 13px ui-monospace, monospace; white-space: pre }
svg { width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: currentColor }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #17191c } .advice { background: #20301c } }
</style>
</head>
<body>
<h1>${escaped(name)}</h1>
<p>${events} events: ${outcomes.passed} passed, ${outcomes.dropped} dropped, ${outcomes.failed} failed.</p>
<div class="advice">${advice.map((line) => `<p>${escaped(line)}</p>`).join('\n')}</div>
${comparison ? `<h2>Compared</h2><p>${escaped(stripVTControlCharacters(comparisonText(comparison)).trim()).replaceAll('\n', '<br>')}</p>` : ''}
<h2>Events per second, by batch size · isolation · threads</h2>
${barPlot(bars)}
<h2>Time of each event by itself</h2>
<p>p50 ${milliseconds(eventTimes.p50Ms)}, p99 ${milliseconds(eventTimes.p99Ms)}, max ${milliseconds(eventTimes.maxMs)}. Point at a dot to see which event it is.</p>
${dotPlot(dots, milliseconds)}
<h2>Where the time of an event goes (${escaped(cellName(recommended))})</h2>
${barPlot(shareBars)}
<h2>Hottest lines</h2>
${hotLines.length === 0 ? '<p>None takes long enough to be told apart.</p>' : `<table>${hotLines.map(hotRow).join('\n')}</table>`}
<h2>Limits</h2>
<table>${limits.map(limitRow).join('\n')}</table>
</body>
</html>
`
}

function hotRow({ module, line, source, share, msPerEvent, hits }: BenchReport['hotLines'][number]): string {
  const part = Math.round(share * 100)
  return `<tr style="background: rgba(214, 90, 60, ${(share * 0.6).toFixed(2)})"><td>${escaped(module)}:${line}</td><td><code>${escaped(source)}</code></td><td class="number">${part} %</td><td class="number">${milliseconds(msPerEvent)}</td><td class="number">${hits.toLocaleString('en')} ×</td></tr>`
}

function limitRow({ limit, used, allowed, unit }: BenchReport['limits'][number]): string {
  const shown = unit === 'ms' ? milliseconds(used) : `${used.toLocaleString('en')} ${unit}`
  return `<tr><td>${escaped(limit)}</td><td class="number">${shown}</td><td class="number">of ${allowed.toLocaleString('en')} ${unit}</td></tr>`
}
