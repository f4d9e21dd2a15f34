import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { systemClock, systemRandom } from '@sluice/core'
import { openClusterOperator, openPostgresStore } from '@sluice/postgres'
import { createFolderLedgerPlace } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startWay, type Way } from '../support/cluster/way.ts'
import { createOwnPostgres, noOwnPostgres, type OwnPostgres, type Standby } from '../support/databases/own-postgres.ts'
import { ask } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { roundsOf, sized } from '../support/long.ts'
import { runHosted } from '../support/processes/command-host.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

/** `pnpm test:long` fails over ten times. */
const rounds = roundsOf(sized(1, 10))

const times = { leaseMs: 2_000, beatMs: 400, marginMs: 200 }

let primary: OwnPostgres
let standby: Standby
let way: Way
let receiver: Receiver
let folder: string
let errors: unknown[]
let load: ReturnType<typeof startLoad> | undefined
const running: Sluice[] = []

async function start(): Promise<Sluice> {
  const url = primary.url.replace(String(primary.port), String(way.port))
  const onError = (error: unknown): void => void errors.push(error)
  const store = await openPostgresStore({ url, clock: systemClock, random: systemRandom, times, onError })
  const sluice = await createSluice({
    workspace: shop(receiver.url),
    store,
    ledger: { place: createFolderLedgerPlace(join(folder, 'ledger'), systemRandom) },
    allowAddresses: ['127.0.0.1'],
    onError,
  })
  running.push(sluice)
  return sluice
}

/** Sends events of three users to every process, all the time; those that are refused are not sent again. */
function startLoad(nodes: readonly Sluice[]) {
  let isOver = false
  const sending = nodes.map(async (node) => {
    while (!isOver) {
      const events = ['erased', 'suppressed', 'other'].map((userId) => ({ type: 'track', event: 'Step', userId }))
      await node.ingest('web-key', events).catch(() => {})
      await wait(3)
    }
  })
  return {
    end: async () => {
      isOver = true
      await Promise.all(sending)
    },
  }
}

const probe = async (node: Sluice, path: string): Promise<[number, unknown]> => {
  const answer = await node.fetch(new Request(`http://node.test${path}`))
  return [answer.status, await answer.json()]
}

const arrived = (userId: string): number =>
  receiver.received.filter(({ body }) => JSON.parse(body).userId === userId).length
const states = (): ReturnType<typeof ask> =>
  ask('select user_id, canceled from sluice.regulation order by user_id', standby.url)

/** The standby has everything but what comes now. */
async function loseNext(): Promise<void> {
  await eventually(() => arrived('other')).toBeGreaterThan(20)
  await standby.stopFollowing()
}

/** Ids of the events that a server has in its log. */
async function logged(url: string): Promise<ReadonlySet<string>> {
  const rows = await ask(
    `select event ->> 'messageId' as id from sluice.log_batch cross join json_array_elements(events_json::json) as event`,
    url,
  )
  return new Set(rows.map(({ id }) => String(id)))
}

/** Beats of the processes that live. */
const beats = async (): Promise<readonly number[]> =>
  (await ask(`select beat from sluice.node where id <> 'died' order by id`, primary.url)).map(({ beat }) =>
    Number(beat),
  )

const nodeIds = async (): Promise<readonly unknown[]> =>
  (await ask('select id from sluice.node order by id', primary.url)).map(({ id }) => id)

/** Sends calls of three events to each process in turn, until so many are acknowledged. @returns the ids of their events. */
async function sendMany(nodes: readonly Sluice[], calls: number): Promise<readonly string[]> {
  const acknowledged: string[] = []
  for (let n = 0; acknowledged.length < 3 * calls; n += 1) {
    const ids = [0, 1, 2].map(() => randomUUID())
    const events = ids.map((messageId) => ({ type: 'track', event: 'Step', userId: `user ${messageId}`, messageId }))
    const answer = await nodes[n % nodes.length]?.ingest('web-key', events).catch(() => undefined)
    if (answer?.ok) acknowledged.push(...ids)
    else await wait(3)
  }
  return acknowledged
}

