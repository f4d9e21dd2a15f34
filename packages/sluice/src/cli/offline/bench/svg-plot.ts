import { printableLines } from '../../terminal/printable.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** The value as text. */
  readonly shown: string
  readonly colour: string
  readonly isMarked: boolean
}

export interface Dot {
  readonly x: number
  readonly y: number
  /** Tooltip. */
  readonly title: string
}

const width = 900
const labelWidth = 160
const valueWidth = 140
const rowHeight = 22

/** Escapes untrusted text for HTML, and replaces control characters. */
export function escaped(text: string): string {
  const forms: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  }
  return printableLines(text).replaceAll(/[&<>"']/g, (sign) => forms[sign] ?? sign)
}

/** Draws horizontal bars, scaled so that the longest fills the width. */
export function svgBarPlot(bars: readonly Bar[]): string {
  const most = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  const rows = bars.map(({ label, value, shown, colour, isMarked }, index) => {
    const y = index * rowHeight
    const length = Math.max(1, (value / most) * (width - labelWidth - valueWidth))
    const mark = isMarked ? ' ◀ recommended' : ''
    return `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text><rect x="${labelWidth}" y="${y + 3}" width="${length.toFixed(1)}" height="${rowHeight - 6}" fill="${colour}"/><text x="${labelWidth + length + 6}" y="${y + 15}">${escaped(shown)}${mark}</text>`
  })
  return `<svg viewBox="0 0 ${width + 20} ${bars.length * rowHeight}" role="img">${rows.join('\n')}</svg>`
}

const plotHeight = 240
const margin = 60

/** Draws dots on a logarithmic scale, because one event can take a thousand times as long as another. */
export function svgDotPlot(dots: readonly Dot[], shown: (value: number) => string): string {
  const values = dots.map(({ y }) => Math.log10(Math.max(y, 1e-4)))
  const low = Math.floor(Math.min(...values))
  const high = Math.max(low + 1, Math.ceil(Math.max(...values)))
  const last = Math.max(...dots.map(({ x }) => x), 2)
  const top = (value: number): number => 10 + ((high - value) / (high - low)) * (plotHeight - 40)
  const lines = Array.from({ length: high - low + 1 }, (_, step) => {
    const y = top(low + step).toFixed(1)
    return `<line x1="${margin}" x2="${width}" y1="${y}" y2="${y}" stroke="currentColor" stroke-opacity=".15"/><text x="${margin - 6}" y="${Number(y) + 4}" text-anchor="end">${escaped(shown(10 ** (low + step)))}</text>`
  })
  const marks = dots.map(({ x, title }, index) => {
    const left = margin + ((x - 1) / (last - 1)) * (width - margin)
    return `<circle cx="${left.toFixed(1)}" cy="${top(values[index] ?? low).toFixed(1)}" r="3" class="dot"><title>${escaped(title)}</title></circle>`
  })
  return `<svg viewBox="0 0 ${width + 20} ${plotHeight}" role="img">${lines.join('')}${marks.join('\n')}<text x="${width}" y="${plotHeight - 6}" text-anchor="end">event ${last}</text><text x="${margin}" y="${plotHeight - 6}">event 1</text></svg>`
}
