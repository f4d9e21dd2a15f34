import { describe, expect, it } from 'vitest'
import { dialectOf } from '../dialects/dialect-of.ts'
import { nameTextMax } from './clean-name.ts'
import { ColumnNames } from './column-names.ts'
import { createNameRules } from './name-rules.ts'

const rules = createNameRules(dialectOf('postgres'), { casing: 'default', skipsReserved: false, guardsLoads: false })
const namesOf = (blocked: readonly string[] = []) => new ColumnNames(rules, new Set(blocked), 63)

describe('column names', () => {
  it('are the same object for paths with one name', () => {
    const names = namesOf()
    const root = names.root('')
    const one = names.of(names.below(root, 'totalPrice'))
    expect(one?.name).toBe('total_price')
    expect(names.of(names.below(names.below(root, 'total'), 'price'))).toBe(one)
    expect(names.of(names.below(names.root('context'), 'ip'))?.name).toBe('context_ip')
  })

  it('are null for a key without a character that a name may have', () => {
    const names = namesOf()
    expect(names.of(names.below(names.root(''), '你好'))).toBeNull()
  })

  it('stay in upper case, where names are, when two keys share a long beginning', () => {
    const upper = createNameRules(dialectOf('snowflake'), {
      casing: 'default',
      skipsReserved: false,
      guardsLoads: false,
    })
    const names = new ColumnNames(upper, new Set(), 127)
    const [one, two] = ['one', 'two'].map((end) => names.below(names.root(''), 'k'.repeat(130) + end))
    const column = one && names.of(one)
    const other = column && two && names.distinct(two, column)
    expect(other?.name).toMatch(/^K{118}_[0-9A-F]{8}$/)
  })

  it('know what is blocked', () => {
    const names = namesOf(['id'])
    expect(names.of(names.below(names.root(''), 'Id'))?.isBlocked).toBe(true)
    expect(names.of(names.below(names.root(''), 'ids'))?.isBlocked).toBe(false)
  })

  it('are full after many paths, or after fewer long ones', () => {
    const many = namesOf()
    for (let n = 0; n <= 50_000; n += 1) many.below(many.root(''), `key ${n}`)
    expect(many.isFull).toBe(true)
    const long = namesOf()
    for (let n = 0; n <= 1_000; n += 1) long.below(long.root(''), `${n}${'k'.repeat(10_000)}`)
    expect(long.isFull).toBe(true)
    expect(namesOf().isFull).toBe(false)
  })

  it('keep so many characters of a path, however deep it is', () => {
    const names = namesOf()
    let at = names.root('')
    for (let level = 0; level < 1_000; level += 1) at = names.below(at, 'k'.repeat(1_000))
    expect(at.path).toHaveLength(nameTextMax)
  })
})
