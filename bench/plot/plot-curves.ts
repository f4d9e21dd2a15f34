import type { CurvePoint } from './curve-point.ts'
import { escapeXml } from './escape-xml.ts'
import { linearScale, logScale, type Scale } from './scales.ts'

const panel = { width: 150, height: 130, gap: 14 }
/** Around the panels: room for ticks on the left, and for titles above. */
const margin = { left: 64, top: 92, right: 20, bottom: 44 }
/** Between the rows: the title of the second one. */
const rowGap = 44
/** From the side of a panel to its first point. */
const inset = 26

/** A row of panels: one figure, over each axis, with one scale. */
interface Row {
  readonly name: string
  readonly scale: Scale
  readonly lines: readonly Line[]
}

interface Line {
  readonly look: 'cpu' | 'least' | 'memory'
  figureOf(point: CurvePoint): number
}

/**
 * Returns an SVG of the curves: a column for each axis, CPU in the first row and memory in the second one. It has its own
 * background and follows the colours that the reader prefers. The same points give the same text.
 * @param conditions where and how the points were measured.
 */
export function plotCurves(points: readonly CurvePoint[], conditions: string): string {
  const axes = [...new Set(points.map(({ axis }) => axis))]
  const cpu: Line = { look: 'cpu', figureOf: (point) => point.cpuMicroseconds }
  const least: Line = { look: 'least', figureOf: (point) => point.leastMicroseconds }
  const memory: Line = { look: 'memory', figureOf: (point) => point.peakMb }
  const figuresOf = (lines: readonly Line[]) => lines.flatMap(({ figureOf }) => points.map(figureOf))
  const rows: readonly Row[] = [
    { name: 'CPU per delivery, µs', scale: logScale(figuresOf([least, cpu]), panel.height), lines: [least, cpu] },
    { name: 'Peak memory, MiB', scale: linearScale(figuresOf([memory]), panel.height), lines: [memory] },
  ]
  const width = margin.left + axes.length * (panel.width + panel.gap) - panel.gap + margin.right
  const height = margin.top + rows.length * (panel.height + rowGap) - rowGap + margin.bottom
  const body = rows.flatMap((row, r) => {
    const top = margin.top + r * (panel.height + rowGap)
    return [
      text(margin.left, top - 10, row.name, 'row'),
      ...row.scale.ticks.map((tick) => text(margin.left - 8, top + row.scale.place(tick) + 4, count(tick), 'tick end')),
      ...axes.map((axis, column) => {
        const ofAxis = points.filter((point) => point.axis === axis)
        const isLast = r === rows.length - 1
        const at = `translate(${margin.left + column * (panel.width + panel.gap)} ${top})`
        return `<g transform="${at}">${panelOf(row, ofAxis)}${isLast ? axisOf(axis, ofAxis) : ''}</g>`
      }),
    ]
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">What an event costs as its surroundings grow</title>
<desc id="desc">${escapeXml(inWords(points))}</desc>
<style>${style}</style>
<rect class="paper" width="${width}" height="${height}" rx="10"/>
${text(margin.left, 34, 'What an event costs as its surroundings grow', 'title')}
${text(margin.left, 54, conditions, 'tick')}
${legend(width - margin.right, 30)}
${body.join('\n')}
</svg>
`
}

function panelOf({ scale, lines }: Row, points: readonly CurvePoint[]): string {
  const grid = scale.ticks.map((tick) => `<path class="grid" d="M0 ${short(scale.place(tick))}h${panel.width}"/>`)
  const drawn = lines.map(({ look, figureOf }) => {
    const places = points.map(
      (point, n) => `${short(acrossOf(n, points.length))} ${short(scale.place(figureOf(point)))}`,
    )
    const dots = places.map((place) => `<circle class="${look}" r="3.5" transform="translate(${place})"/>`)
    const line = `<polyline class="${look}" points="${places.join(' ')}"/>`
    if (look === 'least') return line
    const numbers = points.map((point, n) => {
      const y = scale.place(figureOf(point)) - 9
      return text(acrossOf(n, points.length), y, count(figureOf(point)), 'number middle')
    })
    return [line, ...dots, ...numbers].join('')
  })
  return [...grid, ...drawn].join('')
}

function axisOf(axis: string, points: readonly CurvePoint[]): string {
  const places = points.map(({ at }, n) => text(acrossOf(n, points.length), panel.height + 17, at, 'tick middle'))
  return [...places, text(panel.width / 2, panel.height + 35, axis, 'axis middle')].join('')
}

/** Points are equally far from each other: the axes have steps of ten, more or less. */
function acrossOf(n: number, length: number): number {
  return length === 1 ? panel.width / 2 : inset + (n * (panel.width - 2 * inset)) / (length - 1)
}

function legend(right: number, y: number): string {
  const entry = (x: number, look: string, name: string): string =>
    `<path class="${look}" d="M${x} ${y}h22"/>${text(x + 28, y + 4, name, 'tick')}`
  return entry(right - 270, 'cpu', 'sluice serve') + entry(right - 140, 'least', 'the least program')
}

function inWords(points: readonly CurvePoint[]): string {
  return points
    .map(
      ({ axis, at, cpuMicroseconds, leastMicroseconds, peakMb }) =>
        `${axis} ${at}: ${count(cpuMicroseconds)} µs of CPU per delivery (the least program ${count(leastMicroseconds)} µs), ${count(peakMb)} MiB.`,
    )
    .join(' ')
}

function text(x: number, y: number, content: string, look: string): string {
  return `<text class="${look}" x="${short(x)}" y="${short(y)}">${escapeXml(content)}</text>`
}

/** A number as people read it. */
function count(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 0 })
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

const style = `
:root { --paper: #fff; --ink: #1f2933; --quiet: #5b6773; --grid: #e4e8ec; --cpu: #0b6e62; --memory: #6443b5 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16191d; --ink: #e8ecef; --quiet: #a3adb7; --grid: #2c3238; --cpu: #4cc9b5; --memory: #b39df0 }
}
text { font: 12px system-ui, sans-serif; fill: var(--ink) }
.title { font-size: 17px; font-weight: 600 }
.row { font-weight: 600 }
.tick { fill: var(--quiet) }
.number { font-size: 11px; paint-order: stroke; stroke: var(--paper); stroke-width: 4px }
.middle { text-anchor: middle }
.end { text-anchor: end }
.paper { fill: var(--paper) }
.grid { stroke: var(--grid) }
polyline, path { fill: none; stroke-width: 2; stroke-linejoin: round }
path.grid { stroke-width: 1 }
.cpu { stroke: var(--cpu) }
.memory { stroke: var(--memory) }
.least { stroke: var(--quiet); stroke-dasharray: 4 4 }
circle.cpu { fill: var(--cpu) }
circle.memory { fill: var(--memory) }
`
