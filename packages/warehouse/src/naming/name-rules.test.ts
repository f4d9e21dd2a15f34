import { describe, expect, it } from 'vitest'
import { dialectOf } from '../dialects/dialect-of.ts'
import type { WarehouseProvider } from '../dialects/provider.ts'
import { createNameRules, distinctName, type NameOptions } from './name-rules.ts'

const rulesOf = (provider: WarehouseProvider, options: Partial<NameOptions> = {}) =>
  createNameRules(dialectOf(provider), { casing: 'default', skipsReserved: false, guardsLoads: false, ...options })

describe('name rules', () => {
  it('put _ in front of words that the product reserves', () => {
    expect(rulesOf('postgres').column('order#')).toBe('_order')
    expect(rulesOf('clickhouse').column('order')).toBe('order')
    expect(rulesOf('bq').own('groups')).toBe('_groups')
    expect(rulesOf('s3_datalake').own('timestamp')).toBe('_timestamp')
    expect(rulesOf('postgres', { skipsReserved: true }).column('order')).toBe('order')
  })

  it('write names of Snowflake in upper case, but the name of an event in lower case', () => {
    const rules = rulesOf('snowflake')
    expect(rules.column('totalPrice')).toBe('TOTAL_PRICE')
    expect(rules.column('order')).toBe('_ORDER')
    expect(rules.table('Order Placed')).toBe('ORDER_PLACED')
    expect(rules.event('Order Placed')).toBe('order_placed')
  })

  const lengths: readonly [WarehouseProvider, number][] = [
    ['postgres', 63],
    ['mysql', 64],
    ['duckdb', 255],
    ['bq', 127],
    ['s3_datalake', 300],
  ]
  for (const [provider, length] of lengths) {
    it(`cut names of ${provider}: ${length} of 300 characters are left`, () => {
      expect(rulesOf(provider).column('k'.repeat(300))).toHaveLength(length)
      expect(rulesOf(provider).table('k'.repeat(300))).toHaveLength(length)
    })
  }

  it('do not cut the cleaned name of an event', () => {
    expect(rulesOf('postgres').event('k'.repeat(300))).toHaveLength(300)
  })

  it('keep events out of the tables of other types', () => {
    for (const name of ['tracks', 'Pages', 'screens', 'aliases', 'groups', 'accounts', 'users', 'identifies'])
      expect(rulesOf('postgres').table(name)).toBe(`_${name.toLowerCase()}`)
    expect(rulesOf('postgres', { skipsReserved: true }).table('Pages')).toBe('pages')
    expect(rulesOf('postgres', { skipsReserved: true }).table('Users')).toBe('_users')
  })

  it('keep events away from names that loads write, when they are guarded', () => {
    const [open, guarded] = [rulesOf('snowflake'), rulesOf('snowflake', { guardsLoads: true })]
    expect([open.column('uuidTs'), guarded.column('uuidTs')]).toEqual(['UUID_TS', '_UUID_TS'])
    expect([open.table('rudder_discards'), guarded.table('rudder_discards')]).toEqual([
      'RUDDER_DISCARDS',
      '_RUDDER_DISCARDS',
    ])
    expect(guarded.table('Sluice Loads')).toBe('_SLUICE_LOADS')
    expect(guarded.own('uuid_ts')).toBe('UUID_TS')
  })
})

describe('distinct name', () => {
  it('ends in a hash of the path, within the length', () => {
    const [a, b] = ['a', 'b'].map((end) => distinctName('k'.repeat(70) + end, 'k'.repeat(63), 63))
    expect(a).toMatch(/^k{54}_[0-9a-f]{8}$/)
    expect(b).toHaveLength(63)
    expect(a).not.toBe(b)
  })
})
