import { afterAll, describe, expect, it } from 'vitest'
import { loadRows, row, type WarehouseHost } from './describe-warehouse.ts'

export interface WideningSuiteOptions {
  /** Names of types for tables that are made by hand. */
  readonly types: { readonly text: string; readonly int: string }
}

/** The promises of products whose columns of whole numbers become columns of fractions. */
export function describeWidening(
  name: string,
  open: () => Promise<WarehouseHost>,
  { types }: WideningSuiteOptions,
): void {
  describe(`columns that widen: ${name}`, () => {
    const hosts: WarehouseHost[] = []
    afterAll(() => Promise.all(hosts.map((host) => host.close())))
    let loads = 0

    async function scene() {
      const host = await open()
      hosts.push(host)
      const load = async (...rows: ReturnType<typeof row>[]) => {
        loads += 1
        return loadRows(host.warehouse, rows, 'replace', `widening-${loads}`)
      }
      return { ...host, load }
    }

    it('widens a column of whole numbers when a fraction comes', async () => {
      const { load, rows } = await scene()
      await load(row('paid', { id: 'a', total: ['int', 10], big: ['int', 2 ** 53 - 1] }))
      const report = await load(
        row('paid', { id: 'b', total: ['float', 9.99] }),
        row('paid', { id: 'c', total: ['string', 'NA'], big: ['int', 3] }),
      )
      expect(report.tables).toMatchObject([{ table: 'paid', discards: 1 }])
      expect((await rows('paid')).map(({ id, total, big }) => [id, total, big === null ? null : String(big)])).toEqual([
        ['a', 10, '9007199254740991'],
        ['b', 9.99, null],
        ['c', null, '3'],
      ])
    })

    it('keeps a column of whole numbers that a number with a fraction could not hold, and the value in the discards', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run(`create table {paid} (id ${types.text}, total ${types.int})`)
      await run(`insert into {paid} values ('a', 9007199254740993)`)
      await load(row('paid', { id: 'b', total: ['float', 9.99] }))
      expect(await rows('rudder_discards')).toMatchObject([
        { row_id: 'b', table_name: 'paid', column_name: 'total', column_value: '9.99' },
      ])
    })
  })
}
