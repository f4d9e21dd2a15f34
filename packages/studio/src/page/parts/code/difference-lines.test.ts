import { describe, expect, it } from 'vitest'
import { differenceLines } from './difference-lines.ts'

const signs = { same: ' ', added: '+', removed: '-', gap: '@' } as const
const texts = (before: unknown, after: unknown): readonly string[] =>
  differenceLines(before, after).map(
    ({ sign, depth, name, value }) =>
      `${signs[sign]}${' '.repeat(depth)}${name === undefined ? '' : `${name}: `}${value}`,
  )

describe('the difference of two JSON values', () => {
  it('is empty where they are equal', () => {
    expect(texts({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([])
  })

  it('has members that changed, came and went, at their place', () => {
    expect(texts({ a: 1, b: 2, c: 3 }, { a: 1, b: 4, d: 5 })).toEqual([
      ' {',
      '  a: 1',
      '- b: 2',
      '+ b: 4',
      '- c: 3',
      '+ d: 5',
      ' }',
    ])
  })

  it('shows what comes with all its members, and a value that becomes another kind as both', () => {
    expect(texts({}, { list: [{ id: 1 }] })).toEqual([' {', '+ list: [', '+  {', '+   id: 1', '+  }', '+ ]', ' }'])
    expect(texts('1', 1)).toEqual(['-1', '+1'])
  })

  it('leaves out equal lines far from a change, and says how many', () => {
    const before = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`k${n}`, n]))
    const lines = texts(before, { ...before, k19: 'new' })
    expect(lines[0]).toBe('@ 18')
    expect(lines.length).toBe(6)
  })

  it('is bounded for values of any size and depth', () => {
    const deep = (leaf: number): object => Array.from({ length: 500 }).reduce<object>((inner) => ({ inner }), { leaf })
    expect(texts(deep(1), deep(2)).length).toBeLessThan(200)
    const wide = (value: number): object => Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [n, value]))
    expect(texts(wide(1), wide(2)).length).toBeLessThanOrEqual(2_010)
  })
})
