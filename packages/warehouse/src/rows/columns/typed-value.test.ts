import type { JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../dialects/dialect-of.ts'
import type { ColumnType } from './column-type.ts'
import { isBlank, type TypeOptions, typedValue } from './typed-value.ts'

const typeOf = (value: JsonValue, options: Partial<TypeOptions> = {}): ColumnType =>
  typedValue(value, { dialect: dialectOf('postgres'), arrays: false, boundsInts: false, ...options }).type

describe('the type of a value', () => {
  const cases: readonly [JsonValue, ColumnType][] = [
    [1, 'int'],
    [-0, 'int'],
    [1e21, 'int'],
    [1.5, 'float'],
    [true, 'boolean'],
    ['2026-01-31', 'datetime'],
    ['1', 'string'],
    ['true', 'string'],
    [' ', 'string'],
    [[1, 2], 'string'],
  ]
  for (const [value, want] of cases)
    it(`is ${want} for ${JSON.stringify(value)}`, () => expect(typeOf(value)).toBe(want))

  it('is float for whole numbers beyond 64 bits, when loads are guarded', () => {
    const guarded = (value: number) => typeOf(value, { boundsInts: true })
    expect([2 ** 63, -(2 ** 63), 1e21, 2 ** 53].map(guarded)).toEqual(['float', 'int', 'float', 'int'])
    const arrays = { dialect: dialectOf('clickhouse'), arrays: true }
    expect(typeOf([1, 1e21], { ...arrays, boundsInts: true })).toBe('array(float)')
    expect(typeOf([1, 1e21], arrays)).toBe('array(int)')
  })

  it('is text in Redshift for more than 512 UTF-16 units', () => {
    const dialect = dialectOf('rs')
    expect(typeOf('é'.repeat(512), { dialect })).toBe('string')
    expect(typeOf('é'.repeat(513), { dialect })).toBe('text')
    expect(typeOf(['a'.repeat(508)], { dialect })).toBe('string')
    expect(typeOf(['a'.repeat(509)], { dialect })).toBe('text')
    expect(typeOf('a'.repeat(10_000))).toBe('string')
  })

  const arrays: readonly [JsonValue, ColumnType][] = [
    [[1, 2], 'array(int)'],
    [[1, 2.5], 'array(float)'],
    [[true], 'array(boolean)'],
    [['2026-01-31'], 'array(datetime)'],
    [['a', 'b'], 'array(string)'],
    [['a', 1], 'array(string)'],
    [[1, null], 'array(string)'],
    [[[1]], 'array(string)'],
    [[1, true], 'array(string)'],
  ]
  for (const [value, want] of arrays) {
    it(`is ${want} for ${JSON.stringify(value)} in ClickHouse with arrays`, () => {
      expect(typeOf(value, { dialect: dialectOf('clickhouse'), arrays: true })).toBe(want)
    })
  }
})

describe('a blank value', () => {
  it('is null, an empty text, an empty list, or a list of one empty text', () => {
    for (const value of [undefined, null, '', [], ['']]) expect(isBlank(value)).toBe(true)
    for (const value of [0, false, ' ', [null], ['', ''], {}]) expect(isBlank(value)).toBe(false)
  })
})
