import { randomUUID } from 'node:crypto'
import type { JsonValue } from '@sluice/core'
import type { LoadReport } from '@sluice/destinations'
import {
  type ColumnType,
  createLoader,
  type ErasedUser,
  type PreparedTable,
  TableRow,
  type Warehouse,
  type WarehouseSession,
} from '@sluice/warehouse'
import { afterAll, describe, expect, it } from 'vitest'

/** A warehouse for tests, and a way to look into it that is not the one under test. */
export interface WarehouseHost {
  readonly warehouse: Warehouse
  /** Rows of a table in order of `id` (see `byId`), with their values as text, numbers, booleans and null. */
  rows(table: string): Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Runs a statement; `{table}` stands for a table in the namespace, such as `{tracks}`. */
  run(sql: string): Promise<void>
  /** Removes everything. */
  close(): Promise<void>
}

export interface WarehouseSuiteOptions {
  /** Names of types for tables that are made by hand. `shortText` holds 5 characters; undefined where none can. */
  readonly types: {
    readonly text: string
    readonly shortText: string | undefined
    readonly int: string
    readonly strange: string
  }
  /** Largest number of columns of a table; default 1,000 or more. */
  readonly columnsMax?: number
  /** Largest number of characters of a text; default 300,000 or more. */
  readonly textLengthMax?: number
  /** Whether rows are only ever added, to tables that no statement changes by hand. */
  readonly appendsOnly?: boolean
  /** Whether a transaction is one statement, so that a failed load may leave rows, which its repetition replaces. */
  readonly hasNoTransactions?: boolean
  /** How the host shows a time. */
  timeOf(iso: string): unknown
}

const live = new AbortController().signal
/** As a moment of some year. */
const at = Date.UTC(2026, 0, 2, 3, 4, 5)

