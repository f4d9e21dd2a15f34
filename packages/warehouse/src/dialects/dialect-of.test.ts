import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialectOf } from './dialect-of.ts'
import { warehouseProviders } from './provider.ts'

const reservedWordsOf = (provider: (typeof warehouseProviders)[number]) => dialectOf(provider).reserved

describe('dialects', () => {
  it('have the name of their product', () => {
    expect(warehouseProviders.map((provider) => dialectOf(provider).provider)).toEqual(warehouseProviders)
  })

  it('load nothing of their engine: rows are made without it', () => {
    const engines = `${import.meta.dirname}/../engines`
    const files = readdirSync(engines, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('row-dialect.ts'),
    )
    const imported = files.flatMap((file) =>
      [...readFileSync(`${engines}/${file}`, 'utf8').matchAll(/from '([^']+)'/g)].map(([, path = '']) => path),
    )
    expect(files).toHaveLength(9)
    expect(imported.filter((path) => !path.startsWith('../../dialects/') && !/^\.\/\w+-words\.ts$/.test(path))).toEqual(
      [],
    )
  })
})

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
