import { identifierText } from '@sluice/core'
import type { ColumnType, TableRow, WarehouseSession } from '@sluice/warehouse'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { countsOf, loadRows, row, type WarehouseHost } from './describe-warehouse.ts'

const live = new AbortController().signal

export interface ErasureSuiteOptions {
  /** A type in which ids cannot be searched, and a value of it as SQL. Absent where tables cannot be made by hand. */
  readonly strange?: { readonly type: string; readonly value: string }
  /** A type of texts that are compared without regard to case. */
  readonly caseless?: string
  /** Runs of the property, each of which loads and erases. */
  readonly propertyRuns?: number
  /** Whether ids of `users` are always texts there. */
  readonly hasTextKeys?: boolean
  /** Types that the product does not have, so that their values are texts. */
  readonly missingTypes?: readonly ColumnType[]
}

type Value = string | number | boolean
type Ids = Readonly<Partial<Record<'user' | 'anonymous' | 'previous', Value>>>

/** Spellings of one id. */
const spellings = [
  'pad 7@x',
  ' pad 7@x',
  'pad 7@x  ',
  '\tpad 7@x\n',
  '\ufeffpad 7@x',
  'pad\u200b 7@x',
  'p\u00adad 7@x\u2060',
  '\u00a0pad 7@x\u3000',
  'pad 7\u202e@x',
]

/**
 * What `WarehouseSession.erase` promises: a person's rows are deleted, all of them and no others. And `search`: before each
 * erasure it finds what that deletes, and nothing afterwards.
 */
