import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

let schema: string
let receiver: Receiver
let status = 200
const running = new Set<Sluice>()

beforeEach(async () => {
  schema = freshSchema()
  status = 200
  receiver = await startReceiver(() => status)
})

afterEach(async () => {
  for (const sluice of running) await sluice.stop(0)
  running.clear()
  await receiver.close()
  await dropSchema(schema)
})

async function start(errors: unknown[], given = (store: Store): Store => store): Promise<Sluice> {
  const opened = await openPostgresStore({
    url: postgresUrl,
    schema,
    clock: systemClock,
    random: systemRandom,
    times: { beatMs: 100 },
    onError: (error) => void errors.push(error),
  })
  const store = given(opened)
  const sluice = await createSluice({ workspace: shop(receiver.url), store, allowAddresses: ['127.0.0.1'] })
  running.add(sluice)
  return sluice
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

const lanesByNode = async (): Promise<string> => {
  const rows = await ask(`
    select count(lane.number)::int as lanes from ${schema}.node left join ${schema}.lane on node_id = id
    group by id order by 1`)
  return rows.map((row) => Number(row['lanes'])).join(',')
}

describe.skipIf(noPostgres)('a process whose lanes change', () => {
  it('reads them as soon as the database answers again, when it fails just then', async () => {
    const errors: unknown[] = []
    const [a] = [await start(errors), await start(errors)]
    await until(async () => (await lanesByNode()) === '16,16')
    await ask(`alter table ${schema}.log_cursor rename to away`)
    await ask(`update ${schema}.node set is_draining = true where id = (select min(id) from ${schema}.node)`)
    await until(async () => (await lanesByNode()) === '0,32' && errors.length > 0)
    await ask(`alter table ${schema}.away rename to log_cursor`)
    const events = Array.from({ length: 20 }, (_, n) => ({ type: 'track', event: 'Step', userId: `user ${n}` }))
    expect(await a.ingest('web-key', events)).toMatchObject({ ok: true })
    await until(() => receiver.received.length === 20)
  })

  it('sends what a process has deferred while it gave the lanes away before later events of the user', async () => {
    const steps = () => receiver.received.map(({ body }) => JSON.parse(body).properties.n)
    const defer = (count: number) =>
      until(async () => (await ask(`select 1 from ${schema}.deferred_event`)).length === count)
    const a = await start([])
    const step = (n: number) => a.ingest('web-key', [{ type: 'track', event: 'Step', userId: 'u', properties: { n } }])
    const kept = (name: string) =>
      ask(`create table ${schema}.${name} as select * from ${schema}.log_cursor where consumer like 'destination/%'`)
    await kept('early_cursor')
    status = 503
    await step(1)
    await defer(1)
    await kept('late_cursor')
    await ask(`create table ${schema}.late_event as select * from ${schema}.deferred_event`)
    await step(2)
    await defer(2)
    await a.stop(0)
    running.delete(a)
    const move = (name: string) => `
      update ${schema}.log_cursor as cursor set position = other.position, events_done = other.events_done
      from ${schema}.${name} as other
      where (cursor.workspace_id, cursor.consumer, cursor.lane) = (other.workspace_id, other.consumer, other.lane)`
    await ask(`delete from ${schema}.deferred_event; ${move('early_cursor')}`)
    // The commit of the first step comes when the next process has taken the lanes, and begins to read.
    let isLate = true
    const commitLate = async (): Promise<void> => {
      const [held] = await ask(`select count(node_id)::int as lanes from ${schema}.lane`)
      if (!isLate || held?.['lanes'] === 0) return
      isLate = false
      await ask(`
        insert into ${schema}.deferred_event select * from ${schema}.late_event;
        update ${schema}.deferred_event set due_at = 0; ${move('late_cursor')}`)
    }
    const before = receiver.received.length
    status = 200
    await start([], (store) => ({
      ...store,
      log: {
        ...store.log,
        open: async (workspaceId, consumer) => {
          if (consumer.startsWith('destination/')) await commitLate()
          const opened = await store.log.open?.(workspaceId, consumer)
          if (opened === undefined) throw new Error('the store shares no log')
          return opened
        },
      },
    }))
    await until(() => steps().slice(before).includes(2))
    expect(steps().slice(before)).toEqual([1, 2])
  })
})
