import { describe, expect, it } from 'vitest'
import { warehouseProviders } from './provider.ts'
import { reservedWordsOf } from './reserved-words.ts'

describe('reserved words', () => {
  const cases = [
    {
      provider: 'postgres',
      has: ['order', 'user', 'between', 'old'],
      hasNot: ['window', 'with', 'lateral', 'timestamp'],
    },
    { provider: 'rs', has: ['order', 'partition', 'with'], hasNot: ['window'] },
    { provider: 'snowflake', has: ['order', 'rows', 'schema'], hasNot: ['user', 'end', 'limit'] },
    { provider: 'bq', has: ['groups', 'hash', 'window'], hasNot: ['user', 'table', 'primary'] },
    { provider: 'deltalake', has: ['time', 'values'], hasNot: ['limit', 'desc'] },
    { provider: 's3_datalake', has: ['timestamp', 'date'], hasNot: ['limit', 'check'] },
    { provider: 'mssql', has: ['year', 'value', 'limit'], hasNot: ['offset'] },
    { provider: 'duckdb', has: ['order', 'lambda', 'qualify', 'show'], hasNot: ['user', 'between', 'timestamp'] },
    { provider: 'mysql', has: ['order', 'rank', 'groups', 'returning'], hasNot: ['user', 'end', 'timestamp'] },
  ] as const
  for (const { provider, has, hasNot } of cases) {
    it(`of ${provider} have ${has.join(', ')}, and not ${hasNot.join(', ')}`, () => {
      const words = reservedWordsOf(provider)
      expect(has.filter((word) => !words.has(word))).toEqual([])
      expect(hasNot.filter((word) => words.has(word))).toEqual([])
    })
  }

  it('are none in ClickHouse, and the same in products of one family', () => {
    expect(reservedWordsOf('clickhouse').size).toBe(0)
    expect(reservedWordsOf('gcs_datalake')).toEqual(reservedWordsOf('bq'))
    expect(reservedWordsOf('snowpipe_streaming')).toEqual(reservedWordsOf('snowflake'))
    expect(reservedWordsOf('azure_datalake')).toEqual(reservedWordsOf('mssql'))
  })

  it('are names in lower case', () => {
    for (const provider of warehouseProviders)
      for (const word of reservedWordsOf(provider)) expect(word).toMatch(/^[a-z][a-z0-9_]*$/)
  })
})
