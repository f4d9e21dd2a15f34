import { openClusterOperator } from '@sluice/postgres'
import type { Sluice } from 'sluice'
import { beforeEach, describe, expect, it } from 'vitest'
import { type SharedNodes, useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { ask, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually, until } from '../support/eventually.ts'
import { runCommand } from '../support/processes/command.ts'
import { runHosted } from '../support/processes/command-host.ts'

/** Status of the requests to the receiver from now on. */
let status: number
beforeEach(() => {
  status = 200
})
const statusOf = (): number => status

/** Runs a command on the store of the nodes. */
const commandOn =
  ({ schema }: SharedNodes) =>
  (...args: readonly string[]) =>
    runHosted([...args, '--store', `${postgresUrl}?schema=${schema}`], { cwd: process.cwd() })

const offer = (sluice: Sluice) =>
  sluice.ingest(
    'web-key',
    Array.from({ length: 20 }, (_, n) => ({ type: 'track', event: 'Step', userId: `user ${n}` })),
  )

/** Offers events until they are taken, as clients do: a process that a busy machine has starved refuses some at first. */
const send = (sluice: Sluice) => until(async () => (await offer(sluice)).ok)

describe.skipIf(noPostgres)('sluice cluster', () => {
  const nodes = useSharedNodes({ statusOf })
  const { schema, start, stop, lanes } = nodes
  const cli = commandOn(nodes)

  it('shows processes, lanes, changes and what is behind, and finds nothing wrong', async () => {
    const a = await start()
    await start()
    await eventually(lanes).toBe('16,16')
    status = 503
    await send(a)
    await eventually(() => nodes.receiver.received.length).toBeGreaterThan(0)
    const store = `${postgresUrl}?schema=${schema}`
    // Lanes that a second process gets have no owner for as long as the first one hands them over.
    const withoutOwner = async () => JSON.parse((await cli('cluster', 'status', '--json')).stdout).lanesWithoutOwner
    await eventually(withoutOwner).toEqual([])
    const [shown, checked] = await Promise.all([
      runCommand(['cluster', 'status', '--json', '--store', store], { cwd: process.cwd() }),
      cli('cluster', 'check'),
    ])
    const found = JSON.parse(shown.stdout)
    expect(found).toMatchObject({
      nodes: [
        { isMember: true, isDraining: false, applied: 0, leaseMs: 20_000, beatAgeMs: expect.any(Number) },
        { isMember: true },
      ],
      lanesWithoutOwner: [],
      destinations: [{ workspaceId: 'shop', destinationId: 'hook', pending: 20 }],
    })
    expect(found.nodes.map(({ lanes }: { lanes: readonly number[] }) => lanes.length)).toEqual([16, 16])
    expect(checked).toMatchObject({ status: 0, stdout: 'nothing is wrong\n' })
  })

  it('tells silent processes from living ones, also when a long lease lets them beat seldom', async () => {
    const times = { beatMs: 1_600, leaseMs: 8_000 }
    await start({ times })
    await start({ times })
    await eventually(lanes).toBe('16,16')
    await ask(`
      insert into ${schema}.node (id, beat, is_member, lease_ms, applied, passed) values ('ffff-silent', 7, false, 8000, 0, 0)`)
    const { nodes } = JSON.parse((await cli('cluster', 'status', '--json')).stdout)
    expect(nodes).toMatchObject([
      { beatAgeMs: expect.any(Number) },
      { beatAgeMs: expect.any(Number) },
      { id: 'ffff-silent', silentMs: expect.any(Number) },
    ])
    expect(nodes[2].silentMs).toBeGreaterThan(4_000)
  })

  it('finds nothing wrong while events flow, are retried, and processes come and go', async () => {
    const [a, b] = [await start(), await start()]
    let isFlowing = true
    const flowing = (async () => {
      for (let n = 0; isFlowing; n += 1) {
        status = n % 3 === 0 ? 503 : 200
        await send(n % 2 === 0 ? a : b)
      }
    })()
    const operator = await openClusterOperator({ url: postgresUrl, schema })
    const problems = [await operator.check()]
    const c = await start()
    problems.push(await operator.check())
    await stop(c)
    problems.push(await operator.check())
    await operator.close()
    isFlowing = false
    await flowing
    expect(problems).toEqual([[], [], []])
  })

  it('moves all lanes away from a process that is drained, and back when that is undone', async () => {
    const [a, b] = [await start(), await start()]
    const [row] = await ask(`select id from ${schema}.node limit 1`)
    const id = String(row?.['id'])
    const drained = await cli('cluster', 'drain', id.slice(0, 8), '--wait')
    expect(drained).toMatchObject({ status: 0, stdout: `${id} holds no lanes\n` })
    await eventually(lanes).toBe('0,32')
    await send(a)
    await send(b)
    await a.settled()
    expect(nodes.receiver.received).toHaveLength(40)
    const [other] = await ask(`select id from ${schema}.node where id <> '${id}'`)
    const last = await cli('cluster', 'drain', String(other?.['id']))
    expect([last.status, last.stderr]).toEqual([1, expect.stringContaining('the only process that takes lanes')])
    await cli('cluster', 'drain', id, '--undo')
    await eventually(lanes).toBe('16,16')
  })

  it('names what is wrong: a cursor that is missing or beyond the end, a lost event, a sum that does not fit', async () => {
    const a = await start()
    await send(a)
    await a.settled()
    await stop(a)
    await ask(`
      set search_path = ${schema};
      delete from log_cursor where consumer = 'observe' and lane = 7;
      update log_cursor set position = 1000000 where consumer = 'observe' and lane = 3;
      update log_cursor set position = 0 where consumer = 'destination/hook'
        and lane = (select lane from log_batch order by position limit 1);
      insert into dead_letter_usage values ('shop', 3, 100)`)
    const { status: exit, stdout } = await cli('cluster', 'check')
    expect(exit).toBe(1)
    expect(stdout).toContain('observe of workspace shop has a cursor in 31 of 32 lanes')
    expect(stdout).toMatch(/cursor of observe of workspace shop in lane 3 is at 1000000, beyond the end/)
    expect(stdout).toMatch(/destination hook of workspace shop: 0 events have not ended by the counts, \d+ are stored/)
    expect(stdout).toContain('workspace shop has 0 dead letters, and a sum that says 3')
  })

  it('says that there is no store, without its password', async () => {
    const unknown = freshSchema()
    const { status: exit, stderr } = await runHosted(
      ['cluster', 'status', '--store', `postgres://postgres:secret@127.0.0.1:5432/test?schema=${unknown}`],
      { cwd: process.cwd() },
    )
    expect([exit, stderr]).toEqual([1, expect.stringContaining(`has no store in schema ${unknown}`)])
    expect(stderr).not.toContain('secret')
  })
})

describe.skipIf(noPostgres)('a process of a cluster', () => {
  const nodes = useSharedNodes({ statusOf })
  const { schema, start, stop } = nodes

  const probe = async (sluice: Sluice, path: string): Promise<readonly unknown[]> => {
    const answer = await sluice.fetch(new Request(`http://x${path}`))
    return [answer.status, await answer.json()]
  }

  it('is ready while others count on it, and not while it is cut off from the database; it lives all the time', async () => {
    const a = await start({ times: { beatMs: 200, leaseMs: 2_000, marginMs: 200 } })
    await eventually(() => probe(a, '/ready')).toEqual([200, { status: 'ok' }])
    await ask(`alter table ${schema}.node rename to away`)
    await eventually(() => probe(a, '/ready')).toEqual([503, { status: 'unavailable', reason: 'notServing' }])
    expect(await probe(a, '/live')).toEqual([200, { status: 'ok' }])
    expect(await a.ingest('web-key', [{ type: 'track', event: 'Step', userId: 'u' }])).toMatchObject({ ok: false })
    expect(await a.metrics()).toMatch(/^sluice_cluster_lease_seconds 0$/m)
    await ask(`alter table ${schema}.away rename to node`)
    await eventually(() => probe(a, '/ready')).toEqual([200, { status: 'ok' }])
    const stopping = stop(a)
    expect(await probe(a, '/ready')).toEqual([503, { status: 'unavailable', reason: 'stopping' }])
    expect(await probe(a, '/live')).toEqual([200, { status: 'ok' }])
    await stopping
  })

  it('has metrics of its cluster: processes, lanes, take-overs, refused writes, the lease, waits for changes', async () => {
    const a = await start()
    await a.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'user 1' }] })
    const refused = async (): Promise<number> =>
      Number(/^sluice_cluster_refused_total (\d+)$/m.exec(await a.metrics())?.[1])
    // As if others had taken it for dead: the store takes nothing from it until it has joined again.
    await until(async () => {
      await ask(`delete from ${schema}.node`)
      await offer(a).catch(() => {})
      return (await refused()) > 0
    })
    await eventually(() => a.metrics()).toMatch(/^sluice_cluster_lanes_taken_over_total 32$/m)
    const text = await a.metrics()
    expect(text).toMatch(/^sluice_cluster_nodes 1$/m)
    expect(text).toMatch(/^sluice_cluster_lanes 32$/m)
    expect(text).toMatch(/^sluice_cluster_lease_seconds 1\d\.\d+$/m)
    expect(text).toMatch(/^sluice_cluster_change_seconds_count\{kind="regulation"\} 1$/m)
  })
})

