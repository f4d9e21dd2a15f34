import { describe, expect, it } from 'vitest'
import { csvOf, numberColumns } from './query-answer.ts'

describe('rows of a query', () => {
  it('become CSV with quotes where a cell has commas, quotes or lines', () => {
    expect(csvOf([{ a: 'x, "y"', b: 1, c: null }])).toBe('a,b,c\r\n"x, ""y""",1,')
  })

  it('become no formulas of a spreadsheet, and negative numbers stay numbers', () => {
    expect(csvOf([{ a: '=HYPERLINK("x")', b: -5 }])).toBe(`a,b\r\n"'=HYPERLINK(""x"")",-5`)
  })

  it('have columns of numbers where each value is one, also as text', () => {
    expect(
      numberColumns([
        { day: '2026-01-01', orders: '12', total: 3.5, note: '1' },
        { day: '2026-01-02', orders: '7', total: null, note: 'x' },
      ]),
    ).toEqual(['orders', 'total'])
  })
})
