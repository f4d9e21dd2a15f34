import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TableRow } from '../rows/table-row.ts'
import { digestOf, findRefusedRows, RefusedRows, type RowToTry } from './refused-rows.ts'
import { WarehouseError } from './warehouse-error.ts'

const rowOf = (table: string, id: number): RowToTry => ({ table, row: new TableRow(table, ['id'], ['int'], [id]) })
const idsOf = (rows: readonly RowToTry[]): readonly unknown[] => rows.map(({ row }) => row.values[0])
const digests = (rows: readonly RowToTry[]): readonly string[] => rows.map(({ row }) => digestOf(row)).sort()

describe('refused rows', () => {
  it('are found exactly, wherever they are', async () => {
    const given = fc.record({
      count: fc.integer({ min: 1, max: 120 }),
      bad: fc.uniqueArray(fc.nat(119), { minLength: 1, maxLength: 15 }),
    })
    await fc.assert(
      fc.asyncProperty(given, async ({ count, bad }) => {
        const rows = Array.from({ length: count }, (_, id) => rowOf(`t${Math.floor(id / 40)}`, id))
        const isBad = ({ row }: RowToTry): boolean => bad.includes(row.values[0] as number)
        const found = await findRefusedRows(rows, async (part) =>
          part.some(isBad) ? new WarehouseError('no', 'X', true) : undefined,
        )
        expect(found.map(({ digest }) => digest).sort()).toEqual(digests(rows.filter(isBad)))
      }),
    )
  })

  it('are the later ones where rows do not fit together', async () => {
    const rows = Array.from({ length: 50 }, (_, id) => rowOf('t', id))
    const found = await findRefusedRows(rows, async (part) =>
      idsOf(part).includes(3) && idsOf(part).includes(41) ? new WarehouseError('twice', 'X', true) : undefined,
    )
    expect(found).toEqual([{ digest: digestOf(rowOf('t', 41).row), reason: 'table t: twice' }])
  })

  it('are all rows of a table that takes none, after a few attempts', async () => {
    const rows = [...Array.from({ length: 5_000 }, (_, id) => rowOf('strict', id)), rowOf('other', 0)]
    let attempts = 0
    const found = await findRefusedRows(rows, async (part) => {
      attempts += 1
      return part.some(({ table }) => table === 'strict') ? new WarehouseError('no', 'X', true) : undefined
    })
    expect(found).toHaveLength(5_000)
    expect(attempts).toBeLessThan(100)
  })

  it('are recognized in requests, and nothing else is', () => {
    const refused = new RefusedRows(() => {})
    const requests = (id: number) => [{ body: { JSON: { rows: [rowOf('t', id).row] } } }] as never
    expect(refused.reasonOf(requests(1))).toBeUndefined()
    refused.remember([{ digest: digestOf(rowOf('t', 1).row), reason: 'no' }])
    expect([refused.reasonOf(requests(1)), refused.reasonOf(requests(2)), refused.count]).toEqual(['no', undefined, 1])
  })
})
