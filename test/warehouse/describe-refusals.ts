import { createLoader, TableRow } from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'
import { type Cell, type Cells, row, type WarehouseHost } from './describe-warehouse.ts'

export interface RefusalsSuiteOptions {
  /** Creates the table `{checked}` with the columns `id` and `n`; absent where tables are only made by loads. */
  readonly create?: string
  /** A value of `n` that the table refuses. */
  readonly refused: Cell
  /** One that it takes; default a small whole number. */
  readonly taken?: Cell
  /** Why the event is refused, in the words of the product. */
  readonly reason: RegExp
  /** Whether a transaction is one statement, so that trials leave rows, which the next load replaces. */
  readonly hasNoTransactions?: boolean
  /** Returns a name in the case of the product. */
  nameOf?(name: string): string
}

const live = new AbortController().signal

/** The promises about rows that a product refuses. */
export function describeRefusals(
  name: string,
  open: () => Promise<WarehouseHost>,
  {
    create,
    refused,
    taken = ['int', 1],
    reason,
    hasNoTransactions = false,
    nameOf = (given) => given,
  }: RefusalsSuiteOptions,
): void {
  describe(`refused rows: ${name}`, () => {
    const hosts: WarehouseHost[] = []
    afterAll(() => Promise.all(hosts.map((host) => host.close())))
    const cased = (table: string, cells: Cells): TableRow => {
      const { names, types, values } = row(table, cells)
      return new TableRow(nameOf(table), names.map(nameOf), types, values)
    }
    const requestsOf = (rows: readonly TableRow[]): Parameters<ReturnType<typeof createLoader>['add']>[1] =>
      [{ body: { JSON: { rows } } }] as never

    async function scene() {
      const host = await open()
      hosts.push(host)
      const loaderOf = (mode: 'append' | 'replace') =>
        createLoader(
          { warehouse: host.warehouse, pace: { ms: 1, eventsMax: 1 }, mode, nameOf },
          { destinationId: 'd', now: () => 0 },
        )
      const first = loaderOf('replace')
      first.add({}, requestsOf([cased('others', { id: 'x' })]))
      await first.load('others', live)
      if (create) await host.run(create)
      return { rows: (table: string) => host.rows(nameOf(table)), loaderOf }
    }

    it('refuses the events of rows that the database refuses, and loads all others', async () => {
      const { loaderOf, rows } = await scene()
      const loader = loaderOf('replace')
      const events = Array.from({ length: 60 }, (_, n) => [
        cased('tracks', { id: `m${n}` }),
        cased('checked', { id: `m${n}`, n: n % 20 < 10 ? taken : refused }),
      ])
      for (const event of events) loader.add({}, requestsOf(event))
      await expect(loader.load('first', live)).rejects.toThrow(/refuses \d+ rows: table checked: /i)
      if (!hasNoTransactions) expect((await rows('checked')).length).toBe(0)
      expect(loader.refusals).toBe(30)
      loader.discard()
      const reasons = events.map((event) => loader.refusal?.(requestsOf(event)))
      for (const [n, found] of reasons.entries())
        if (n % 20 < 10) expect(found).toBeUndefined()
        else expect(found).toMatch(reason)
      for (const [n, event] of events.entries()) if (reasons[n] === undefined) loader.add({}, requestsOf(event))
      await loader.load('second', live)
      expect((await rows('checked')).length).toBe(30)
      // Without transactions, what was written of a refused event before its row was refused stays.
      expect((await rows('tracks')).length).toBe(hasNoTransactions ? 60 : 30)
    })

    it('takes a table for the fault when it refuses every row, without trying each', async () => {
      const loader = (await scene()).loaderOf(hasNoTransactions ? 'replace' : 'append')
      const loading = Array.from({ length: 1_000 }, (_, n) => cased('checked', { id: `m${n}`, n: refused }))
      loader.add({}, requestsOf(loading))
      await expect(loader.load('strict', live)).rejects.toThrow(/refuses 1000 rows: table checked: /i)
    })

    if (hasNoTransactions)
      it('fails as a whole where rows are added, because a trial would leave some', async () => {
        const { loaderOf, rows } = await scene()
        const loader = loaderOf('append')
        loader.add({}, requestsOf([cased('checked', { id: 'a', n: taken }), cased('checked', { id: 'b', n: refused })]))
        await expect(loader.load('added', live)).rejects.toThrow(/^(?!.*refuses)/)
        expect(await rows('checked')).toEqual([])
      })
  })
}
