import { createSeededRandom } from '@sluice/core'
import type { Definition } from '@sluice/pipeline'
import type { Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../packages/postgres/src/connect/connect.ts'
import { ServedServer } from '../../packages/postgres/src/connect/served-server.ts'
import { defaultClusterTimes, Membership } from '../../packages/postgres/src/membership/membership.ts'
import type { SharedRows } from '../../packages/postgres/src/membership/shared-rows.ts'
import { createSqlSharedRows } from '../../packages/postgres/src/membership/sql-shared-rows.ts'
import { prepareTables } from '../../packages/postgres/src/prepare-tables.ts'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { startKillable } from '../support/processes/killable.ts'
import { nodeProgram } from '../support/processes/node-program.ts'
import { shop } from '../support/scenes/shop.ts'

const times = { leaseMs: 1_500, beatMs: 100, marginMs: 200, handOverMs: 500 }
const nodes = useSharedNodes({ node: () => ({ workspace: older(), times }) })
const { schema, start } = nodes

const older = () => shop(`${nodes.receiver.url}/hook`)
/** The same file with one more destination. */
const newer = () => {
  const { destinations, connections, ...rest } = older()
  return {
    ...rest,
    destinations: [...destinations, ...destinations.map((each) => ({ ...each, id: 'new' }))],
    connections: [...connections, ...connections.map((each) => ({ ...each, destination: 'new' }))],
  }
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const warningsOf = async (sluice: Sluice): Promise<readonly string[]> =>
  ((await (await sluice.fetch(new Request('http://x/health'))).json()) as { warnings?: string[] }).warnings ?? []
const isOlder = (sluice: Sluice) => eventually(() => warningsOf(sluice)).toContain('olderDefinition')
const isAlike = (sluice: Sluice) =>
  eventually(async () => (await sluice.metrics()).includes('sluice_cluster_other_definitions 0')).toBe(true)

describe.skipIf(noPostgres)('a process that does not run for longer than its lease', () => {
  /** Another process, which can be stopped, continued, and given its other file. */
  async function startOther(workspaces: readonly object[]) {
    const options = { allowAddresses: ['127.0.0.1'], sandbox: { mode: 'in-process' } }
    const given = JSON.stringify({ url: postgresUrl, schema, times, workspaces, options })
    const other = await startKillable(nodeProgram, [given])
    closing.push(async () => {
      other.kill()
      await other.ended
    })
    await other.reported('serving')
    const count = async () => (await ask(`select id from ${schema}.node`)).length
    let changes = 0
    return {
      async starve() {
        process.kill(other.pid, 'SIGSTOP')
        await eventually(count).toBe(1)
      },
      async run() {
        process.kill(other.pid, 'SIGCONT')
        await eventually(count).toBe(2)
      },
      async change() {
        changes += 1
        process.kill(other.pid, 'SIGUSR2')
        await other.reported(`changed ${changes}`)
      },
    }
  }

  it('comes back with its file, and others know which is the newest all the while', async () => {
    const a = await start()
    const b = await startOther([newer(), older()])
    await isOlder(a)
    await b.starve()
    // Its file counts for some time: it may come back.
    await isOlder(a)
    await b.run()
    await isOlder(a)
    await eventually(() => a.metrics()).toContain('sluice_cluster_other_definitions 1')
    await b.change()
    await isAlike(a)
    await eventually(() => warningsOf(a)).not.toContain('olderDefinition')
  })

  it('leaves a file that does not count any more once all have returned to the one before', async () => {
    const a = await start()
    const b = await startOther([newer(), older()])
    await isOlder(a)
    await b.starve()
    await b.run()
    await b.change()
    await isAlike(a)
    await a.updateWorkspace(newer())
    // At once, whatever it has looked at since.
    await a.updateWorkspace(older())
    await b.starve()
    await b.run()
    await isAlike(a)
    const late = await start({ workspace: newer() })
    await isOlder(late)
  })
})

describe.skipIf(noPostgres)('the file of a process', () => {
  const definition = (file: string): Definition => ({ digest: `of ${file}`, file, revision: 1, routes: new Map() })

  async function scene({ beatMs, wrap = (rows) => rows }: { beatMs: number; wrap?(rows: SharedRows): SharedRows }) {
    const notes: string[] = []
    const own = freshSchema()
    const connection = await connect(postgresUrl, own, () => {})
    await prepareTables(connection, own)
    const rows = createSqlSharedRows(connection, own)
    const membership = new Membership({
      rows: wrap(rows),
      server: new ServedServer(),
      random: createSeededRandom(1),
      times: { ...defaultClusterTimes, beatMs },
      knows: { shared: 1, cluster: 1 },
      onLanes: () => {},
      notify: (note) => notes.push(note),
      announce: () => {},
      onMissing: () => {},
      onError: () => {},
    })
    closing.push(async () => {
      await membership.leave()
      await connection.close()
      await dropSchema(own)
    })
    return { rows, membership, notes }
  }

  it('is known also when it changes while the process is being added', async () => {
    let reached = (): void => {}
    let release = (): void => {}
    const adding = new Promise<void>((resolve) => (reached = resolve))
    const released = new Promise<void>((resolve) => (release = resolve))
    /** The database is slow to add it. */
    const wrap = (rows: SharedRows): SharedRows => ({
      ...rows,
      async addNode(node) {
        reached()
        await released
        await rows.addNode(node)
      },
    })
    const { rows, membership } = await scene({ beatMs: 20, wrap })
    await membership.defined(definition('first'))
    const entering = membership.enter()
    await adding
    await membership.defined(definition('second'))
    release()
    await entering
    await eventually(() => rows.nodes()).toMatchObject([{ file: 'second', definition: 'of second' }])
  })

  it('is the newest when the process returns to it, though it has looked at nothing since', async () => {
    const { rows, membership } = await scene({ beatMs: 3_600_000 })
    await membership.enter()
    for (const file of ['first', 'second', 'first']) await membership.defined(definition(file))
    const seenAt = new Map((await rows.nodes()).map(({ file, seen_at }) => [file, seen_at]))
    await membership.defined(definition('second'))
    const [{ seen_at: again } = { seen_at: 0 }] = await rows.nodes()
    expect(again).toBeGreaterThan(seenAt.get('first') ?? Number.POSITIVE_INFINITY)
  })

  it('leaves no consumer unread that a process brought which came and went between two beats', async () => {
    const { membership } = await scene({ beatMs: 3_600_000 })
    let resumed = 0
    await membership.enter()
    await membership.join({
      pause: async () => {},
      resume: async () => {
        resumed += 1
      },
      apply: async () => {},
      lost: async () => {},
      deferred: () => {},
      tryNow: () => {},
      passed: async () => {},
    })
    await membership.defined(definition('first'))
    await membership.turn()
    // With its lanes, when it has joined, and when all have the same file. It looks at its consumers each time.
    await eventually(() => resumed).toBe(3)
    for (const [n, text] of ['left', 'missed'].entries()) {
      membership.notified(text)
      await eventually(() => resumed).toBe(4 + n)
    }
  })

  it.each([
    ['another', 'left'],
    ['first', 'lanes'],
  ])('decides what the others learn when its process leaves: with the file %s they learn %s', async (others, note) => {
    const { rows, membership, notes } = await scene({ beatMs: 3_600_000 })
    const { leaseMs } = defaultClusterTimes
    const { digest, file } = definition(others)
    const knows = { shared: 1, cluster: 1 }
    const other = { id: 'other', isMember: true, isDraining: false, leaseMs, knows, deduplicationMs: undefined }
    await rows.addNode({ ...other, definition: digest, file })
    await membership.enter()
    await membership.defined(definition('first'))
    notes.length = 0
    await membership.leave()
    expect(notes).toEqual([note])
  })
})