/** The promises of `Warehouse`. */
export function describeWarehouse(
  name: string,
  open: () => Promise<WarehouseHost>,
  {
    types,
    timeOf,
    columnsMax = 2_000,
    textLengthMax = 300_000,
    appendsOnly = false,
    hasNoTransactions = false,
  }: WarehouseSuiteOptions,
): void {
  describe(`warehouse: ${name}`, () => {
    const hosts: WarehouseHost[] = []
    afterAll(() => Promise.all(hosts.map((host) => host.close())))

    async function scene(mode: 'append' | 'replace' = 'replace', more: { readonly windowMs?: number } = {}) {
      const host = await open()
      hosts.push(host)
      const loader = createLoader(
        { warehouse: host.warehouse, pace: { ms: 1_000, eventsMax: 1_000 }, mode, nameOf: (given) => given, ...more },
        { destinationId: 'd', now: () => at },
      )
      const add = (...rows: readonly TableRow[]): void =>
        loader.add({}, [{ body: { JSON: { rows } } }] as unknown as Parameters<typeof loader.add>[1])
      return {
        ...host,
        loader,
        add,
        async load(...rows: readonly TableRow[]) {
          add(...rows)
          try {
            return await loader.load(randomUUID(), live)
          } finally {
            loader.discard()
          }
        },
      }
    }

    async function within<T>(warehouse: Warehouse, use: (session: WarehouseSession) => Promise<T>): Promise<T> {
      const session = await warehouse.connect(live)
      try {
        return await use(session)
      } finally {
        await session.close()
      }
    }

    /** What only products can do that change rows and tables. */
    const changing = appendsOnly ? (_name: string, _run: () => Promise<void>): void => {} : it

    /** The same, for what needs transactions of several statements. */
    const inTransactions = hasNoTransactions ? (_name: string, _run: () => Promise<void>): void => {} : it

    it('creates tables and adds columns, and says so in the report', async () => {
      const { load, rows } = await scene()
      expect((await load(row('tracks', { id: 'a', total: ['int', 5] }))).tables).toEqual([
        {
          table: 'tracks',
          rows: 1,
          discards: 0,
          reasons: [],
          newColumns: [
            { name: 'uuid_ts', type: 'datetime' },
            { name: 'id', type: 'string' },
            { name: 'total', type: 'int' },
          ],
          isNew: true,
        },
      ])
      expect((await load(row('tracks', { id: 'b', total: ['int', 6], note: ['string', 'n'] }))).tables).toEqual([
        {
          table: 'tracks',
          rows: 1,
          discards: 0,
          reasons: [],
          newColumns: [{ name: 'note', type: 'string' }],
          isNew: false,
        },
      ])
      expect(await rows('tracks')).toMatchObject([
        { id: 'a', total: 5, note: null },
        { id: 'b', total: 6, note: 'n' },
      ])
    })

    it('stores values of every type unchanged', async () => {
      const { load, rows } = await scene()
      const text = 'tab\t line\n return\r back\\slash \\N \\t "quotes" \'single\' ,comma äöü 日本 😀 {}'
      await load(
        row('tracks', {
          id: 'a',
          plain: ['string', text],
          empty_json: ['json', '{}'],
          flag: ['boolean', true],
          off: ['boolean', false],
          whole: ['int', 2 ** 53 - 1],
          negative: ['int', -5],
          fraction: ['float', 1.5e300],
          tiny: ['float', -0.1],
          moment: ['datetime', '2026-03-04T05:06:07.089Z'],
          early: ['datetime', '1900-01-01T00:00:00.000Z'],
          data: ['json', JSON.stringify({ a: ['"', '\\', 1] })],
          list: ['string', ['x', 1]],
        }),
      )
      const [found] = await rows('tracks')
      expect(found).toMatchObject({
        plain: text,
        flag: true,
        off: false,
        negative: -5,
        fraction: 1.5e300,
        tiny: -0.1,
        moment: timeOf('2026-03-04T05:06:07.089Z'),
        early: timeOf('1900-01-01T00:00:00.000Z'),
        list: '["x",1]',
      })
      expect(String(found?.['whole'])).toBe(String(2 ** 53 - 1))
      expect(JSON.parse(String(found?.['data']))).toEqual({ a: ['"', '\\', 1] })
    })

    it('stores texts that are not well-formed, and long ones', async () => {
      const { load, rows } = await scene()
      const long = 'x'.repeat(textLengthMax)
      const report = await load(
        row('tracks', {
          id: 'a',
          nul: ['string', 'a\0b'],
          half: ['string', 'a\ud800b'],
          data: ['json', JSON.stringify({ nul: '\0', half: '\udc00', escaped: '\\u0000' })],
          long: ['string', long],
        }),
      )
      expect(report.tables).toMatchObject([{ rows: 1, discards: 0 }])
      const [found] = await rows('tracks')
      expect(String(found?.['nul']).replace('\0', '')).toBe('ab')
      expect(found?.['half']).toBe('a\ufffdb')
      expect(JSON.parse(String(found?.['data']))).toEqual({ nul: '', half: '\ufffd', escaped: '\\u0000' })
      expect(String(found?.['long']).length).toBe(long.length)
    })

    it('keeps names that are words of SQL, contain quotes, or differ in case only', async () => {
      const { load, rows } = await scene()
      await load(row('order "x"', { id: 'a', select: ['int', 1], 'a"b`c': ['int', 2] }))
      expect(await rows('order "x"')).toMatchObject([{ select: 1, 'a"b`c': 2 }])
    })

    changing('replaces a row with the same id, also within a load', async () => {
      const { load, rows } = await scene()
      await load(row('tracks', { id: 'a', n: ['int', 1] }), row('tracks', { id: 'A', n: ['int', 5] }))
      const report = await load(
        row('tracks', { id: 'b', n: ['int', 2] }),
        row('tracks', { id: 'a', n: ['int', 3] }),
        row('tracks', { id: 'b', n: ['int', 4] }),
      )
      expect(report.tables).toMatchObject([{ rows: 2 }])
      expect((await rows('tracks')).map(({ id, n }) => [id, n]).sort()).toEqual([
        ['A', 5],
        ['a', 3],
        ['b', 4],
      ])
    })

    it('only adds rows when it appends', async () => {
      const { load, rows } = await scene('append')
      await load(row('tracks', { id: 'a' }), row('tracks', { id: 'a' }))
      await load(row('tracks', { id: 'a' }))
      expect(await rows('tracks')).toHaveLength(3)
    })

    changing('replaces rows in a table without a key that was made by hand, within the window', async () => {
      const { load, rows, run } = await scene('replace', { windowMs: 86_400_000 })
      await load(row('others', { id: 'x' }))
      await run(`create table {tracks} (id ${types.text}, received_at timestamp null, n ${types.int})`)
      const old = new Date(at - 3 * 86_400_000).toISOString().slice(0, 19).replace('T', ' ')
      await run(`insert into {tracks} values ('a', '${old}', 1)`)
      const received: Cell = ['datetime', new Date(at - 3_600_000).toISOString()]
      await load(row('tracks', { id: 'a', n: ['int', 2], received_at: received }))
      await load(row('tracks', { id: 'a', n: ['int', 3], received_at: received }))
      expect((await rows('tracks')).map(({ n }) => Number(n)).sort()).toEqual([1, 3])
    })

    changing('gives each column of a user the newest value that is not empty', async () => {
      const { load, rows } = await scene('append')
      const user = (id: string, hour: number, more: Readonly<Record<string, Cell>>): TableRow =>
        row('users', { id, received_at: ['datetime', new Date(at + hour * 3_600_000).toISOString()], ...more })
      await load(
        user('u', 1, { name: ['string', 'A'], city: ['string', 'Rome'] }),
        user('u', 2, { name: ['string', 'B'] }),
      )
      await load(user('u', 3, { plan: ['string', 'free'] }), user('v', 3, { name: ['string', 'V'] }))
      await load(user('u', 0, { name: ['string', 'late'], phone: ['string', '1'] }))
      expect(await rows('users')).toMatchObject([
        { id: 'u', name: 'B', city: 'Rome', plan: 'free', phone: '1' },
        { id: 'v', name: 'V' },
      ])
    })

    changing('tells ids apart that differ in blanks at the end, in case or in the form of a letter', async () => {
      const { load, rows } = await scene()
      const ids = ['u', 'u ', 'u  ', 'U', 'u\u00a0', 'zo\u00eb', 'zoe\u0308', 'straße', 'strasse'].toSorted()
      const of = (table: string, plan: string) => ids.map((id) => row(table, { id, plan: `${plan} of ${id}` }))
      for (const table of ['users', 'tracks']) {
        for (const plan of ['free', 'paid']) await load(...of(table, plan))
        await load(row(table, { id: 'u ', plan: 'none' }))
        const found = await rows(table)
        expect(found.map(({ id, plan }) => [id, plan]).toSorted()).toEqual(
          ids.map((id) => [id, id === 'u ' ? 'none' : `paid of ${id}`]).toSorted(),
        )
      }
    })

    changing('stores NULL for a value that does not fit, and the value with the reason as a discard', async () => {
      const { load, rows, run } = await scene()
      await load(row('others', { id: 'x' }))
      await run(
        `create table {tracks} (id ${types.text}, total ${types.int}, code ${types.shortText ?? types.text}, odd ${types.strange})`,
      )
      const report = await load(
        row('tracks', {
          id: 'a',
          total: ['string', 'NA'],
          code: ['string', types.shortText ? 'too long' : 'short'],
          odd: ['string', 'x'],
          received_at: ['datetime', '2026-01-02T00:00:00.000Z'],
        }),
        row('tracks', { id: 'b', total: ['string', '12'], code: ['int', 77] }),
        row('tracks', { id: 'c', total: ['float', 2], code: ['boolean', true] }),
        row('tracks', { id: 'd', total: ['int', 1e21] }),
      )
      expect(report.tables).toMatchObject([{ table: 'tracks', rows: 4, discards: types.shortText ? 4 : 3 }])
      expect((await rows('tracks')).map(({ id, total, code, odd }) => [id, total, code, odd])).toEqual([
        ['a', null, types.shortText ? null : 'short', null],
        ['b', 12, '77', null],
        ['c', 2, 'true', null],
        ['d', null, null, null],
      ])
      const discards = await rows('rudder_discards')
      expect(
        discards.map(({ row_id: id, table_name: table, column_name: column, column_value: value }) => ({
          id,
          table,
          column,
          value,
        })),
      ).toEqual(
        expect.arrayContaining([
          { id: 'a', table: 'tracks', column: 'total', value: 'NA' },
          ...(types.shortText ? [{ id: 'a', table: 'tracks', column: 'code', value: 'too long' }] : []),
          { id: 'a', table: 'tracks', column: 'odd', value: 'x' },
          { id: 'd', table: 'tracks', column: 'total', value: '1e+21' },
        ]),
      )
      for (const { reason } of discards)
        expect(reason).toMatch(/does not fit|which Sluice does not write|outside the range/)
    })

    it('gives a new column the widest type that a load needs', async () => {
      const { load, rows } = await scene()
      await load(
        row('tracks', { id: 'a', n: ['int', 1], mix: ['int', 2] }),
        row('tracks', { id: 'b', n: ['float', 1.5], mix: ['string', 'x'] }),
      )
      expect((await rows('tracks')).map(({ n, mix }) => [n, mix])).toEqual([
        [1, '2'],
        [1.5, 'x'],
      ])
    })

    changing('adds a column again that was dropped by hand', async () => {
      const { load, rows, run } = await scene()
      await load(row('tracks', { id: 'a', n: ['int', 1], m: ['int', 1] }))
      await run('alter table {tracks} drop column n')
      expect((await load(row('tracks', { id: 'b', n: ['int', 2], m: ['int', 2] }))).tables).toMatchObject([
        { newColumns: [{ name: 'n' }] },
      ])
      expect((await rows('tracks')).map(({ n }) => n)).toEqual([null, 2])
    })

    it('holds 1,000 columns, or discards the values that have no room', async () => {
      const { load, rows } = await scene()
      const cells = Object.fromEntries(Array.from({ length: 999 }, (_, i): [string, Cell] => [`c_${i}`, ['int', i]]))
      const { tables } = await load(row('wide', { id: 'a', ...cells }))
      // The time of the load and the id are columns, too.
      const kept = Math.min(999, columnsMax - 2)
      expect((await rows('wide'))[0]).toMatchObject({ c_0: 0, [`c_${kept - 1}`]: kept - 1 })
      expect(tables).toMatchObject([{ discards: 999 - kept }])
    })

    ;(appendsOnly ? changing : inTransactions)(
      'loads all tables or none, and the id of a failed load stays free',
      async () => {
        const { warehouse, rows, load } = await scene()
        await load(row('tracks', { id: 'a' }), row('pages', { id: 'p' }))
        const loadId = randomUUID()
        const broken: PreparedTable = { ...prepared('pages', 'b'), columns: [{ name: 'nothing', type: 'string' }] }
        const tables = [prepared('tracks', 'b'), broken]
        await expect(
          within(warehouse, (session) => session.load({ loadId, destinationId: 'd', at, tables })),
        ).rejects.toThrow(/nothing/)
        expect(await rows('tracks')).toMatchObject([{ id: 'a' }])
        await within(warehouse, (session) =>
          session.load({ loadId, destinationId: 'd', at, tables: [prepared('tracks', 'b')] }),
        )
        expect(await rows('tracks')).toHaveLength(2)
      },
    )

    it('loads an id once', async () => {
      const { loader, add, rows } = await scene('append')
      add(row('tracks', { id: 'a' }))
      await loader.load('once', live)
      await expect(loader.load('once', live)).rejects.toThrow('settled before')
      expect(await rows('tracks')).toHaveLength(1)
      expect(await loader.settle('once', live)).toBe(true)
    })

    it('never loads an id that was settled as one that has not happened', async () => {
      const { loader, add, load, rows } = await scene('append')
      await load(row('tracks', { id: 'first' }))
      expect(await loader.settle('void', live)).toBe(false)
      add(row('tracks', { id: 'a' }))
      await expect(loader.load('void', live)).rejects.toThrow('settled before')
      expect(await loader.settle('void', live)).toBe(false)
      expect(await rows('tracks')).toHaveLength(1)
    })

    it('settles in an empty warehouse', async () => {
      const { loader } = await scene()
      expect(await loader.settle('any', live)).toBe(false)
    })

    it('lets two sessions make the same tables and columns at once', async () => {
      const { warehouse, rows } = await scene()
      const settle = async (n: number) => {
        const loader = createLoader(
          { warehouse, pace: { ms: 1, eventsMax: 1 }, mode: 'append', nameOf: (given) => given },
          { destinationId: `d${n}`, now: () => at },
        )
        const cells = { id: `i${n}`, same: ['int', n], [`own_${n}`]: ['int', n] } as const
        loader.add({}, [{ body: { JSON: { rows: [row('tracks', cells), row(`t_${n}`, cells)] } } }] as never)
        await loader.load(randomUUID(), live)
      }
      await Promise.all([1, 2, 3].map(settle))
      expect((await rows('tracks')).map(({ id, same, own_2: own }) => [id, same, own])).toEqual([
        ['i1', 1, null],
        ['i2', 2, 2],
        ['i3', 3, null],
      ])
      // Each has what all have made: otherwise no deletion would search it.
      const made = await within(warehouse, (session) => session.schema())
      for (const n of [1, 2, 3]) {
        expect([...made.keys()].map((name) => name.toLowerCase())).toContain(`t_${n}`)
        const [, columns] = [...made].find(([name]) => name.toLowerCase() === 'tracks') ?? []
        expect([...(columns?.keys() ?? [])].map((name) => name.toLowerCase())).toContain(`own_${n}`)
      }
    })

    inTransactions('decides once whether a load that is under way elsewhere happens', async () => {
      const { warehouse, load, rows } = await scene('append')
      await load(row('tracks', { id: 'first' }))
      for (let round = 0; round < 5; round += 1) {
        const loadId = randomUUID()
        const loading = within(warehouse, (session) =>
          session.load({ loadId, destinationId: 'd', at, tables: [prepared('tracks', `r${round}`)] }),
        ).then(
          () => true,
          () => false,
        )
        const settled = within(warehouse, (session) => session.settle(loadId))
        expect(await settled).toBe(await loading)
        expect((await rows('tracks')).some(({ id }) => id === `r${round}`)).toBe(await loading)
      }
    })

    it('deletes rows of users by user id and by linked anonymous ids, with their discards', async () => {
      const { warehouse, load, rows } = await scene()
      const of = (table: string, id: string, user: string | undefined, anonymous: string, more: Cells = {}): TableRow =>
        row(table, { id, ...(user ? { user_id: ['string', user] } : {}), anonymous_id: ['string', anonymous], ...more })
      await load(of('tracks', 't0', undefined, 'a9', { n: ['int', 1] }))
      await load(
        of('identifies', 'i1', 'u1', 'a1'),
        of('identifies', 'i2', 'u2', 'a2'),
        row('users', { id: 'u1' }),
        row('users', { id: 'u2' }),
        of('tracks', 't1', 'u1', 'a1', { n: ['string', 'secret of u1'] }),
        of('tracks', 't2', undefined, 'a1'),
        of('tracks', 't3', 'u2', 'a2', { n: ['string', 'of u2'] }),
        row('aliases', { id: 'l1', user_id: ['string', 'u3'], previous_id: ['string', 'u1'] }),
      )
      const erased = await within(warehouse, (session) =>
        session.erase({ userIds: ['u1', 'u9'], usersPerBatch: 1, signal: live }),
      )
      expect(erased.map(countsOf)).toEqual([{ aliases: 1, identifies: 1, tracks: 2, users: 1 }, {}])
      expect((await rows('tracks')).map(({ id }) => id)).toEqual(['t0', 't3'])
      expect(await rows('users')).toMatchObject([{ id: 'u2' }])
      expect((await rows('rudder_discards')).map(({ column_value: value }) => value)).toEqual(['of u2'])
    })

    it('stops when it is aborted, and leaves nothing behind', async () => {
      const { loader, add, rows, load } = await scene('append')
      await load(row('tracks', { id: 'a' }))
      add(row('tracks', { id: 'b' }))
      const stopping = new AbortController()
      stopping.abort(new Error('the pipeline is stopping'))
      await expect(loader.load('l', stopping.signal)).rejects.toThrow()
      expect(await rows('tracks')).toHaveLength(1)
    })
  })
}

