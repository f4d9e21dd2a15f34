import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CurvePoint } from '../../bench/plot/curve-point.ts'
import { escapeXml } from '../../bench/plot/escape-xml.ts'
import { plotCurves } from '../../bench/plot/plot-curves.ts'
import { linearScale, logScale } from '../../bench/plot/scales.ts'

const point = (axis: string, at: string, cpuMicroseconds: number): CurvePoint => ({
  axis,
  at,
  cpuMicroseconds,
  leastMicroseconds: cpuMicroseconds / 4,
  peakMb: 300 + cpuMicroseconds / 10,
})
const points = [
  point('events per call', '1', 640),
  point('events per call', '20', 270),
  point('events waiting elsewhere', '0', 280),
  point('events waiting elsewhere', '10 M', 290),
]

describe('the plot of the curves', () => {
  it('has a dot and a number for the CPU and the memory of every point', () => {
    const svg = plotCurves(points, 'here')
    expect(svg.match(/<circle class="cpu"/g)).toHaveLength(points.length)
    expect(svg.match(/<circle class="memory"/g)).toHaveLength(points.length)
    for (const { at, cpuMicroseconds, peakMb } of points)
      for (const number of [at, cpuMicroseconds, peakMb]) expect(svg).toContain(`>${number}</text>`)
  })

  it('says every figure in words, for those who cannot see it', () => {
    const [, described = ''] = /<desc id="desc">(.*)<\/desc>/.exec(plotCurves(points, 'here')) ?? []
    for (const { axis, at, cpuMicroseconds } of points)
      expect(described).toContain(`${axis} ${at}: ${cpuMicroseconds} µs of CPU per delivery`)
  })

  it('is the same text for the same points', () => {
    expect(plotCurves(structuredClone(points), 'here')).toBe(plotCurves(points, 'here'))
  })

  it('loads nothing, and follows the colours that the reader prefers', () => {
    const svg = plotCurves(points, 'here')
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|<script|<image/)
    expect(svg).toContain('@media (prefers-color-scheme: dark)')
  })

  it('escapes texts, whatever is in them', () => {
    const svg = plotCurves([point('<a> & "b"', "it's </text>", 10)], '<script>alert(1)</script>')
    expect(svg).toContain('&lt;a&gt; &amp; &quot;b&quot;')
    expect(svg).toContain('it&#39;s &lt;/text&gt;')
    expect(svg).not.toContain('<script')
  })

  it('leaves no character in a text that XML gives a meaning or forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeXml(text)).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)|\0|[\ud800-\udfff]/u)
      }),
    )
  })
})

describe.each([
  ['a scale of equal ratios', logScale],
  ['a scale from zero', linearScale],
])('%s', (_, scaleOf) => {
  it('has a place inside the panel for every value, the larger the higher, and few lines', () => {
    const value = fc.double({ min: 1, max: 1e7, noNaN: true })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const { ticks, place } = scaleOf(values, 130)
        const places = values.toSorted((a, b) => a - b).map(place)
        expect(places).toEqual(places.toSorted((a, b) => b - a))
        expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
        expect(Math.max(...places)).toBeLessThanOrEqual(130.001)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.length).toBeLessThanOrEqual(26)
      }),
    )
  })
})
