import { describe, expect, it } from 'vitest'
import { dialectOf } from '../../dialects/dialect-of.ts'
import { createEventOptions } from './event-options.ts'

const track = { type: 'track', event: 'a' }

describe('options of an event', () => {
  it('are those of the settings', () => {
    const optionsOf = createEventOptions(dialectOf('postgres'), {
      jsonPaths: ' a , b.c,',
      underscoreDivideNumbers: true,
    })
    expect(optionsOf(track)).toMatchObject({ paths: ['a', 'b.c'], casing: 'divided' })
    for (const integrations of [{ POSTGRES: true }, { POSTGRES: null }, 'x', 5, [], { All: false }])
      expect(optionsOf({ ...track, integrations })).toBe(optionsOf(track))
  })

  it('are extended by the event, under the name of the product', () => {
    const optionsOf = createEventOptions(dialectOf('postgres'), { jsonPaths: 'a' })
    const options = { skipTracksTable: true, useBlendoCasing: true, jsonPaths: ['b', 5] }
    const { settings, casing, paths } = optionsOf({ ...track, integrations: { POSTGRES: { options } } })
    expect(settings.skipTracksTable).toBe(true)
    expect([casing, paths]).toEqual(['blendo', ['a', 'b']])
    expect(optionsOf({ ...track, integrations: { RS: { options } } })).toBe(optionsOf(track))
  })

  it('read paths as a list only', () => {
    const optionsOf = createEventOptions(dialectOf('deltalake'), { jsonPaths: 'a' })
    const withPaths = (jsonPaths: string | string[]) => ({
      ...track,
      integrations: { DELTALAKE: { options: { jsonPaths } } },
    })
    expect(optionsOf(withPaths('b')).paths).toEqual([])
    expect(optionsOf(withPaths(['b'])).paths).toEqual(['b'])
  })

  it('read DATA_WAREHOUSE for some products', () => {
    const event = { ...track, integrations: { DATA_WAREHOUSE: { options: { jsonPaths: ['b'] } } } }
    expect(createEventOptions(dialectOf('bq'), {})(event).paths).toEqual(['b'])
    expect(createEventOptions(dialectOf('clickhouse'), {})(event).paths).toEqual([])
  })

  it('do not depend on another product with the same settings', () => {
    const settings = { jsonPaths: 'a' }
    expect(createEventOptions(dialectOf('clickhouse'), settings)(track).paths).toEqual([])
    expect(createEventOptions(dialectOf('postgres'), settings)(track).paths).toEqual(['a'])
  })

  it('take at most 1,000 paths of an event', () => {
    const jsonPaths = Array.from({ length: 100_000 }, (_, n) => `a.b${n}`)
    const event = { ...track, integrations: { POSTGRES: { options: { jsonPaths } } } }
    expect(createEventOptions(dialectOf('postgres'), {})(event).paths).toHaveLength(1_000)
  })
})