function failOver(): void {
  primary.crash()
  standby.promote()
  way.turnTo(standby.port)
}

beforeEach(async () => {
  errors = []
  folder = mkdtempSync(join(tmpdir(), 'sluice-fail-over-'))
  receiver = await startReceiver()
  primary = await createOwnPostgres()
  way = await startWay(primary.port)
})
afterEach(async () => {
  await load?.end()
  for (const sluice of running.splice(0)) await sluice.stop(0)
  way.close()
  await receiver.close()
  standby.remove()
  primary.remove()
  rmSync(folder, { recursive: true })
})

describe.skipIf(noOwnPostgres)('a database whose asynchronous standby takes its place', () => {
  it('has regulations that it lacked again before running processes serve it', async () => {
    const nodes = [await start(), await start()]
    const [one, two] = nodes
    const [kept] =
      (await two?.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'kept' }] })) ?? []
    standby = await primary.startStandby('asynchronous')
    load = startLoad(nodes)
    await loseNext()
    await one?.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'suppressed' }] })
    await two?.regulations.create('shop', { regulationType: 'suppress_with_delete', users: [{ userId: 'erased' }] })
    await two?.regulations.cancel('shop', kept?.id ?? '')
    const before = [arrived('suppressed'), arrived('erased')]
    failOver()
    expect(await states()).toEqual([{ user_id: 'kept', canceled: 0 }])
    const others = arrived('other')
    await eventually(() => arrived('other')).toBeGreaterThan(others + 100)
    expect([arrived('suppressed'), arrived('erased')]).toEqual(before)
    const after = await states()
    expect(after.filter(({ canceled }) => canceled === 1)).toEqual([{ user_id: 'kept', canceled: 1 }])
    const back = after.filter(({ canceled }) => canceled === 0)
    expect(back).toEqual([1, 2].map(() => ({ user_id: expect.stringContaining('ledger:'), canceled: 0 })))
    // Both processes have ordered the deletion again, and the ids of the user are not known without a key.
    const jobs = await ask('select destination_id, status from sluice.deletion_job order by 1', standby.url)
    expect(jobs).toEqual(['', 'hook'].map((id) => ({ destination_id: id, status: 'aborted' })))
  })

  it.each(rounds)(
    'says exactly what it lacks, delivers all that comes after, and is degraded until an operator confirms it (%s)',
    async () => {
      const nodes = [await start(), await start()]
      standby = await primary.startStandby('asynchronous')
      const warnings: string[] = []
      const onWarning = (text: string): void => void warnings.push(text)
      const warned = await openPostgresStore({ url: primary.url, clock: systemClock, random: systemRandom, onWarning })
      await warned.close()
      expect(warnings).toEqual([expect.stringMatching(/has a standby and no synchronous_standby_names/)])
      await sendMany(nodes, 20)
      await standby.stopFollowing()
      const members = await nodeIds()
      const before = await sendMany(nodes, 40)
      const kept = await logged(standby.url)
      expect(before.filter((id) => kept.has(id))).toEqual([])
      // On a busy machine, a process may be taken for dead: the others cannot tell that it still knows what it knew.
      const isExact = isDeepStrictEqual(await nodeIds(), members)
      failOver()
      const after = await sendMany(nodes, 100)
      const has = (id: string) => receiver.received.some(({ body }) => JSON.parse(body).messageId === id)
      await eventually(() => after.filter((id) => !has(id))).toEqual([])
      const { url } = standby
      const operator = await openClusterOperator({ url })
      const isNoted = async () => (await operator.status()).losses.every((loss) => loss.isExact === isExact)
      await eventually(isNoted).toBe(true)
      const [loss, ...more] = (await operator.status()).losses
      expect(more).toEqual([])
      expect(loss).toMatchObject({ events: 120, isExact, changes: 0 })
      expect(loss?.confirmed).toBeUndefined()
      expect(await operator.check()).toEqual([expect.stringContaining('lacked 120 acknowledged events')])
      const reused = `select from sluice.log_batch where position between ${loss?.from} and ${loss?.to}`
      expect(await ask(reused, url)).toEqual([])
      for (const node of nodes)
        for (const path of ['/ready', '/health'])
          await eventually(() => probe(node, path)).toMatchObject([
            200,
            { status: 'degraded', reason: 'lossUnconfirmed' },
          ])
      for (const node of nodes) expect(await node.metrics()).toContain(`sluice_log_batches_lost_total ${loss?.batches}`)
      const confirmed = await runHosted(['cluster', 'confirm-loss', '--by', 'anna', '--json', '--store', url], {
        cwd: process.cwd(),
      })
      expect(JSON.parse(confirmed.stdout)).toMatchObject({ confirmed: [{ events: 120, confirmed: { by: 'anna' } }] })
      for (const node of nodes) await eventually(() => probe(node, '/ready')).toEqual([200, { status: 'ok' }])
      const audited = await ask('select workspace_id, user_name, path from sluice.audit_entry', url)
      expect(audited).toEqual([{ workspace_id: 'shop', user_name: 'anna', path: 'sluice cluster confirm-loss' }])
      expect(await operator.check()).toEqual([])
      await operator.close()
    },
  )

  it('lacks, among others, what a process had stored before it was taken for dead, and says that there may be more', async () => {
    const nodes = [await start(), await start()]
    standby = await primary.startStandby('asynchronous')
    await sendMany(nodes, 5)
    await standby.stopFollowing()
    await sendMany(nodes, 10)
    const [, dead] = await nodeIds()
    await ask(`delete from sluice.node where id = '${dead}'`, primary.url)
    await eventually(async () => (await nodeIds()).filter((id) => id !== dead)).toHaveLength(2)
    failOver()
    await sendMany(nodes, 10)
    const operator = await openClusterOperator({ url: standby.url })
    await eventually(async () => (await operator.status()).losses).toMatchObject([{ events: 30, isExact: false }])
    await operator.close()
  })

  it('may lack more than those say that live, when a process that they had seen has died with it', async () => {
    const nodes = [await start(), await start()]
    standby = await primary.startStandby('asynchronous')
    await sendMany(nodes, 5)
    await standby.stopFollowing()
    await sendMany(nodes, 10)
    const died = `insert into sluice.node (id, beat, applied, passed, lease_ms) values ('died', 1, 0, 0, 60000)`
    await ask(died, primary.url)
    // Its second beat from now on began after that was written.
    const seen = await beats()
    await eventually(async () => (await beats()).every((beat, n) => beat >= (seen[n] ?? 0) + 2)).toBe(true)
    failOver()
    await sendMany(nodes, 10)
    const operator = await openClusterOperator({ url: standby.url })
    await eventually(async () => (await operator.status()).losses).toMatchObject([{ events: 30, isExact: false }])
    await operator.close()
  })

  it('is not served while it cannot be compared with the ledger', async () => {
    standby = await primary.startStandby('asynchronous')
    const nodes = [await start()]
    load = startLoad(nodes)
    await loseNext()
    await nodes[0]?.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'suppressed' }] })
    const before = arrived('suppressed')
    await rename(join(folder, 'ledger'), join(folder, 'elsewhere'))
    failOver()
    await eventually(() => errors.map(String).join()).toContain('there is no ledger in')
    const others = arrived('other')
    const answer = await nodes[0]?.ingest('web-key', [{ type: 'track', event: 'Step', userId: 'other' }]).catch(String)
    expect(answer).not.toMatchObject({ ok: true })
    expect(arrived('other')).toBe(others)
    await rename(join(folder, 'elsewhere'), join(folder, 'ledger'))
    await eventually(() => arrived('other')).toBeGreaterThan(others + 20)
    expect(arrived('suppressed')).toBe(before)
  })
})
