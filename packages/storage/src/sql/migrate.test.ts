import { createManualClock, keysOfPerson } from '@sluice/core'
import { hashText } from '@sluice/core/hash'
import { aliasOf } from '@sluice/regulation'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { defaultDeadLetterLimits } from '../dead-letter-limits.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { StoreVersionError } from '../store-errors.ts'
import { sampleDeadLetter } from '../suites/sample-records.ts'
import { migrate } from './migrate.ts'
import { type Migration, migrations } from './migrations.ts'
import { openSession } from './open-session.ts'
import { createSqlDeadLetterStore } from './stores/flow/sql-dead-letter-store.ts'
import { createSqlReceiptStore } from './stores/flow/sql-receipt-store.ts'
import { createSqlSubjectRequestStore } from './stores/governance/sql-subject-request-store.ts'

const inMemory = () => openSqliteDatabase({ path: ':memory:', synchronous: 'normal' })
const create =
  (table: string): Migration =>
  async (db) => {
    await db.schema.createTable(table).addColumn('id', 'integer').execute()
  }
const versionOf = ({ db, dialect }: ReturnType<typeof inMemory>) => dialect.readVersion(db)
const tables = async ({ db }: ReturnType<typeof inMemory>) =>
  (await db.introspection.getTables()).map(({ name }) => name)

