import { describe, expect, it } from 'vitest'
import { plotArea, plotLine } from './plot-line.ts'

const toY = (value: number): number => 100 - value

describe('the line of a chart', () => {
  it('goes from edge to edge, or through the middle of each slot', () => {
    expect(plotLine([0, 50, 100], toY)).toBe('M0 100L500 50L1000 0')
    expect(plotLine([0, 100], toY, 'slots')).toBe('M250 100L750 0')
  })

  it('is broken where nothing was measured, and a value between gaps is still seen', () => {
    expect(plotLine([10, 10, undefined, 20, undefined], toY)).toBe('M0 90L250 90M750 80L751 80')
    expect(plotArea([10, 10, undefined, 20, undefined], toY)).toBe('M0 100L0 90L250 90L250 100Z')
  })

  it('is nothing without values', () => {
    expect(plotLine([], toY) + plotArea([undefined], toY)).toBe('')
  })
})
