import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openPostgresStore } from '@sluice/postgres'
import { openSession } from '@sluice/storage/sql'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Connection, connect } from '../../packages/postgres/src/connect/connect.ts'
import { readPartitions, tendPartitions } from '../../packages/postgres/src/log/log-partitions.ts'
import { partitionSpan } from '../../packages/postgres/src/schema/partition-log.ts'
import { postgresDialect } from '../../packages/postgres/src/schema/postgres-dialect.ts'
import { ask, dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'

let schema: string
let store: Store
let connection: Connection

const hourMs = 3_600_000
const keepNothing = { since: Number.MAX_SAFE_INTEGER, bytesMax: 0 }

beforeEach(async () => {
  if (noPostgres) return
  schema = freshSchema()
  store = await openPostgresStore({ url: postgresUrl, schema, clock: systemClock, random: systemRandom })
  connection = await connect(postgresUrl, schema, () => {})
})

afterEach(async () => {
  if (noPostgres) return
  await connection.close()
  await store.close()
  await dropSchema(schema)
})

/** What the process does that looks after the store. */
async function tend(isCrowded = false): Promise<void> {
  const { db, place, query } = connection
  await tendPartitions(query, openSession({ db, dialect: postgresDialect('shared'), place }), isCrowded)
}

const numbers = async (): Promise<readonly number[]> =>
  (await readPartitions(connection.query)).all.map(({ number }) => number)

/** Lets time pass for all partitions. */
const pass = (ms: number) => ask(`update ${schema}.log_partition set began_at = began_at - ${ms} where began_at > 0`)

/** Appends batches that take more than an empty table does. */
async function append(workspaceId = 'w', count = 40): Promise<readonly number[]> {
  const positions: number[] = []
  for (let n = 0; n < count; n += 1) {
    const text = Array.from({ length: 200 }, () => Math.random().toString(36)).join(' ')
    positions.push(
      await store.log.append(
        {
          workspaceId,
          sourceId: 's',
          writeKey: 'k',
          receivedAt: Date.now(),
          destinationIds: [],
          events: [
            { type: 'track', event: 'Read', userId: `u${n}`, messageId: `${workspaceId} ${n}`, properties: { text } },
          ],
        },
        [],
      ),
    )
  }
  return positions
}

const commit = (workspaceId: string, position: number) =>
  store.log.commit({ workspaceId, consumer: 'c', position, counts: [], receipts: [] })

describe.skipIf(noPostgres)('partitions of the log', () => {
  it('are added ahead, and begun after an hour with batches: positions only grow', async () => {
    expect(await numbers()).toEqual([0, 1, 2])
    await pass(2 * hourMs)
    await tend()
    // Nothing was written, so nothing is closed.
    expect((await readPartitions(connection.query)).current).toBe(0)
    const before = await append()
    await tend()
    const after = await append('w', 1)
    expect(Math.max(...before)).toBeLessThan(partitionSpan)
    expect(after[0]).toBe(partitionSpan + 1)
    await tend()
    expect(await numbers()).toEqual([0, 1, 2, 3])
    // Not an hour old.
    await append()
    await tend()
    expect((await readPartitions(connection.query)).current).toBe(1)
  })

  it('are dropped when all workspaces have passed all of their batches, and not before', async () => {
    for (const workspaceId of ['v', 'w']) await store.log.register(workspaceId, 'c')
    const last = { v: Math.max(...(await append('v'))), w: Math.max(...(await append('w'))) }
    await pass(2 * hourMs)
    await tend()
    const [next = 0] = await append('w', 1)
    await commit('w', next)
    // An append could still be under way.
    await store.log.trim('w', keepNothing)
    await tend()
    expect(await numbers()).toContain(0)
    await pass(61_000)
    await store.log.trim('w', keepNothing)
    await store.log.trim('v', keepNothing)
    await tend()
    expect(await numbers()).toContain(0)
    expect(await store.log.read('v', 0, 100)).toHaveLength(40)
    await commit('v', last.v)
    await store.log.trim('v', keepNothing)
    await tend()
    expect(await numbers()).toEqual([1, 2, 3])
    expect(await store.log.read('w', 0, 100)).toEqual([])
    expect(await store.log.end('v')).toBe(last.v)
    const [another = 0] = await append('w', 1)
    expect(await store.log.read('w', next, 100)).toMatchObject([{ position: another }])
  })

  it('are closed at once when the store is nearly full, and two who look after them do no harm', async () => {
    await append()
    await Promise.all([tend(true), tend(true), tend(true)])
    const [position = 0] = await append('w', 1)
    expect(position).toBe(partitionSpan + 1)
    expect((await readPartitions(connection.query)).current).toBe(1)
  })

  it('stay when a reader holds them, and no append waits long for that', async () => {
    await store.log.register('w', 'c')
    await append()
    await pass(2 * hourMs)
    await tend()
    const [next = 0] = await append('w', 1)
    await commit('w', next)
    await pass(61_000)
    await store.log.trim('w', keepNothing)
    await connection.transaction(async (query) => {
      await query('select count(*) from log_batch')
      await tend()
      expect(await numbers()).toContain(0)
      await append('w', 1)
    })
    await tend()
    expect(await numbers()).not.toContain(0)
  })
})
