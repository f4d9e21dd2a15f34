import { describe, expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { ask, noPostgres } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'

let status = 200
// The second test makes tables of its own.
const nodes = useSharedNodes({ node: () => ({ times: { beatMs: 100 } }), statusOf: () => status, tables: 'dropped' })
const { schema, errors, start, stop, lanes } = nodes

describe.skipIf(noPostgres)('a process whose lanes change', () => {
  it('reads them as soon as the database answers again, when it fails just then', async () => {
    status = 200
    const [a] = [await start(), await start()]
    await eventually(lanes).toBe('16,16')
    await ask(`alter table ${schema}.log_cursor rename to away`)
    await ask(`update ${schema}.node set is_draining = true where id = (select min(id) from ${schema}.node)`)
    await eventually(async () => [await lanes(), errors.length > 0]).toEqual(['0,32', true])
    await ask(`alter table ${schema}.away rename to log_cursor`)
    const events = Array.from({ length: 20 }, (_, n) => ({ type: 'track', event: 'Step', userId: `user ${n}` }))
    expect(await a.ingest('web-key', events)).toMatchObject({ ok: true })
    await eventually(() => nodes.receiver.received.length).toBe(20)
  })

  it('sends what a process has deferred while it gave the lanes away before later events of the user', async () => {
    const steps = () => nodes.receiver.received.map(({ body }) => JSON.parse(body).properties.n)
    const defer = (count: number) =>
      eventually(async () => (await ask(`select 1 from ${schema}.deferred_event`)).length).toBe(count)
    const a = await start()
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
    await stop(a, 0)
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
    const before = nodes.receiver.received.length
    status = 200
    await start({
      given: (store) => ({
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
      }),
    })
    await eventually(() => steps().slice(before)).toContain(2)
    expect(steps().slice(before)).toEqual([1, 2])
  })
})
