import { systemClock as clock, systemRandom as random } from '@sluice/core'
import type { NewLogBatch, Store } from '@sluice/pipeline'
import { openPostgresStore } from '@sluice/postgres'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'

const receivedAt = Date.parse('2026-01-02T03:04:05.006Z')
const sent = (n: number) => `{"type":"track", "event":"E", "userId":"u${n}", "messageId":"m${n}"}`
const complete = (n: number) => ({ type: 'track', event: 'E', userId: `u${n}`, messageId: `m${n}`, n })

/** A call with one event, as it was sent, and complete with a member `n` that shows which of both is stored. */
function batchOf(n: number): NewLogBatch {
  const completion = { events: 1, call: { receivedAt, type: 'batch' as const } }
  return {
    workspaceId: 'w',
    sourceId: 's',
    writeKey: 'k',
    receivedAt,
    destinationIds: [],
    events: [complete(n)],
    raw: { text: `[${sent(n)}]`, completion },
  }
}

describe.skipIf(noPostgres)('events as they were sent, in a cluster', () => {
  const schema = freshSchema()
  const stores: Store[] = []
  const open = async (): Promise<Store> => {
    const store = await openPostgresStore({
      url: postgresUrl,
      schema,
      clock,
      random,
      times: { leaseMs: 400 },
    })
    stores.push(store)
    return store
  }
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })
  afterAll(() => dropSchema(schema))
  let next = 0
  /** Appends an event. @returns its text in the log. */
  const stored = async ({ log }: Store): Promise<string> => {
    next += 1
    await log.append(batchOf(next), [])
    const rows = await ask(
      `select events_json from ${schema}.log_batch where events_json like '%"m${next}"%' order by position`,
    )
    return String(rows[0]?.['events_json'])
  }
  const needs = async () =>
    Number(
      (await ask(`select readable_from from ${schema}.store_version where part = 'cluster'`))[0]?.['readable_from'],
    )

  it('are kept once no process of an older release can read them', async () => {
    const upgraded = await open()
    // As after an upgrade from the release before, one of whose processes is still there.
    await ask(`update ${schema}.store_version set readable_from = 1 where part = 'cluster'`)
    await ask(`insert into ${schema}.node (id, beat, applied, passed, knows_cluster) values ('old', 0, 0, 0, 9)`)
    const second = await open()
    for (const store of [upgraded, second]) expect(await stored(store)).toBe(JSON.stringify([complete(next)]))
    expect(await needs()).toBe(1)
    await ask(`delete from ${schema}.node where id = 'old'`)
    for (const store of [upgraded, second])
      await eventually(async () => (await stored(store)) === `[${sent(next)}]`).toBe(true)
    expect(await needs()).toBe(10)
    // One that was only silent, and joins again, would take them for complete.
    await expect(
      ask(`insert into ${schema}.node (id, beat, applied, passed, knows_cluster) values ('woken', 0, 0, 0, 9)`),
    ).rejects.toThrow(/cannot use it any more/)
  })
})
