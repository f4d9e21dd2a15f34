import { createManualClock, createSeededRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openPostgresLedgerPlace, openPostgresStore } from '@sluice/postgres'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { type ForgetfulWay, losses, startForgetfulWay } from '../support/databases/forgetful-way.ts'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually, until } from '../support/eventually.ts'

let way: ForgetfulWay | undefined
beforeEach(async () => {
  way = await startForgetfulWay(Number(new URL(postgresUrl).port))
})
// Registered first, so that the way is closed after the nodes that use it.
afterEach(() => way?.close())

/** The address of the database on the way that forgets. */
function forgetfulUrl(): string {
  const url = new URL(postgresUrl)
  url.port = String(way?.port)
  return url.href
}

const isWrite = (statement: string): boolean =>
  /\b(insert into|update|delete from) (log_batch|log_cursor|deferred_event|dead_letter|count_delta)\b/.test(statement)

/** Requests to the receiver. Of each user every third is refused for good, and every fourth at first. */
const tries = new Map<string, number>()
const nodes = useSharedNodes({
  node: () => ({
    delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 5 }, circuit: { failuresMax: 100_000 } },
  }),
  statusOf: ({ body }) => {
    const { messageId, properties } = JSON.parse(body)
    const before = tries.get(messageId) ?? 0
    tries.set(messageId, before + 1)
    if (properties.n % 3 === 0) return 400
    return properties.n % 4 === 0 && before === 0 ? 500 : 200
  },
})

describe.skipIf(noPostgres)('a pipeline whose writes lose their answers', () => {
  it('counts and stores every event once, as often as commits are cut off', async () => {
    const node = await nodes.start({ url: forgetfulUrl() })
    let isOver = false
    const losing = (async () => {
      for (let n = 0; !isOver; n += 1) {
        const before = way?.lost ?? 0
        way?.loseNext(losses[n % losses.length] ?? 'answer', isWrite)
        await until(() => isOver || (way?.lost ?? 0) > before)
      }
    })()
    let sent = 0
    for (let round = 0; round < 60; round += 1) {
      const events = Array.from({ length: 3 }, (_, i) => {
        const n = round * 3 + i
        return { type: 'track', event: 'Step', messageId: `m${n}`, userId: `u${n % 5}`, properties: { n } }
      })
      // A call that is refused, because it was lost again and again, has stored nothing.
      await until(async () => (await node.ingest('web-key', events)).ok)
      sent += events.length
    }
    isOver = true
    await losing
    await node.settled()
    expect(way?.lost).toBeGreaterThan(20)
    const failed = sent / 3
    expect(await node.stats()).toMatchObject([
      {
        received: sent,
        accepted: sent,
        destinations: [{ delivered: sent - failed, failed: { 'deliver.refused': failed }, pending: 0 }],
      },
    ])
    const stored = await ask(`
      select (select sum(jsonb_array_length(events_json::jsonb)) from ${nodes.schema}.log_batch)::int as events,
        (select count(*) from ${nodes.schema}.dead_letter)::int as letters`)
    expect(stored).toEqual([{ events: sent, letters: failed }])
  })
})

describe.skipIf(noPostgres)('a process that gets no answer while lanes change', () => {
  const users = Array.from({ length: 40 }, (_, n) => `u${n}`)
  // Of a user whose event is delivered at once.
  const events = users.map((userId) => ({ type: 'track', event: 'Step', userId, properties: { n: 1 } }))

  it('works in the lanes that it has taken', async () => {
    const first = await nodes.start({ times: { beatMs: 200, handOverMs: 30_000 } })
    way?.loseNext('answer', (statement) => statement.includes('update lane set node_id = $1'))
    await nodes.start({ url: forgetfulUrl(), times: { beatMs: 200, handOverMs: 30_000 } })
    await eventually(() => way?.lost).toBe(1)
    await eventually(() => nodes.lanes()).toBe('16,16')
    expect(await first.ingest('web-key', events)).toMatchObject({ ok: true })
    await eventually(() => nodes.receiver.received.length).toBe(users.length)
  })

  it('leaves lanes alone that it has given up', async () => {
    const first = await nodes.start({ url: forgetfulUrl(), times: { beatMs: 200, handOverMs: 30_000 } })
    way?.loseNext('answer', (statement) => statement.startsWith('update lane set node_id = null'))
    const second = await nodes.start({ times: { beatMs: 200, handOverMs: 30_000 } })
    await eventually(() => way?.lost).toBe(1)
    await eventually(() => nodes.lanes()).toBe('16,16')
    expect(await second.ingest('web-key', events)).toMatchObject({ ok: true })
    await Promise.all([first.settled(), second.settled()])
    expect(nodes.receiver.received).toHaveLength(users.length)
  })
})