describe('migrate', () => {
  it('brings a new store to the newest version, and does nothing the second time', async () => {
    const database = inMemory()
    await migrate(database)
    expect(await versionOf(database)).toBe(migrations.length)
    expect(await tables(database)).toContain('log_batch')
    await migrate(database)
    expect(await versionOf(database)).toBe(migrations.length)
  })

  it('does only the steps a store lacks, and keeps what it holds', async () => {
    const database = inMemory()
    await migrate(database, [create('a')])
    await sql`insert into a values (7)`.execute(database.db)
    await migrate(database, [create('a'), create('b')])
    expect(await versionOf(database)).toBe(2)
    expect((await sql`select id from a`.execute(database.db)).rows).toEqual([{ id: 7 }])
    expect(await tables(database)).toEqual(['a', 'b'])
  })

  it('adds up the quarters of an hour of a history that has minutes only', async () => {
    const database = inMemory()
    await migrate(database, migrations.slice(0, 32))
    const put = (at: number, kind: string, amount: number) =>
      sql`insert into history (workspace_id, every_ms, at, source_id, destination_id, kind, reason, amount)
        values ('w', 60000, ${at}, 's', 'd', ${kind}, '', ${amount})`.execute(database.db)
    for (const [minute, kind, amount] of [
      [0, 'failed', 2],
      [14, 'failed', 3],
      [15, 'failed', 4],
      [0, 'oldestWaiting', 9],
      [1, 'oldestWaiting', 5],
    ] as const)
      await put(minute * 60_000, kind, amount)
    await migrate(database)
    const { rows } = await sql<{ at: number; kind: string; amount: number }>`
      select at, kind, amount from history where every_ms = 900000 order by kind, at`.execute(database.db)
    expect(rows).toEqual([
      { at: 0, kind: 'failed', amount: 5 },
      { at: 900_000, kind: 'failed', amount: 4 },
      { at: 0, kind: 'oldestWaiting', amount: 9 },
    ])
  })

  it('packs the receipts of an earlier release, and finds them', async () => {
    const database = inMemory()
    await migrate(database, migrations.slice(0, 11))
    for (let n = 0; n < 1_200; n += 1)
      await sql`insert into receipt
        (workspace_id, message_id, destination_id, source_id, outcome, stage, reason, outputs, at, received_at)
        values (${n % 2 ? 'a' : 'b'}, ${`m${n >> 1}`}, 'd', 's', 'dropped', 'deliver', 'why', 0, ${n}, null)`.execute(
        database.db,
      )
    await migrate(database)
    const session = openSession(database)
    const { find, count } = createSqlReceiptStore(session, 1_000)
    expect(await count('a')).toBe(600)
    expect(await find('b', 'm599')).toEqual([
      {
        workspaceId: 'b',
        messageId: 'm599',
        sourceId: 's',
        destinationId: 'd',
        outcome: 'dropped',
        stage: 'deliver',
        reason: 'why',
        outputs: 0,
        at: 1_198,
      },
    ])
    expect(await tables(database)).not.toContain('receipt')
    await session.close()
  })

  it('groups the dead letters of an earlier release', async () => {
    const database = inMemory()
    await migrate(database, migrations.slice(0, 17))
    const letters = Array.from({ length: 450 }, (_, n) => sampleDeadLetter({ id: `${n}`.padStart(3, '0') }))
    for (const letter of letters)
      await sql`insert into dead_letter (id, workspace_id, destination_id, source_id, user_id, at, bytes, letter_json)
        values (${letter.id}, 'w1', 'd1', 's1', 'u', 0, 1, ${JSON.stringify(letter)})`.execute(database.db)
    await migrate(database)
    const session = openSession(database)
    const limits = defaultDeadLetterLimits
    const store = createSqlDeadLetterStore(session, { limits, clock: createManualClock(), laneOf: () => 0 })
    const [{ code, message }] = [sampleDeadLetter().error]
    expect(await store.groups('w1', 9)).toEqual([
      { destinationId: 'd1', code, reason: message, count: 450, first: 0, last: 0, newestId: '449' },
    ])
    await session.close()
  })

  it('adds up the dead letters of an earlier release by workspace', async () => {
    const database = inMemory()
    const step = 10
    await migrate(database, migrations.slice(0, step))
    for (const [id, workspace, bytes] of [
      ['1', 'a', 10],
      ['2', 'b', 20],
      ['3', 'a', 30],
    ])
      await sql`insert into dead_letter (id, workspace_id, destination_id, source_id, user_id, at, bytes, letter_json)
        values (${id}, ${workspace}, 'd', 's', 'u', 0, ${bytes}, '{}')`.execute(database.db)
    await migrate(database, migrations.slice(0, step + 1))
    const { rows } = await sql`select * from dead_letter_usage order by workspace_id`.execute(database.db)
    expect(rows).toEqual([
      { workspace_id: 'a', letters: 2, bytes: 40 },
      { workspace_id: 'b', letters: 1, bytes: 20 },
    ])
  })

  it('cleans identifiers that an earlier release stored in another Unicode form, and has the index built again', async () => {
    const database = inMemory()
    const { db } = database
    const before = 21
    await migrate(database, migrations.slice(0, before))
    const [composed, decomposed] = ['zo\u00eb', 'zoe\u0308']
    const regulation = (id: string, userId: string) =>
      sql`insert into regulation (workspace_id, id, canceled, regulation_type, attributes_json, source_ids_json,
          destination_ids_json, created_at, seq, user_id)
        values ('w1', ${id}, 0, 'suppress', ${JSON.stringify({ userId, email: 'e' })}, '[]', '[]', '', ${Number(id)},
          ${userId})`.execute(db)
    await regulation('1', decomposed)
    await regulation('2', 'plain')
    await sql`insert into suppression_state (id, secret, settled) values (1, x'00', 7)`.execute(db)
    await sql`insert into suppression_segment (number, position, bytes) values (3, 7, x'00')`.execute(db)
    await sql`insert into deletion_job (id, workspace_id, regulation_id, destination_id, attributes_json, status, attempts,
        due_at, updated_at)
      values ('j', 'w1', '1', '', ${JSON.stringify({ userId: decomposed })}, 'pending', 0, 0, 0)`.execute(db)
    const event = { userId: decomposed, messageId: 'm' }
    const letter = sampleDeadLetter({ id: 'l', source: { ...sampleDeadLetter().source, event }, outputs: [] })
    await sql`insert into dead_letter (id, workspace_id, destination_id, source_id, user_id, at, bytes, letter_json)
      values ('l', 'w1', 'd1', 's1', ${decomposed}, 0, 1, ${JSON.stringify(letter)})`.execute(db)
    await migrate(database)

    const regulations = await db
      .selectFrom('regulation')
      .select(['user_id', 'attributes_json'])
      .orderBy('seq')
      .execute()
    expect(regulations).toEqual([
      { user_id: composed, attributes_json: JSON.stringify({ userId: composed, email: 'e' }) },
      { user_id: 'plain', attributes_json: JSON.stringify({ userId: 'plain', email: 'e' }) },
    ])
    expect(await db.selectFrom('suppression_segment').selectAll().execute()).toEqual([])
    const changes = await db.selectFrom('regulation_change').select(['user_id', 'delta']).orderBy('position').execute()
    expect(changes).toEqual([
      { user_id: composed, delta: 1 },
      { user_id: 'plain', delta: 1 },
    ])
    const job = await db.selectFrom('deletion_job').select('attributes_json').executeTakeFirstOrThrow()
    expect(JSON.parse(job.attributes_json)).toEqual({ userId: composed })
    const users = await db.selectFrom('dead_letter_user').selectAll().execute()
    expect(users).toEqual([{ workspace_id: 'w1', user_id: composed, event_id: 'l' }])
  })

  it('keeps the regulation of each request of OpenDSR', async () => {
    const database = inMemory()
    const { db } = database
    await migrate(database, migrations.slice(0, 24))
    const request = { workspaceId: 'w1', id: 'a', type: 'erasure', regulationId: 'r1', receivedAt: 1, callbacks: [] }
    for (const [id, regulation] of [
      ['a', 'r1'],
      ['b', null],
    ])
      await sql`insert into subject_request (workspace_id, id, regulation_id, request_json, received_at, due_at)
        values ('w1', ${id}, ${regulation}, ${JSON.stringify({ ...request, id })}, 1, 900)`.execute(db)
    await migrate(database)
    const session = openSession(database)
    const requests = createSqlSubjectRequestStore(session)
    await requests.bringForward('w1', ['r1'], 50)
    expect(await requests.due(60, 10)).toMatchObject([{ request: { id: 'a', regulationIds: ['r1'] }, dueAt: 50 }])
    await session.close()
  })

  it('gives stored regulations and events the keys by which guests are found, and marks regulations without ids', async () => {
    const database = inMemory()
    const { db } = database
    await migrate(database, migrations.slice(0, 23))
    const fingerprint = 'f'.repeat(43)
    const person = { userId: 'kim', email: 'Kim@mail.test' }
    const regulations = [
      ['1', 'suppress_with_delete', person, 0],
      ['2', 'suppress', { ...person, userId: 'lee' }, 0],
      ['3', 'suppress_with_delete', { ...person, userId: 'max' }, 1],
      ['4', 'suppress_with_delete', { userId: `ledger:${fingerprint}` }, 0],
      ['5', 'suppress_with_delete', { userId: 'ledger:x' }, 0],
    ] as const
    for (const [id, type, attributes, canceled] of regulations)
      await sql`insert into regulation (workspace_id, id, canceled, regulation_type, attributes_json, source_ids_json,
          destination_ids_json, created_at, seq, user_id)
        values ('w1', ${id}, ${canceled}, ${type}, ${JSON.stringify(attributes)}, '[]', '[]', '', ${Number(id)},
          ${attributes.userId})`.execute(db)
    await sql`insert into ledger_mark (name, text) values ('aliases', 'true')`.execute(db)
    const event = { anonymousId: 'a', traits: { email: 'KIM@mail.test' }, messageId: 'm' }
    const letter = sampleDeadLetter({ id: 'l', source: { ...sampleDeadLetter().source, event }, outputs: [] })
    await sql`insert into dead_letter (id, workspace_id, destination_id, source_id, at, bytes, letter_json)
      values ('l', 'w1', 'd1', 's1', 0, 1, ${JSON.stringify(letter)})`.execute(db)
    await sql`pragma foreign_keys = off`.execute(db)
    for (const text of ['{"traits":{"email":"[email]"}}', '{"anonymousId":"a"}'])
      await sql`insert into schema_sample (version_id, rank, text, user_digest) values ('v', 0, ${text}, '')`.execute(
        db,
      )
    await migrate(database)

    const [, email] = keysOfPerson(person)
    const identities = await db.selectFrom('regulation_identity').selectAll().execute()
    expect(identities).toEqual([{ workspace_id: 'w1', identity: email, regulation_id: '1' }])
    const users = await db.selectFrom('regulation').select('user_id').orderBy('seq').execute()
    expect(users.map(({ user_id }) => user_id)).toEqual(['kim', 'lee', 'max', aliasOf(fingerprint), 'ledger:x'])
    const changes = await db.selectFrom('regulation_change').select('user_id').orderBy('position').execute()
    expect(changes.map(({ user_id }) => user_id)).toEqual(['kim', 'lee', aliasOf(fingerprint), 'ledger:x', email])
    const letters = await db.selectFrom('dead_letter_user').select('user_id').execute()
    expect(letters.map(({ user_id }) => user_id)).toContain(email)
    const samples = await db.selectFrom('schema_sample').select('text').execute()
    expect(samples).toEqual([{ text: '{"anonymousId":"a"}' }])
  })

  it('computes the digests of samples again, and removes samples that hide their user', async () => {
    const database = inMemory()
    const { db } = database
    await migrate(database, migrations.slice(0, 21))
    await sql`pragma foreign_keys = off`.execute(db)
    const [composed, decomposed] = ['zo\u00eb', 'zoe\u0308']
    const samples = [
      [JSON.stringify({ userId: decomposed }), hashText('sha256', decomposed)],
      ['{"userId":"plain"}', hashText('sha256', 'plain')],
      ['{"userId":"[email]"}', hashText('sha256', 'a@b.test')],
      ['{"anonymousId":"a"}', ''],
    ]
    for (const [text, digest] of samples)
      await sql`insert into schema_sample (version_id, rank, text, user_digest) values ('v', 0, ${text}, ${digest})`.execute(
        db,
      )
    await migrate(database)
    const left = await db.selectFrom('schema_sample').select('user_digest').orderBy('id').execute()
    expect(left.map(({ user_digest }) => user_digest)).toEqual([
      hashText('sha256', composed),
      hashText('sha256', 'plain'),
      '',
    ])
  })

  it('leaves the store at the version before a step that fails', async () => {
    const database = inMemory()
    const broken: Migration = async (db, types) => {
      await create('b')(db, types)
      throw new Error('broken step')
    }
    // A new store is made whole or not at all.
    await expect(migrate(database, [create('a'), broken])).rejects.toThrow('broken step')
    expect(await versionOf(database)).toBe(0)
    expect(await tables(database)).toEqual([])
    await migrate(database, [create('a')])
    await expect(migrate(database, [create('a'), create('c'), broken])).rejects.toThrow('broken step')
    expect(await versionOf(database)).toBe(2)
    expect(await tables(database)).toEqual(['a', 'c'])
    await migrate(database, [create('a'), create('c'), create('b')])
    expect(await tables(database)).toEqual(['a', 'b', 'c'])
  })

  it('refuses a store of a newer release and does not touch it', async () => {
    const database = inMemory()
    await database.dialect.writeVersion(database.db, migrations.length + 1)
    await expect(migrate(database)).rejects.toThrow(StoreVersionError)
    expect(await tables(database)).toEqual([])
    expect(await versionOf(database)).toBe(migrations.length + 1)
  })
})
