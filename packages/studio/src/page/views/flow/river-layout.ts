import type { Ribbon } from '../../parts/charts/ribbons.tsx'
import type { DestinationLine, SourceLine } from './flow-lines.ts'

/** Heights in units of the picture: 16 are one rem. */
const rowHeight = { source: 112, destination: 88 }
const leastHeight = 300
/** Height of all that was received. */
const wholeHeight = 56
/** Height of what exists, however small it is. */
const leastRibbon = 2

/** Where everything in the river is. */
interface RiverLayout {
  readonly height: number
  readonly sourceYs: readonly number[]
  readonly destinationYs: readonly number[]
  readonly intoLog: readonly Ribbon[]
  /** From the log to each destination: copies, so all begin at the same place. */
  readonly copies: readonly Ribbon[]
  /** Through the column of code. */
  readonly through: readonly Ribbon[]
  /** What became of it: passes, failed, waits, and what is filtered, which fades. */
  readonly outOfCode: readonly Ribbon[]
}

/** Returns ribbons as wide as what they carry, all in one scale. The id of each begins with that of its place. */
export function riverLayout(sources: readonly SourceLine[], destinations: readonly DestinationLine[]): RiverLayout {
  const height = Math.max(leastHeight, sources.length * rowHeight.source, destinations.length * rowHeight.destination)
  const received = Math.max(
    1,
    sources.reduce((sum, line) => sum + line.received, 0),
    ...destinations.map(({ sums }) => sums.came),
  )
  const tall = (events: number): number => (events <= 0 ? 0 : Math.max(leastRibbon, (events / received) * wholeHeight))
  const accepted = sources.reduce((sum, line) => sum + tall(line.accepted), 0)
  const logTop = height / 2 - accepted / 2
  const spread = (count: number): readonly number[] =>
    Array.from({ length: count }, (_, n) => (height / Math.max(1, count)) * (n + 0.5))
  const [sourceYs, destinationYs] = [spread(sources.length), spread(destinations.length)]
  let into = logTop
  const intoLog = sources.flatMap(({ place, accepted: events }, n): Ribbon[] => {
    const size = tall(events)
    const y = sourceYs[n] ?? 0
    if (size === 0) return []
    const ribbon: Ribbon = {
      id: `${place.id} in`,
      from: [y - size / 2, y + size / 2],
      to: [into, into + size],
      state: 'good',
    }
    into += size
    return [ribbon]
  })
  const rows = destinations.map((line, n) => ({
    line,
    y: destinationYs[n] ?? 0,
    // What passes by a destination that is off is a thread.
    size: line.place.enabled ? tall(line.sums.came) : Math.min(leastRibbon, tall(line.sums.came)),
  }))
  const drawn = rows.filter(({ size }) => size > 0)
  return {
    height,
    sourceYs,
    destinationYs,
    intoLog,
    copies: drawn.map(({ line, y, size }) => ({
      id: `${line.place.id} copy`,
      from: [logTop, logTop + Math.min(size, Math.max(accepted, leastRibbon))],
      to: [y - size / 2, y + size / 2],
      state: line.place.enabled ? 'good' : 'idle',
    })),
    through: drawn.map(({ line, y, size }) => ({
      id: `${line.place.id} through`,
      from: [y - size / 2, y + size / 2],
      to: [y - size / 2, y + size / 2],
      state: line.place.enabled ? 'good' : 'idle',
    })),
    outOfCode: drawn.flatMap((row) => outcomes(row, tall)),
  }
}

/** How far below its row what is filtered goes, and how narrow it becomes. */
const fading = { below: 14, narrow: 0.45 }

function outcomes(
  { line, y, size }: { line: DestinationLine; y: number; size: number },
  tall: (events: number) => number,
): readonly Ribbon[] {
  const edge = [y - size / 2, y + size / 2] as const
  if (!line.place.enabled) return [{ id: `${line.place.id} off`, from: edge, to: edge, state: 'idle' }]
  const { delivered, failed, waiting, filtered } = line.sums
  const parts = [
    { state: 'good' as const, size: tall(delivered) },
    { state: 'bad' as const, size: tall(failed) },
    { state: 'wait' as const, size: tall(waiting) },
  ].filter((part) => part.size > 0)
  const passed = parts.reduce((sum, part) => sum + part.size, 0)
  let top = y - size / 2
  let end = y - passed / 2
  const ribbons: Ribbon[] = parts.map((part) => {
    const ribbon: Ribbon = {
      id: `${line.place.id} ${part.state}`,
      from: [top, top + part.size],
      to: [end, end + part.size],
      state: part.state,
    }
    top += part.size
    end += part.size
    return ribbon
  })
  if (filtered > 0) {
    const bottom = Math.max(top + leastRibbon, y + size / 2)
    ribbons.push({
      id: `${line.place.id} filtered`,
      from: [top, bottom],
      to: [y + fading.below, y + fading.below + (bottom - top) * fading.narrow],
      state: 'idle',
      isFaded: true,
    })
  }
  return ribbons
}