describe.skipIf(noPostgres)('a call whose events may be stored', () => {
  it('is refused with a header that says so, is counted, and stores nothing twice when it is sent again', async () => {
    const node = await nodes.start({ url: forgetfulUrl(), deduplication: { windowMs: 3_600_000 } })
    const headers = { 'Content-Type': 'application/json', Authorization: `Basic ${btoa('web-key:')}` }
    const send = (messageId: string) => {
      const body = JSON.stringify({ event: 'Step', messageId, userId: 'u1', properties: { n: 1 } })
      return Promise.resolve(node.fetch(new Request('http://node.test/v1/track', { method: 'POST', headers, body })))
    }
    // Until it holds the lane of the user, the node refuses calls, and knows that it stored nothing.
    await until(async () => (await send('m0')).status === 200)
    way?.loseNext('answer', (statement) => statement.includes('insert into log_batch'))
    way?.cutWithNext()
    const refused = await send('m1')
    expect([refused.status, refused.headers.get('Sluice-Outcome')]).toEqual([503, 'unknown'])
    way?.mend()
    expect(await node.metrics()).toContain('sluice_cluster_unknown_outcomes_total 1')
    await until(async () => (await send('m1')).status === 200)
    await node.settled()
    expect(await node.stats()).toMatchObject([{ accepted: 2, destinations: [{ delivered: 2 }] }])
    expect(nodes.receiver.received).toHaveLength(2)
  })
})

describe.skipIf(noPostgres)('a store in PostgreSQL', () => {
  const schema = freshSchema()
  let store: Store | undefined
  afterEach(async () => {
    await store?.close()
    await dropSchema(schema)
  })

  const count = {
    workspaceId: 'w1',
    sourceId: 's1',
    destinationId: 'd1',
    kind: 'failed',
    reason: '',
    count: 1,
  } as const
  const open = async (): Promise<Store> => {
    const opened = await openPostgresStore({
      url: forgetfulUrl(),
      schema,
      clock: createManualClock(),
      random: createSeededRandom(1),
    })
    store = opened
    return opened
  }

  it('says that the outcome is unknown while it cannot be asked, and stores a commit of retries once that is tried again', async () => {
    const { retries, counters } = await open()
    const commit = () =>
      retries.commit({
        writeId: 'write 1',
        workspaceId: 'w1',
        destinationId: 'd1',
        ended: [],
        again: [],
        counts: [count],
        receipts: [],
        deadLetters: [],
      })
    way?.loseNext('answer', (statement) => statement.includes('insert into "applied_write"'))
    way?.cutWithNext()
    await expect(commit()).rejects.toMatchObject({ name: 'UnknownOutcomeError' })
    way?.mend()
    await eventually(async () => {
      await commit()
      return counters.read('w1')
    }).toEqual([count])
    await commit()
    expect(await counters.read('w1')).toEqual([count])
  })

  it('keeps one line of the ledger at each place, and one text of each name', async () => {
    const place = await openPostgresLedgerPlace({ url: forgetfulUrl(), schema }, () => {})
    for (const loss of losses) {
      const lose = () => way?.loseNext(loss, (statement) => /ledger_(line|text|note)/.test(statement))
      const end = (await place.read('chain', 0, 9)).length
      lose()
      expect(await place.append('chain', end, `line ${end}`)).toBe(end + 1)
      lose()
      expect(await place.keep('id', 'id by answer')).toBe('id by answer')
      lose()
      await place.writeNote(loss, 'text')
      expect(await place.readNote(loss)).toBe('text')
      lose()
      await place.removeNote(loss)
    }
    expect((await place.read('chain', 0, 9)).map(({ text }) => text)).toEqual(['line 0', 'line 1', 'line 2'])
    expect([way?.lost, await place.notes()]).toEqual([12, []])
    await place.close()
  })

  it('rejects batches that share a statement together when they wait for a lock in vain, instead of one after the other', async () => {
    const { log } = await open()
    const batch = (n: number) => ({
      workspaceId: 'w1',
      sourceId: 's1',
      writeKey: 'k1',
      receivedAt: 1,
      destinationIds: [],
      events: [{ type: 'track', userId: 'u1', messageId: `m${n}` }],
    })
    await log.append(batch(0), [])
    const [row] = await ask(`select lane from ${schema}.log_batch`)
    const holder = new pg.Client({ connectionString: postgresUrl })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', ['w1', row?.['lane']])
    // One by one, they would take five seconds each.
    const answers = await Promise.allSettled(Array.from({ length: 20 }, (_, n) => log.append(batch(n + 1), [])))
    const reasons = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : undefined))
    await holder.end()
    expect(new Set(reasons).size).toBe(1)
    expect(reasons[0]).toMatchObject({ code: expect.stringMatching(/^(57014|55P03)$/) })
    expect(await log.append(batch(21), [])).toBeGreaterThan(0)
    expect(await log.read('w1', 0, 100)).toHaveLength(2)
  })
})