export type Cell = readonly [type: ColumnType, value: JsonValue]
export type Cells = Readonly<Record<string, Cell | string>>

/** A row; a text is a value of the type string. */
export function row(table: string, cells: Cells): TableRow {
  const entries = Object.entries({ uuid_ts: ['datetime', undefined] as const, ...cells })
  return new TableRow(
    table,
    entries.map(([name]) => name),
    entries.map(([, cell]) => (typeof cell === 'string' ? 'string' : cell[0])),
    entries.map(([, cell]) => (typeof cell === 'string' ? cell : cell[1])),
  )
}

/** Returns how many rows of one user were deleted, by table. */
export function countsOf({ tables }: ErasedUser): Readonly<Record<string, number>> {
  return Object.fromEntries(tables.map(({ table, rows }) => [table, rows]))
}

/** Loads a row with this id into each of the tables. */
export async function loadInto(
  warehouse: Warehouse,
  id: string,
  tables: readonly string[],
  mode: 'append' | 'replace' = 'replace',
): Promise<void> {
  const rows = tables.map((table) => row(table, { id }))
  await loadRows(warehouse, rows, mode, `load-${id}`)
}

/** Loads rows. */
export async function loadRows(
  warehouse: Warehouse,
  rows: readonly TableRow[],
  mode: 'append' | 'replace' = 'append',
  loadId: string = randomUUID(),
): Promise<LoadReport> {
  const loader = createLoader(
    { warehouse, pace: { ms: 1, eventsMax: 1 }, mode, nameOf: (name) => name },
    { destinationId: 'd', now: () => at },
  )
  loader.add({}, [{ body: { JSON: { rows } } }] as unknown as Parameters<typeof loader.add>[1])
  return loader.load(loadId, live)
}

/** Returns rows in order of `id`. */
export function byId<Row extends Readonly<Record<string, unknown>>>(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1))
}

function prepared(table: string, id: string): PreparedTable {
  return {
    table,
    columns: [{ name: 'id', type: 'string' }],
    key: 'id',
    mode: 'append',
    rowCount: 1,
    rows: () => [[id]],
  }
}
