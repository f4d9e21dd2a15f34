import { describe, expect, it } from 'vitest'
import { type DestinationLine, drawnLines, type SourceLine } from './flow-lines.ts'
import { riverLayout } from './river-layout.ts'

const source = (id: string, received: number): SourceLine => ({
  place: { id, name: id, enabled: true },
  received,
  accepted: received,
  rejected: 0,
  suppressed: 0,
  duplicates: 0,
  counts: [],
})

const destination = (id: string, came: number, failed = 0, filtered = 0): DestinationLine => ({
  place: { id, name: id, enabled: true },
  sums: {
    destinationId: id,
    came,
    delivered: came - failed - filtered,
    filtered,
    failed,
    waiting: 0,
    deliveredCounts: [],
    failedCounts: [],
    sentAgain: 0,
    waitingCounts: [],
  },
  circuit: undefined,
  members: 1,
})

const width = ({ from: [top, bottom] }: { readonly from: readonly [number, number] }): number => bottom - top

describe('the river', () => {
  it('has ribbons as wide as what they carry, in one scale, and threads for what is rare', () => {
    const { intoLog, outOfCode } = riverLayout([source('a', 900), source('b', 300)], [destination('x', 1_200, 1, 400)])
    const [a, b] = intoLog
    expect(width(a as never) / width(b as never)).toBeCloseTo(3)
    const byState = new Map(outOfCode.map((ribbon) => [ribbon.state, ribbon]))
    expect(width(byState.get('good') as never) / width(a as never)).toBeCloseTo(799 / 900)
    expect(width(byState.get('bad') as never)).toBe(2)
    expect(byState.get('idle')?.isFaded).toBe(true)
  })

  it('draws nothing where nothing came', () => {
    const { intoLog, copies, outOfCode } = riverLayout([source('a', 0)], [destination('x', 0)])
    expect([...intoLog, ...copies, ...outOfCode]).toEqual([])
  })

  it('has at most twelve destinations: the others are one, and no event is lost', () => {
    const lines = Array.from({ length: 30 }, (_, n) => destination(`d${n}`, n))
    const drawn = drawnLines(lines)
    expect(drawn).toHaveLength(12)
    expect(drawn.at(-1)).toMatchObject({ members: 19, place: { name: '19 others' } })
    expect(drawn.reduce((sum, { sums }) => sum + sums.came, 0)).toBe(435)
    expect(drawnLines(lines.slice(0, 12))).toHaveLength(12)
  })
})
