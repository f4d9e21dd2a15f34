import { parseSettings } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { warehouseDestinations } from './warehouse-destinations.ts'

describe('each setting of a warehouse', () => {
  for (const { type, settings } of warehouseDestinations({ work: 'here' })) {
    it(`of ${type} has a title and is described in a sentence`, () => {
      const incomplete = Object.entries(settings.properties).filter(([, setting]) => {
        const { title = '', description = '' }: { title?: string; description?: string } = setting
        return !/^.+[^.]$/.test(title) || !/^.{7,}[.]$/s.test(description)
      })
      expect(incomplete.map(([name]) => name)).toEqual([])
    })
  }
})

describe('the namespace of a DuckDB file', () => {
  const [duckdb] = warehouseDestinations({ work: 'here' }).filter(({ type }) => type === 'DUCKDB')
  const problemsOf = (path: string, namespace?: string) => {
    const parsed = duckdb && parseSettings(duckdb, namespace === undefined ? { path } : { path, namespace })
    return parsed?.ok === false ? parsed.problems.map((problem) => `${problem.path}: ${problem.allowed}`) : []
  }

  for (const [path, namespace] of [
    ['data/shop.duckdb', 'shop'],
    ['Shop.events.duckdb', 'shop'],
    ['sluice.duckdb', undefined],
  ] as const)
    it(`must not be the name of the file: ${path}`, () => {
      expect(problemsOf(path, namespace)).toEqual([
        expect.stringMatching(/^namespace: another name .* rename the file/),
      ])
    })

  it('may be any other', () => {
    expect([
      problemsOf('shop.duckdb'),
      problemsOf('shop.duckdb', 'events'),
      problemsOf('shop-1.duckdb', 'shop'),
    ]).toEqual([[], [], []])
  })
})
