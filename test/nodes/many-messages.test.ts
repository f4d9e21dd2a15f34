import { systemClock, systemRandom } from '@sluice/core'
import type { CountDelta, NewLogBatch, Store } from '@sluice/pipeline'
import { openPostgresStore } from '@sluice/postgres'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'

const window = { windowMs: 3_600_000, idsMax: 1_000_000 }
let schema: string
let stores: Store[]

async function open(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    stores.push(await openPostgresStore({ url: postgresUrl, schema, clock: systemClock, random: systemRandom }))
}

beforeEach(() => {
  schema = freshSchema()
  stores = []
})
afterEach(async () => {
  if (noPostgres) return
  await Promise.all(stores.map((store) => store.close()))
  await dropSchema(schema)
})

const batchOf = (messageIds: readonly string[], workspaceId = 'w1'): NewLogBatch => ({
  workspaceId,
  sourceId: 's1',
  writeKey: 'k1',
  receivedAt: systemClock.now(),
  destinationIds: [],
  events: messageIds.map((messageId) => ({ type: 'page', userId: messageId.slice(0, 3), messageId })),
})

const countOf = (workspaceId: string, kind: 'received' | 'accepted', count: number): CountDelta => ({
  workspaceId,
  sourceId: 's1',
  destinationId: '',
  kind,
  reason: '',
  count,
})

describe.skipIf(noPostgres)('messages that are remembered', () => {
  it('are looked up one by one, also by plans that were made while there were few', async () => {
    await open(1)
    const [store] = stores
    const append = async (from: number, count: number): Promise<readonly number[] | undefined> => {
      const ids = Array.from({ length: count }, (_, n) => `m${from + n}`)
      return (await store?.log.appendNew(batchOf(ids), [], window))?.duplicates
    }
    for (let n = 0; n < 40; n += 1) await append(n, 1)
    await ask(`vacuum analyze ${schema}.message_digest`)
    // Often enough for each connection to keep its plan, of both statements.
    for (let n = 0; n < 80; n += 1) await append(n % 2 === 0 ? n : 100 + n, 1)
    await ask(`insert into ${schema}.message_digest (digest, at)
      select sha256(n::text::bytea), ${systemClock.now()} from generate_series(1, 20000) as n`)
    for (let n = 0; n < 10; n += 1) await append(1_000 + n * 50, 100)
    await store?.close()
    stores = []
    const [read] = await ask(`select seq_tup_read::int as rows from pg_stat_user_tables
      where schemaname = '${schema}' and relname = 'message_digest'`)
    expect(read?.['rows']).toBeLessThan(20_000)
  })

  it('are stored once by several processes that get the same ones together, and every repetition is counted', async () => {
    await open(3)
    const stored = new Map<string, number>()
    let [offered, duplicates] = [0, 0]
    const append = async (store: Store, n: number): Promise<void> => {
      const workspaceId = `w${n % 2}`
      const ids = Array.from({ length: 1 + (n % 8) }, (_, place) => `m${(n * 7919 + place * 104_729) % 900}`)
      if (n % 10 === 0) ids.push(...ids.slice(0, 1))
      const counts = ['received', 'accepted'] as const
      const answer = await store.log.appendNew(
        batchOf(ids, workspaceId),
        counts.map((kind) => countOf(workspaceId, kind, ids.length)),
        window,
      )
      offered += ids.length
      duplicates += answer.duplicates.length
      expect(answer.position === undefined).toBe(answer.duplicates.length === ids.length)
      for (const [place, id] of ids.entries())
        if (!answer.duplicates.includes(place))
          stored.set(`${workspaceId} ${id}`, (stored.get(`${workspaceId} ${id}`) ?? 0) + 1)
    }
    let next = 0
    const callers = stores.flatMap((store) =>
      Array.from({ length: 8 }, async () => {
        while (next < 3_000) await append(store, next++)
      }),
    )
    await Promise.all(callers)
    expect([...stored.values()].filter((times) => times !== 1)).toEqual([])
    const [first] = stores
    const counters = (await Promise.all(['w0', 'w1'].map((id) => first?.counters.read(id) ?? []))).flat()
    const sum = (wanted: string): number =>
      counters.filter(({ kind }) => kind === wanted).reduce((total, { count }) => total + count, 0)
    expect({ received: sum('received'), accepted: sum('accepted'), duplicate: sum('duplicate') }).toEqual({
      received: offered,
      accepted: stored.size,
      duplicate: duplicates,
    })
    const rows = await ask(`select workspace_id || ' ' || (event ->> 'messageId') as id
      from ${schema}.log_batch, jsonb_array_elements(events_json::jsonb) as event`)
    expect(rows.map(({ id }) => id).sort()).toEqual([...stored.keys()].sort())
  })
})