describe.skipIf(noPostgres)('the tables of a store', () => {
  const nodes = useSharedNodes({ statusOf, tables: 'dropped' })
  const { schema, start, stop } = nodes
  const cli = commandOn(nodes)

  it('can be made by an owner, so that the role of the processes needs no right to change any', async () => {
    const role = `run_${schema}`
    const made = await cli('store', 'init', '--role', role)
    expect(made).toMatchObject({ status: 0, stderr: expect.stringContaining('Created the tables') })
    await ask(`create role ${role} login; ${made.stdout}`)
    try {
      const drops = `'${schema}.drop_log_partition(bigint)', 'execute'`
      expect(
        await ask(
          `select has_function_privilege('${role}', ${drops}) as own, has_function_privilege('public', ${drops}) as every`,
        ),
      ).toEqual([{ own: true, every: false }])
      const sluice = await start({ url: postgresUrl.replace('postgres@', `${role}@`) })
      await send(sluice)
      await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'user 1' }] })
      await sluice.settled()
      expect(await sluice.stats()).toMatchObject([{ accepted: 20, destinations: [{ pending: 0 }] }])
      await stop(sluice)
      const again = await cli('store', 'upgrade')
      expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('are those of this release') })
    } finally {
      await ask(`drop owned by ${role}; drop role ${role}`)
    }
  })

  it('are not made by a role that may not; the error names the command for one that may', async () => {
    const role = `none_${schema}`
    await ask(`create role ${role} login`)
    try {
      await expect(start({ url: postgresUrl.replace('postgres@', `${role}@`) })).rejects.toThrow(
        /run sluice store init/,
      )
    } finally {
      await ask(`drop role ${role}`)
    }
  })

  it('are not changed while a process lives that would not understand them, and are when it is gone', async () => {
    await cli('store', 'init')
    // As the release before left it; a process that knows no steps at all stands for an older one.
    await ask(`
      set search_path = ${schema};
      alter table node drop column is_draining, drop column lease_ms;
      update node set knows_cluster = 0;
      alter table node drop column knows_shared;
      drop table migrated_table;
      alter table log_batch detach partition log_batch_0;
      drop table log_batch, log_batch_1, log_batch_2, log_partition;
      alter table log_batch_0 rename to log_batch;
      alter index log_batch_0_pkey rename to log_batch_pkey;
      drop function add_log_partition, drop_log_partition;
      drop function lock_changes cascade;
      drop function refuse_repeated, unknown_messages;
      drop table lane_start;
      drop table lost_batch, resumption_lane, resumption;
      drop table defined_file;
      alter table node drop column file, drop column deduplication_ms, drop column vitals_json;
      drop trigger config_revision_counted on config_revision;
      alter table node drop column definition;
      alter table log_trimmed drop column whole_below;
      insert into node (id, beat, applied, passed, knows_cluster) values ('00000000-old', 0, 0, 0, 0);
      alter table node add column lease_ms bigint not null default 300;
      update store_version set version = 1 where part = 'cluster'`)
    const beating = setInterval(() => void ask(`update ${schema}.node set beat = beat + 1`).catch(() => {}), 50)
    const refused = await cli('store', 'upgrade')
    clearInterval(beating)
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('stop 00000000 first') })
    await ask(`alter table ${schema}.node drop column knows_cluster, drop column lease_ms`)
    const upgraded = await cli('store', 'upgrade')
    expect(upgraded).toMatchObject({ status: 0, stderr: expect.stringMatching(/from version \d+\.1 to \d+\.\d+/) })
  })

  it('are left alone when a newer release has only added to them, and refused when it has changed them', async () => {
    await cli('store', 'init')
    await ask(`update ${schema}.store_version set version = 99 where part = 'cluster'`)
    await stop(await start())
    await ask(`update ${schema}.store_version set readable_from = 99 where part = 'cluster'`)
    await expect(start()).rejects.toThrow(/use a newer release/)
  })
})
