import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MeasuredCell } from './bench-report.ts'
import { bestCell, cellName, milliseconds, recommendedCell } from './recommend.ts'
import { settleRecommendation } from './settle-recommendation.ts'

const isolations = ['event', 'batch', 'none'] as const
const batches = [1, 10, 50, 200]
const threads = [1, 3]

const rest = { eventsPerSecondQuartiles: [1, 1], p50Ms: 1, p99Ms: 1, maxMs: 1, memoryBytes: 0 } as const
const speed = fc.integer({ min: 1, max: 1_000 })

/** Every combination with any speed, and failing events in some. */
const grid = fc
  .array(fc.record({ eventsPerSecond: speed, failedShare: fc.constantFrom(0, 0, 0, 0.005, 0.5) }), {
    minLength: 24,
    maxLength: 24,
  })
  .map((measured) =>
    measured.map((each, index): MeasuredCell => {
      const batch = batches[index % 4] ?? 1
      const isolation = isolations[Math.floor(index / 4) % 3] ?? 'event'
      return { batch, isolation, workers: threads[Math.floor(index / 12)] ?? 1, ...rest, ...each }
    }),
  )

/** Cost of a cell, as a list. Earlier entries outweigh later ones. */
const asked = ({ isolation, workers, batch }: MeasuredCell) => [isolations.indexOf(isolation), workers, batch]
const asksLess = (one: readonly number[], other: readonly number[]): boolean => {
  const at = one.findIndex((value, index) => value !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

describe('the recommended cell', () => {
  it('is within 10 % of the best, and has the least cost of all such cells', () => {
    fc.assert(
      fc.property(grid, (cells) => {
        const failed = Math.min(...cells.map(({ failedShare }) => failedShare))
        const sound = cells.filter(({ failedShare }) => failedShare <= failed + 0.01)
        const best = Math.max(...sound.map(({ eventsPerSecond }) => eventsPerSecond))
        const recommended = recommendedCell(cells)
        expect(sound).toContain(recommended)
        expect(recommended.eventsPerSecond).toBeGreaterThanOrEqual(best * 0.9)
        for (const other of sound)
          if (other.eventsPerSecond >= best * 0.9) expect(asksLess(asked(other), asked(recommended))).toBe(false)
      }),
    )
  })

  it('is never one in which more events fail, however fast they fail', () => {
    const cell: MeasuredCell = {
      batch: 10,
      isolation: 'batch',
      workers: 1,
      eventsPerSecond: 10,
      failedShare: 0,
      ...rest,
    }
    const failing = { ...cell, batch: 200, eventsPerSecond: 1_000, failedShare: 0.98 }
    expect(recommendedCell([cell, failing])).toBe(cell)
    // A cell is recommended even if everything fails everywhere.
    expect(recommendedCell([failing])).toBe(failing)
  })

  it('is not invented without cells', () => {
    expect(() => recommendedCell([])).toThrow('nothing was measured')
  })
})

describe('settling the recommendation', () => {
  it('ends within 10 % of the best cell when both are measured again, however wrong the grid is', async () => {
    await fc.assert(
      fc.asyncProperty(grid, fc.array(speed, { minLength: 24, maxLength: 24 }), async (cells, truth) => {
        const name = (cell: MeasuredCell): string => cellName(cell)
        const speeds = new Map(cells.map((cell, index) => [name(cell), truth[index] ?? 1]))
        const measure = async (cell: MeasuredCell): Promise<number> => speeds.get(name(cell)) ?? Number.NaN
        const settled = await settleRecommendation(cells, measure)
        const bestSpeed = await measure(bestCell(cells))
        expect(await measure(settled.recommended)).toBeGreaterThanOrEqual(bestSpeed * 0.9)
        // The report agrees with it.
        expect(settled.cells).toContain(settled.recommended)
        expect(settled.cells.map(name)).toEqual(cells.map(name))
      }),
    )
  })
})

it('a cell is named by its options', () => {
  expect(cellName({ batch: 200, isolation: 'batch', workers: 1 })).toBe('batch 200, isolation batch, 1 worker')
  expect(cellName({ batch: 1, isolation: 'none', workers: 3 })).toBe('batch 1, isolation none, 3 workers')
})

it('times have at least two significant digits', () => {
  expect([12_345.6, 42.4, 3.04, 0.0521, 0.0002, 0].map(milliseconds)).toEqual([
    '12,346 ms',
    '42.4 ms',
    '3.04 ms',
    '52 µs',
    '0.20 µs',
    '0.00 µs',
  ])
})
