import { expect, it } from 'vitest'
import { inTransactions } from './in-transactions.ts'
import type { PreparedTable } from './warehouse.ts'

const tableOf = (table: string, more: Partial<PreparedTable> = {}): PreparedTable => ({
  table,
  columns: ['id', 'a'].map((name) => ({ name, type: 'string' as const })),
  key: 'id',
  mode: 'append',
  rowCount: 1,
  rows: () => [['1', 'x']],
  ...more,
})
const namesOf = (tables: readonly PreparedTable[]) => tables.map(({ table }) => table)

it('writes what fits together with the id of the load, and the rest before it', () => {
  const tables = ['a', 'b', 'c', 'd', 'e'].map((name) => tableOf(name))
  const parts = inTransactions(tables, { tablesMax: 2, columnsMax: 100 })
  expect([...parts.before, parts.last].map(namesOf)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  const byColumns = inTransactions(tables, { tablesMax: 100, columnsMax: 6 })
  expect([...byColumns.before, byColumns.last].map(namesOf)).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ])
  expect(inTransactions(tables, { tablesMax: 5, columnsMax: 10 }).before).toEqual([])
})

it('writes what it writes before in a way that can be repeated: by id, each once', () => {
  const rows = [
    ['1', 'x'],
    ['1', 'y'],
    ['2', 'z'],
  ]
  const twice = tableOf('a', { rowCount: 3, rows: () => rows })
  const noKey = tableOf('rudder_discards', { key: '' })
  const { before, last } = inTransactions([noKey, twice, tableOf('b')], { tablesMax: 1, columnsMax: 100 })
  expect(namesOf(last)).toEqual(['rudder_discards', 'b'])
  expect(before.map(namesOf)).toEqual([['a']])
  expect(before[0]?.[0]).toMatchObject({ mode: 'replace', rowCount: 2 })
  expect([...(before[0]?.[0]?.rows() ?? [])]).toEqual([
    ['1', 'y'],
    ['2', 'z'],
  ])
})
