import { printableLines } from '@sluice/core/printable'

interface Bar {
  readonly label: string
  readonly value: number
  /** The value as text. */
  readonly shown: string
  readonly colour: string
  readonly isMarked: boolean
  /** Spread of the value, drawn as a whisker. */
  readonly range?: readonly [low: number, high: number]
}

interface Dot {
  readonly x: number
  readonly y: number
  /** Tooltip. */
  readonly title: string
}

const width = 900
const labelWidth = 160
const valueWidth = 200
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

/**
 * Draws horizontal bars, scaled so that the longest fills the width.
 * @param title of the axis of values, with the unit.
 */
export function svgBarPlot(bars: readonly Bar[], title: string): string {
  const most = Math.max(...bars.flatMap(({ value, range = [value] }) => [value, ...range]), Number.MIN_VALUE)
  const lengthOf = (value: number): number => (value / most) * (width - labelWidth - valueWidth)
  const rows = bars.map(({ label, value, shown, colour, isMarked, range }, index) => {
    const y = index * rowHeight
    const length = Math.max(1, lengthOf(value))
    const middle = y + rowHeight / 2
    const [from = 0, to = 0] = range?.map((end) => labelWidth + lengthOf(end)) ?? []
    const whisker = range
      ? `<path d="M${from.toFixed(1)} ${middle - 4}v8M${from.toFixed(1)} ${middle}H${to.toFixed(1)}M${to.toFixed(1)} ${middle - 4}v8" stroke="currentColor" fill="none"/>`
      : ''
    const end = Math.max(labelWidth + length, to)
    const mark = isMarked ? ' ◀ recommended' : ''
    return `<text x="${labelWidth - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text><rect x="${labelWidth}" y="${y + 3}" width="${length.toFixed(1)}" height="${rowHeight - 6}" fill="${colour}"/>${whisker}<text x="${(end + 6).toFixed(1)}" y="${y + 15}">${escaped(shown)}${mark}</text>`
  })
  const bottom = bars.length * rowHeight
  return `<svg viewBox="0 0 ${width + 20} ${bottom + rowHeight}" role="img">${rows.join('\n')}<text x="${labelWidth}" y="${bottom + 15}">${escaped(title)}</text></svg>`
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
  return `<svg viewBox="0 0 ${width + 20} ${plotHeight}" role="img">${lines.join('')}${marks.join('\n')}<text x="${width}" y="${plotHeight - 6}" text-anchor="end">event ${last}</text><text x="${margin}" y="${plotHeight - 6}">event 1</text><text x="${(margin + width) / 2}" y="${plotHeight - 6}" text-anchor="middle">place in the file</text>${axisTitle('time of the event, logarithmic')}</svg>`
}

/** Title of the vertical axis. */
function axisTitle(title: string): string {
  return `<text transform="translate(12 ${plotHeight / 2 - 10}) rotate(-90)" text-anchor="middle">${escaped(title)}</text>`
}

/** Steps of the histogram per factor of ten. */
const stepsPerDecade = 10
/** Top of the highest bar; the names of the marks are above it. */
const countTop = 30
/** Room for the name and the value of a mark. */
const nameWidth = 140

/**
 * Draws how many values lie in each range, on a logarithmic scale.
 * @param title of the axis of values.
 * @param marks values that are marked with a name, such as p50.
 */
export function svgHistogram(
  values: readonly number[],
  title: string,
  marks: readonly { readonly name: string; readonly value: number }[],
  shown: (value: number) => string,
): string {
  const stepOf = (value: number): number => Math.log10(Math.max(value, 1e-4)) * stepsPerDecade
  const counts = new Map<number, number>()
  for (const value of values) {
    const step = Math.floor(stepOf(value))
    counts.set(step, (counts.get(step) ?? 0) + 1)
  }
  const steps = [...counts.keys(), ...marks.map(({ value }) => Math.floor(stepOf(value)))]
  const low = Math.min(...steps)
  const high = Math.max(...steps, low + stepsPerDecade - 1) + 1
  const most = Math.max(...counts.values(), 1)
  const bottom = plotHeight - 40
  const left = (step: number): number => margin + ((step - low) / (high - low)) * (width - margin)
  const top = (count: number): number => bottom - (count / most) * (bottom - countTop)
  const bars = [...counts].map(([step, count]) => {
    const from = shown(10 ** (step / stepsPerDecade))
    const to = shown(10 ** ((step + 1) / stepsPerDecade))
    return `<rect x="${left(step).toFixed(1)}" y="${top(count).toFixed(1)}" width="${Math.max(1, left(step + 1) - left(step) - 1).toFixed(1)}" height="${(bottom - top(count)).toFixed(1)}" class="dot"><title>${escaped(`${count} events from ${from} to ${to}`)}</title></rect>`
  })
  const lines = marks.map(({ name, value }, index) => {
    const x = left(stepOf(value))
    // A name at the right end would be cut off.
    const [at, anchor] = x > width - nameWidth ? [x - 4, 'end'] : [x + 4, 'start']
    return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${countTop - 10}" y2="${bottom}" stroke="currentColor" stroke-dasharray="3 3"/><text x="${at.toFixed(1)}" y="${countTop - 4 + (index % 3) * 13}" text-anchor="${anchor}">${escaped(`${name} ${shown(value)}`)}</text>`
  })
  const labels = [low, Math.round((low + high) / 2), high].map((step, index) => {
    const anchor = ['start', 'middle', 'end'][index] ?? 'middle'
    return `<text x="${left(step).toFixed(1)}" y="${bottom + 16}" text-anchor="${anchor}">${escaped(shown(10 ** (step / stepsPerDecade)))}</text>`
  })
  const scale = `<text x="${margin - 6}" y="${top(most) + 4}" text-anchor="end">${most}</text><text x="${margin - 6}" y="${bottom}" text-anchor="end">0</text>`
  return `<svg viewBox="0 0 ${width + 20} ${plotHeight}" role="img">${bars.join('')}${lines.join('')}${labels.join('')}${scale}<text x="${(margin + width) / 2}" y="${plotHeight - 6}" text-anchor="middle">${escaped(title)}</text>${axisTitle('number of events')}</svg>`
}
