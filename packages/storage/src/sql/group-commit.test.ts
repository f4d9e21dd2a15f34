import { StoreFullError } from '@sluice/core'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { sqliteDialect } from '../sqlite/sqlite-dialect.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Tables } from './tables.ts'

type Db = Kysely<Tables>

async function open({ queueLengthMax = 100, groupLengthMax = 100, groupMsMax = 1_000 } = {}) {
  const { db } = openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })
  await sql`create table note (text text unique)`.execute(db)
  let transactions = 0
  const commits = createGroupCommit<Db>({
    transact: (work) => {
      transactions += 1
      return db.transaction().execute(work)
    },
    isOfOneWrite: sqliteDialect.isOfOneWrite,
    queueLengthMax,
    groupLengthMax,
    groupMsMax,
  })
  const note = (text: string) => async (transaction: Db) => {
    await sql`insert into note values (${text})`.execute(transaction)
    return text
  }
  const notes = async () =>
    (await sql<{ text: string }>`select text from note order by rowid`.execute(db)).rows.map((row) => row.text)
  return { ...commits, note, notes, transactions: () => transactions }
}

describe('group commit', () => {
  it('puts the writes of one turn into one transaction, in order, each with its own answer', async () => {
    const { submit, note, notes, transactions } = await open()
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => submit({ apply: note(text) })))
    expect(answers).toEqual(['a', 'b', 'c'])
    expect(await notes()).toEqual(['a', 'b', 'c'])
    expect(transactions()).toBe(1)
  })

  it('puts the writes that arrive while a transaction runs into the next one', async () => {
    const { submit, note, notes, transactions } = await open()
    const later: Promise<string>[] = []
    const first = submit({
      apply: async (transaction) => {
        later.push(submit({ apply: note('b') }), submit({ apply: note('c') }))
        return note('a')(transaction)
      },
    })
    await first
    await Promise.all(later)
    expect(await notes()).toEqual(['a', 'b', 'c'])
    expect(transactions()).toBe(2)
  })

  it('rejects the writes that wait when a transaction cannot begin, and takes later ones', async () => {
    let isDown = true
    const commits = createGroupCommit<string>({
      transact: async (work) => {
        if (isDown) throw new Error('the server is down')
        return work('transaction')
      },
      isOfOneWrite: () => true,
      queueLengthMax: 9,
      groupLengthMax: 9,
      groupMsMax: 9,
    })
    const write = () => commits.submit({ apply: async (transaction) => transaction })
    const answers = await Promise.allSettled([write(), write()])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await commits.drain()
    isDown = false
    expect(await write()).toBe('transaction')
  })

  it('lets an owner with many writes delay another one by a transaction at most', async () => {
    const { submit, note, notes, transactions } = await open({ groupMsMax: 5 })
    const hold = (text: string) => async (transaction: Db) => {
      for (const end = performance.now() + 3; performance.now() < end; );
      return note(text)(transaction)
    }
    const flood = Array.from({ length: 20 }, (_, n) => submit({ owner: 'a', apply: hold(`a${n}`) }))
    await submit({ owner: 'b', apply: note('b') })
    expect((await notes()).indexOf('b')).toBeLessThan(4)
    await Promise.all(flood)
    expect((await notes()).filter((text) => text !== 'b')).toEqual(Array.from({ length: 20 }, (_, n) => `a${n}`))
    expect(transactions()).toBeGreaterThan(5)
  })

  it('rejects only the faulty write when a shared transaction fails', async () => {
    const { submit, note, notes } = await open()
    await submit({ apply: note('taken') })
    const answers = await Promise.allSettled(['a', 'taken', 'b'].map((text) => submit({ apply: note(text) })))
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await notes()).toEqual(['taken', 'a', 'b'])
  })

  it('rejects all writes of a shared transaction after a time-out, without trying each for as long', async () => {
    const { submit, note, notes, transactions } = await open()
    const lateError = Object.assign(new Error('the lock was not free in time'), {
      name: 'SqliteError',
      code: 'SQLITE_BUSY',
    })
    const late = async () => {
      throw lateError
    }
    const answers = await Promise.allSettled([note('a'), note('b'), late].map((apply) => submit({ apply })))
    expect(answers).toEqual([1, 2, 3].map(() => ({ status: 'rejected', reason: lateError })))
    expect([await notes(), transactions()]).toEqual([[], 1])
  })

  it('makes a shared transaction again with the same writes, when it was undone on its way', async () => {
    const { db } = openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })
    await sql`create table note (text text unique)`.execute(db)
    let tries = 0
    const { submit } = createGroupCommit<Db>({
      transact: async (work) => {
        const undone = db.transaction().execute(async (transaction) => {
          tries += 1
          await work(transaction)
          throw new Error('the connection was lost')
        })
        await undone.catch(() => {})
        return db.transaction().execute(work)
      },
      isOfOneWrite: () => true,
      queueLengthMax: 9,
      groupLengthMax: 2,
      groupMsMax: 1_000,
    })
    const note = (text: string) =>
      submit({ apply: async (transaction) => void (await sql`insert into note values (${text})`.execute(transaction)) })
    await Promise.all(['a', 'b', 'c'].map(note))
    const { rows } = await sql<{ text: string }>`select text from note order by rowid`.execute(db)
    expect([rows.map(({ text }) => text), tries]).toEqual([['a', 'b', 'c'], 2])
  })

  it('keeps the others in one transaction when a write is not admitted', async () => {
    const { submit, note, notes, transactions } = await open()
    const admit = async () => {
      throw new Error('not today')
    }
    const answers = await Promise.allSettled([
      submit({ apply: note('a') }),
      submit({ admit, apply: note('b') }),
      submit({ apply: note('c') }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await notes()).toEqual(['a', 'c'])
    expect(transactions()).toBe(1)
  })

  it('checks a write again when the refusal depended on a write that was rolled back', async () => {
    const { submit, note, notes } = await open()
    const onlyWhenEmpty = async (transaction: Db) => {
      const { rows } = await sql`select 1 from note`.execute(transaction)
      if (rows.length > 0) throw new Error('not empty')
    }
    const answers = await Promise.allSettled([
      submit({
        apply: async (transaction) => {
          await note('undone')(transaction)
          throw new Error('culprit')
        },
      }),
      submit({ admit: onlyWhenEmpty, apply: note('kept') }),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
    expect(await notes()).toEqual(['kept'])
  })

  it('refuses a write when too many are waiting, and accepts writes again later', async () => {
    const { submit, note, notes } = await open({ queueLengthMax: 2 })
    const answers = await Promise.allSettled(['a', 'b', 'c'].map((text) => submit({ apply: note(text) })))
    expect(answers[2]).toMatchObject({ status: 'rejected', reason: expect.any(StoreFullError) })
    await submit({ apply: note('d') })
    expect(await notes()).toEqual(['a', 'b', 'd'])
  })

  it('shares a transaction among so many writes only', async () => {
    const { submit, note, transactions } = await open({ groupLengthMax: 2 })
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => submit({ apply: note(text) })))
    expect(transactions()).toBe(3)
  })

  it('drains: resolves when all earlier writes are done', async () => {
    const { submit, drain, note, notes } = await open({ groupLengthMax: 1 })
    await drain()
    for (const text of ['a', 'b', 'c']) void submit({ apply: note(text) })
    await drain()
    expect(await notes()).toEqual(['a', 'b', 'c'])
  })
})
