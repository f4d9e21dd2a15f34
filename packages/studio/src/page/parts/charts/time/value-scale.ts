import { plotHeight } from '../plot-line.ts'

interface ValueScale {
  /** Values with a line and a text, the lowest first, at even distances. */
  readonly ticks: readonly number[]
  /** Height of a value in the plot, 0 at its top. */
  toY(value: number): number
}

/** Most lines across a chart. */
const linesMax = 5

/** Returns a scale from zero to a round number above the highest value. */
export function linearScale(highest: number): ValueScale {
  const step = roundStep(Math.max(highest, 1e-9) / (linesMax - 1))
  const count = Math.max(1, Math.ceil(highest / step - 1e-9))
  const top = step * count
  const ticks = Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(12)))
  return { ticks, toY: (value) => plotHeight - (Math.min(value, top) / top) * plotHeight }
}

/** Returns a scale of powers of ten around values above zero, for delays that reach from milliseconds to hours. */
export function powerScale(values: readonly number[]): ValueScale {
  const positive = values.filter((value) => value > 0)
  const low = Math.floor(Math.log10(Math.min(...positive, 1e12)))
  const first = positive.length === 0 ? 0 : low
  const high = positive.length === 0 ? 1 : Math.max(first + 1, Math.ceil(Math.log10(Math.max(...positive))))
  const ticks = Array.from({ length: high - first + 1 }, (_, n) => 10 ** (first + n))
  const toY = (value: number): number => {
    const power = Math.min(high, Math.max(first, Math.log10(Math.max(value, 1e-12))))
    return plotHeight - ((power - first) / (high - first)) * plotHeight
  }
  return { ticks, toY }
}

/** Returns 1, 2, 2.5 or 5 times a power of ten, at least as large as a step. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= step * (1 - 1e-9)) ?? 10
  return factor * power
}
