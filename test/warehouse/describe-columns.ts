import { afterAll, describe, expect, it } from 'vitest'
import { describeRefusals } from './describe-refusals.ts'
import { type Cell, loadRows, row, type WarehouseHost } from './describe-warehouse.ts'
import { describeWidening } from './describe-widening.ts'

export interface ColumnsSuiteOptions {
  /** Names of types for tables that are made by hand. */
  readonly types: { readonly text: string; readonly int: string; readonly key: string }
  /** Whether columns of texts that are all times can become times. */
  readonly retypesTimes: boolean
  /** How the host shows a time. */
  timeOf(iso: string): unknown
}

const live = new AbortController().signal
const noon = '2026-01-02T12:00:00.000Z'

/** The promises about columns whose types and names are in the way of a load. */
export function describeColumns(
  name: string,
  open: () => Promise<WarehouseHost>,
  { types, retypesTimes, timeOf }: ColumnsSuiteOptions,
): void {
  describeWidening(name, open, { types })
  describeRefusals(name, open, {
    create: `create table {checked} (id ${types.text}, n ${types.int} check (n < 10))`,
    refused: ['int', 10],
    reason: /^table checked: .*check/i,
  })
  describe(`columns in the way: ${name}`, () => {
    const hosts: WarehouseHost[] = []
    afterAll(() => Promise.all(hosts.map((host) => host.close())))
    let loads = 0

    async function scene() {
      const host = await open()
      hosts.push(host)
      const load = async (...rows: ReturnType<typeof row>[]) => {
        loads += 1
        return loadRows(host.warehouse, rows, 'replace', `columns-${loads}`)
      }
      return { ...host, load }
    }

    it('makes ids texts in tables where an odd first value has made them numbers', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run(`create table {users} (id ${types.int} ${types.key}, plan ${types.text})`)
      await run(`insert into {users} (id, plan) values (42, 'pro')`)
      await run(`create table {tracks} (id ${types.text}, user_id ${types.int}, channel ${types.int})`)
      await run(`insert into {tracks} values ('a', 42, 3)`)
      const report = await load(
        row('users', { id: 'kim', plan: ['string', 'free'] }),
        row('users', { id: '42', plan: ['string', 'team'] }),
        row('tracks', { id: 'b', user_id: ['string', 'kim'], channel: ['string', 'web'] }),
      )
      expect(report.tables).toMatchObject([{ discards: 0 }, { discards: 0 }])
      expect((await rows('users')).map(({ id, plan }) => [id, plan])).toEqual([
        ['42', 'team'],
        ['kim', 'free'],
      ])
      expect((await rows('tracks')).map(({ id, user_id: user, channel }) => [id, user, channel])).toEqual([
        ['a', '42', '3'],
        ['b', 'kim', 'web'],
      ])
    })

    it('makes booleans texts in standard columns of texts, and keeps others', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run(`create table {tracks} (id ${types.text}, channel boolean, vip boolean)`)
      await run(`insert into {tracks} values ('a', true, true), ('b', false, false), ('c', null, null)`)
      const report = await load(
        row('tracks', { id: 'd', channel: ['string', 'web'], vip: ['string', 'gold'] }),
        row('tracks', { id: 'e', channel: ['string', 'app'], vip: ['string', 'true'] }),
      )
      expect(report.tables).toMatchObject([{ discards: 1 }])
      expect((await rows('tracks')).map(({ id, channel }) => [id, channel])).toEqual([
        ['a', 'true'],
        ['b', 'false'],
        ['c', null],
        ['d', 'web'],
        ['e', 'app'],
      ])
      expect((await rows('tracks')).map(({ vip }) => (vip === null ? null : Number(vip)))).toEqual([
        1,
        0,
        null,
        null,
        1,
      ])
      expect(await rows('rudder_discards')).toMatchObject([{ row_id: 'd', column_name: 'vip', column_value: 'gold' }])
    })

    it('makes texts times where all of them are, and loads on where one is not', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run(`create table {tracks} (id ${types.text}, sent_at ${types.text}, timestamp ${types.text})`)
      await run(`insert into {tracks} values ('a', '2026-01-01T00:00:00.000Z', 'soon')`)
      const report = await load(row('tracks', { id: 'b', sent_at: ['datetime', noon], timestamp: ['datetime', noon] }))
      expect(report.tables).toMatchObject([{ discards: 0 }])
      const shown = retypesTimes ? timeOf : (iso: string) => iso
      expect((await rows('tracks')).map(({ id, sent_at: sentAt, timestamp }) => [id, sentAt, timestamp])).toEqual([
        ['a', shown('2026-01-01T00:00:00.000Z'), 'soon'],
        ['b', shown(noon), noon],
      ])
    })

    it('refuses the values of a standard column whose type cannot change, and says what to do', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run(`create table {tracks} (id ${types.text}, sent_at ${types.int})`)
      const odd: Cell = ['datetime', 'soon']
      await load(
        row('tracks', { id: 'a', sent_at: ['datetime', noon] }),
        row('tracks', { id: 'b', sent_at: ['datetime', noon], received_at: odd }),
      )
      expect((await rows('tracks')).map(({ id }) => id)).toEqual(['a', 'b'])
      const discards = await rows('rudder_discards')
      expect(discards).toHaveLength(3)
      expect(discards.filter(({ column_name: column }) => column === 'sent_at')).toMatchObject([
        { reason: expect.stringMatching(/rename sent_at of tracks/) },
        { reason: expect.stringMatching(/rename sent_at of tracks/) },
      ])
    })

    for (const name of ['xmin', 'ctid', 'tableoid', 'DB_ROW_ID', 'fts_doc_id', 'rowid', 'Total'])
      it(`loads a column with the name ${name}, whatever the database has under it`, async () => {
        const { load, rows } = await scene()
        await load(row('moved', { id: 'a', total: ['int', 1], [name]: ['int', 1] }), row('ordered', { id: 'o' }))
        await load(row('moved', { id: 'b', total: ['int', 2], [name]: ['int', 2] }), row('ordered', { id: 'p' }))
        expect(await rows('ordered')).toHaveLength(2)
        const values = (await rows('moved')).map((found) =>
          Object.entries(found).flatMap(([column, value]) =>
            new RegExp(`^_?${name}$`, 'i').test(column) ? [Number(value)] : [],
          ),
        )
        expect(values).toEqual(
          name === 'Total' ? [expect.arrayContaining([1]), expect.arrayContaining([2])] : [[1], [2]],
        )
      })

    it('gives a table another name when a view has its own, and loads the others', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run('create view {seen} as select id from {others}')
      for (const id of ['a', 'b']) await load(row('seen', { id, n: ['int', 1] }), row('others', { id }))
      expect((await rows('_seen')).map(({ id, n }) => [id, Number(n)])).toEqual([
        ['a', 1],
        ['b', 1],
      ])
      expect((await rows('others')).map(({ id }) => id)).toEqual(['a', 'b', 'x'])
    })

    it('counts a table once that needs another name for a column', async () => {
      const { load } = await scene()
      const report = await load(row('moved', { id: 'a', xmin: ['int', 1], FTS_DOC_ID: ['string', 'x'] }))
      expect(report.tables).toMatchObject([{ table: 'moved', isNew: true, rows: 1, discards: 0 }])
    })

    it('says what to do when a view has the name of a standard table', async () => {
      const { load, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run('create view {users} as select id from {others}')
      await expect(load(row('users', { id: 'a' }))).rejects.toThrow(/table users.*choose another namespace/)
    })

    it('stores ids that are too long for an index under a digest, and finds them', async () => {
      const { warehouse, load, rows } = await scene()
      // Not compressible, which databases would do.
      const long = Array.from({ length: 990 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7_919) % 20_000))).join('')
      for (const plan of ['free', 'pro'])
        await load(
          row('tracks', { id: long, user_id: ['string', long], plan: ['string', plan] }),
          row('users', { id: long, plan: ['string', plan] }),
        )
      const [user, ...others] = await rows('users')
      expect([user?.['plan'], others]).toEqual(['pro', []])
      expect(await rows('tracks')).toHaveLength(1)
      const { keyLengthMax } = warehouse.limits
      if (keyLengthMax !== undefined)
        expect([user?.['id'], user?.['sluice_full_id']]).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/), long])
      const session = await warehouse.connect(live)
      const [erased] = await session.erase({ userIds: [long], usersPerBatch: 1, signal: live })
      await session.close()
      expect(Object.fromEntries((erased?.tables ?? []).map(({ table, rows }) => [table, rows]))).toEqual({
        tracks: 1,
        users: 1,
      })
    })
  })
}