export function describeErasure(
  name: string,
  open: () => Promise<WarehouseHost>,
  { strange, caseless, propertyRuns = 6, hasTextKeys = false, missingTypes = [] }: ErasureSuiteOptions = {},
): void {
  describe(`erasure: ${name}`, () => {
    const hosts: WarehouseHost[] = []
    afterAll(() => Promise.all(hosts.map((host) => host.close())))

    async function scene() {
      const host = await open()
      hosts.push(host)
      return {
        ...host,
        load: (...rows: readonly TableRow[]) => loadRows(host.warehouse, rows),
        async erase(...userIds: readonly string[]) {
          const session: WarehouseSession = await host.warehouse.connect(live)
          try {
            const found = (await session.search({ userIds, signal: live })).map(countsOf)
            const erased = (await session.erase({ userIds, usersPerBatch: 2, signal: live })).map(countsOf)
            for (const [i, tables] of erased.entries())
              for (const [table, rows] of Object.entries(tables))
                expect(found[i]?.[table], `found of ${userIds[i]} in ${table}`).toBeGreaterThanOrEqual(rows)
            const after = await session.search({ userIds, signal: live })
            expect(after.map(countsOf)).toEqual(userIds.map(() => ({})))
            return erased
          } finally {
            await session.close()
          }
        },
        async left(table: string): Promise<readonly unknown[]> {
          return (await host.rows(table)).map(({ id }) => id)
        },
      }
    }

    const typed: readonly { readonly type: ColumnType; readonly id: string; readonly stored: Value }[] = [
      { type: 'int', id: '42', stored: 42 },
      { type: 'float', id: '42', stored: 42 },
      { type: 'float', id: '0.5', stored: 0.5 },
      { type: 'boolean', id: 'true', stored: true },
      { type: 'datetime', id: '2026-01-31', stored: '2026-01-31T00:00:00.000Z' },
      { type: 'json', id: '42', stored: '42' },
      { type: 'json', id: 'Kim', stored: '"Kim"' },
    ]
    for (const { type, id, stored } of typed.filter(({ type: each }) => !missingTypes.includes(each)))
      it(`deletes the rows of ${id}, which made a column of type ${type}, and of no other id`, async () => {
        const { load, erase, left, rows } = await scene()
        await load(
          row('tracks', { id: 't1', user_id: [type, stored], plan: 'of the first' }),
          row('users', { id: hasTextKeys ? id : [type, stored], plan: 'of the first' }),
        )
        // What does not fit the column is a discard, and the row has no user.
        await load(
          event('tracks', 't2', { user: 'kim' }),
          event('tracks', 't3', { user: '0' }),
          event('tracks', 't4', {}),
        )
        expect(await erase('42abc', 'null', 'KIM', '1', '2026-01-30', ' ')).toEqual([{}, {}, {}, {}, {}, {}])
        expect(await left('tracks')).toEqual(['t1', 't2', 't3', 't4'])
        expect(await erase('kim')).toEqual([{ tracks: 1 }])
        expect(await left('tracks')).toEqual(['t1', 't3', 't4'])
        expect(await erase('ghost', id)).toEqual([{}, { tracks: 1, users: 1 }])
        expect(await left('tracks')).toEqual(['t3', 't4'])
        expect(await rows('users')).toEqual([])
        expect(await erase('0')).toEqual([{ tracks: 1 }])
        expect(await left('tracks')).toEqual(['t4'])
        expect(await rows('rudder_discards').catch(() => [])).toEqual([])
      })

    it('deletes rows however the id is spelt, and in each type of column', async () => {
      const { load, erase, left } = await scene()
      await load(
        ...spellings.map((user, at) => event('tracks', `t${at}`, { user })),
        ...['pad7@x', 'Pad 7@x', 'pad 7@xx', '7', 'pad  7@x'].map((user, at) => event('tracks', `u${at}`, { user })),
      )
      expect(await erase('pad 7@x')).toEqual([{ tracks: spellings.length }])
      expect(await left('tracks')).toEqual(['u0', 'u1', 'u2', 'u3', 'u4'])
    })

    it('tells ids apart that differ in case, and that begin like a number', async () => {
      const { load, erase, left } = await scene()
      await load(
        ...['kim', 'Kim', 'kim ', 'kım', '42', '42abc', '0', '00', '042', '42.0', '-0'].map((user, at) =>
          event('tracks', `t${String(at).padStart(2, '0')}`, { user }),
        ),
      )
      expect(await erase('kim', '42abc', '0')).toEqual([{ tracks: 2 }, { tracks: 1 }, { tracks: 1 }])
      expect(await left('tracks')).toEqual(['t01', 't03', 't04', 't07', 't08', 't09', 't10'])
    })

    it('never stores an id as another one: a number is only what is written like it', async () => {
      const { load, erase, left } = await scene()
      await load(row('tracks', { id: 't0', user_id: ['int', 42] }))
      await load(...['042', '42.0', '42'].map((user, at) => event('tracks', `t${at + 1}`, { user })))
      expect(await erase('042', '42.0')).toEqual([{ tracks: 1 }, { tracks: 1 }])
      expect(await left('tracks')).toEqual(['t0', 't3'])
      expect(await erase('42')).toEqual([{ tracks: 2 }])
    })

    it('deletes rows without a user by linked anonymous ids, in the types of both columns', async () => {
      const { load, erase, left } = await scene()
      await load(
        row('identifies', { id: 'i1', user_id: ['int', 42], anonymous_id: ['int', 7] }),
        row('tracks', { id: 't1', user_id: 'x', anonymous_id: 'a0' }),
      )
      await load(
        event('identifies', 'i2', { user: 'kim', anonymous: 'a2' }),
        event('identifies', 'i3', { user: 'lee', anonymous: 8 }),
        event('tracks', 't2', { anonymous: '7' }),
        event('tracks', 't3', { anonymous: '\u200b7 ' }),
        event('tracks', 't4', { anonymous: '7a' }),
        event('tracks', 't5', { anonymous: 'a2' }),
        event('tracks', 't6', { anonymous: 'A2' }),
        event('tracks', 't7', { anonymous: '8' }),
      )
      expect(await erase('42', 'kim')).toEqual([
        { identifies: 1, tracks: 2 },
        { identifies: 1, tracks: 1 },
      ])
      expect(await left('tracks')).toEqual(['t1', 't4', 't6', 't7'])
      expect(await left('identifies')).toEqual(['i3'])
      expect(await erase('lee')).toEqual([{ identifies: 1, tracks: 1 }])
      expect(await left('tracks')).toEqual(['t1', 't4', 't6'])
    })

    it('keeps rows of others who used the same device, and deletes those without a user', async () => {
      const { load, erase, left } = await scene()
      await load(
        event('identifies', 'i1', { user: 'kim', anonymous: 'a1' }),
        event('identifies', 'i2', { user: 'lee', anonymous: 'a1' }),
        event('tracks', 't1', { user: 'kim', anonymous: 'a1' }),
        event('tracks', 't2', { user: 'lee', anonymous: 'a1' }),
        event('tracks', 't3', { anonymous: 'a1' }),
        event('tracks', 't4', { user: ' \u200b', anonymous: 'a1' }),
        event('tracks', 't5', { anonymous: 'a2' }),
      )
      expect(await erase('kim')).toEqual([{ identifies: 1, tracks: 3 }])
      expect(await left('tracks')).toEqual(['t2', 't5'])
      expect(await left('identifies')).toEqual(['i2'])
    })

    it('deletes rows that name a person by an external id or by an id in the traits, beside any other user', async () => {
      const { load, erase, left } = await scene()
      const listed = (...ids: readonly (string | number)[]) => JSON.stringify(ids.map((id) => ({ type: 'crm', id })))
      await load(
        row('tracks', { id: 't1', user_id: 'lee', context_external_id: listed('old', ' kim\u200b') }),
        row('tracks', { id: 't2', context_external_id: listed(42) }),
        row('tracks', { id: 't3', context_external_id: listed('kim2', 'Kim') }),
        row('tracks', { id: 't4', context_external_id: '"kim"' }),
        row('tracks', { id: 't5', context_traits_id: 'kim ', user_id: 'lee' }),
        row('tracks', { id: 't6', context_traits_user_id: '42' }),
        row('tracks', { id: 't7', context_traits_id: 'kim3' }),
        row('users', { id: 'lee', context_external_id: listed('kim') }),
        row('users', { id: 'max', context_external_id: listed('max2') }),
      )
      expect(await erase('kim', '42')).toEqual([{ tracks: 2, users: 1 }, { tracks: 2 }])
      expect(await left('tracks')).toEqual(['t3', 't4', 't7'])
      expect(await left('users')).toEqual(['max'])
    })

    it('keeps rows of others whose id did not fit the column, and who used the same device', async () => {
      const { load, erase, left } = await scene()
      await load(row('tracks', { id: 't0', user_id: ['int', 1], anonymous_id: 'a0' }))
      await load(
        event('identifies', 'i1', { user: '42', anonymous: 'a1' }),
        event('tracks', 't1', { user: 'lee', anonymous: 'a1' }),
        event('tracks', 't2', { anonymous: 'a1' }),
      )
      expect(await erase('42')).toEqual([{ identifies: 1, tracks: 1 }])
      expect(await left('tracks')).toEqual(['t0', 't1'])
    })

    it('counts for each user what was theirs, also what belonged to two', async () => {
      const { load, erase, left } = await scene()
      await load(
        event('identifies', 'i1', { user: 'kim', anonymous: 'a1' }),
        event('identifies', 'i2', { user: 'lee', anonymous: 'a1' }),
        event('tracks', 't1', { user: 'kim' }),
        event('tracks', 't2', { user: ' kim' }),
        event('tracks', 't3', { user: 'lee' }),
        event('tracks', 't4', { anonymous: 'a1' }),
        event('aliases', 'l1', { user: 'new', previous: 'lee\u200b' }),
        event('aliases', 'l2', { user: 'new', previous: 'max' }),
      )
      expect(await erase('kim', 'lee', 'ghost', 'kim')).toEqual([
        { identifies: 1, tracks: 3 },
        { aliases: 1, identifies: 1, tracks: 2 },
        {},
        { identifies: 1, tracks: 3 },
      ])
      expect(await left('aliases')).toEqual(['l2'])
      expect(await left('tracks')).toEqual([])
    })

    it.skipIf(hasTextKeys)(
      'has no row of a user whose id does not fit, which would look like those of others',
      async () => {
        const { load, rows, erase } = await scene()
        await load(row('users', { id: ['datetime', '2026-01-31T00:00:00.000Z'], plan: 'a' }))
        await load(row('users', { id: 'kim', plan: 'b' }), row('users', { id: 'lee', plan: 'c' }))
        expect(await rows('users')).toMatchObject([{ plan: 'a' }])
        await erase('kim')
        expect((await rows('rudder_discards')).map(({ column_value: value }) => value)).toEqual(['lee'])
      },
    )

    if (strange)
      it('fails with the name of a column whose type cannot be searched, unless it is empty', async () => {
        const { load, erase, run, left } = await scene()
        await load(event('tracks', 't1', { user: 'kim' }))
        await run(`create table {odd} (id ${strange.type}, user_id ${strange.type})`)
        expect(await erase('kim')).toEqual([{ tracks: 1 }])
        await load(event('tracks', 't2', { user: 'kim' }))
        await run(`insert into {odd} (user_id) values (${strange.value})`)
        await expect(erase('kim')).rejects.toThrow(/column user_id of the table odd has the type/)
        expect(await left('tracks')).toEqual(['t2'])
      })

    if (caseless)
      it('compares ids exactly in a column whose collation does not', async () => {
        const { load, erase, run, left } = await scene()
        await load(event('pages', 'p1', {}))
        await run(`create table {tracks} (id ${caseless}, user_id ${caseless}, anonymous_id ${caseless})`)
        await run(`create table {identifies} (id ${caseless}, user_id ${caseless}, anonymous_id ${caseless})`)
        await run(
          "insert into {tracks} values ('t1', 'Kim', 'A'), ('t2', 'kim ', 'a'), ('t3', null, 'A'), ('t4', null, 'a')",
        )
        await run("insert into {identifies} values ('i1', 'kim', 'a'), ('i2', 'Kim', 'A')")
        expect(await erase('kim')).toEqual([{ identifies: 1, tracks: 2 }])
        expect(await left('tracks')).toEqual(['t1', 't3'])
      })

    it('erases a person exactly, whatever the ids', async () => {
      const id = fc.oneof(
        fc.constantFrom(
          'kim',
          'Kim',
          'pad',
          '42',
          '0',
          '1',
          'true',
          '2026-01-31',
          'é1',
          'e\u03011',
          '<b>',
          "o'k",
          'a\\b',
        ),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }).map((text) => text.replaceAll('\0', '')),
      )
      const spelt = fc
        .tuple(fc.constantFrom('', ' ', '\t', '\u200b', '\ufeff'), id, fc.constantFrom('', '  ', '\u2060', '\n'))
        .map((parts) => parts.join(''))
      const events = fc.array(fc.record({ user: fc.option(spelt), anonymous: fc.constantFrom('a', 'b', ' a') }), {
        minLength: 1,
        maxLength: 12,
      })
      await fc.assert(
        fc.asyncProperty(events, fc.nat(11), async (given, at) => {
          const { load, erase, left } = await scene()
          const all = given.map(({ user, anonymous }, index) => ({
            id: `t${String(index).padStart(2, '0')}`,
            ids: { anonymous, ...(user === null ? {} : { user }) } satisfies Ids,
          }))
          await load(
            ...all.flatMap(({ id: rowId, ids }) => [event('tracks', rowId, ids), event('identifies', rowId, ids)]),
          )
          const person = identifierText(all[at % all.length]?.ids.user)
          const isTheirs = (ids: Ids): boolean => person !== '' && identifierText(ids.user) === person
          const devices = new Set(
            all.filter(({ ids }) => isTheirs(ids)).map(({ ids }) => identifierText(ids.anonymous)),
          )
          const stays = all.filter(
            ({ ids }) =>
              !isTheirs(ids) && !(identifierText(ids.user) === '' && devices.has(identifierText(ids.anonymous))),
          )
          const [counts] = await erase(person)
          expect(await left('tracks')).toEqual(stays.map(({ id: rowId }) => rowId))
          expect(counts?.['tracks'] ?? 0).toBe(all.length - stays.length)
        }),
        { numRuns: propertyRuns },
      )
    })
  })
}

/** A row as events make it: ids are texts. */
function event(table: string, id: string, { user, anonymous, previous }: Ids): TableRow {
  const cell = (value: Value) => ['string', String(value)] as const
  return row(table, {
    id,
    ...(user === undefined ? {} : { user_id: cell(user) }),
    ...(anonymous === undefined ? {} : { anonymous_id: cell(anonymous) }),
    ...(previous === undefined ? {} : { previous_id: cell(previous) }),
  })
}
