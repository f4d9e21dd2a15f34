import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { type ClusterTimes, openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice, type SluiceOptions } from 'sluice'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { ask, dropSchema, emptyStore, freshSchema, postgresUrl } from '../databases/postgres.ts'
import { type Answer, type Receiver, startReceiver } from '../receiver.ts'
import { shop } from '../scenes/shop.ts'

/**
 * Lease of the nodes, unless a test says another one. Longer than by default: no node shall lose it because a busy machine
 * has starved this process, except in tests that are about that.
 */
const leaseMs = 20_000

/** What a node has instead of the defaults of the scene. */
export interface NodeOptions extends Partial<Omit<SluiceOptions, 'store'>> {
  /** Address of the database; default the server for tests. */
  readonly url?: string
  readonly times?: Partial<ClusterTimes>
  /** Wraps the store of the node. */
  readonly given?: (store: Store) => Store
}

export interface SharedNodesOptions {
  /** Options of every node. `workspace` is read when a node starts; default `shop` with the receiver as destination. */
  readonly node?: () => NodeOptions
  /** Status with which the receiver answers; default 200. */
  readonly statusOf?: Answer
  /**
   * What happens to the tables of the store between two tests. `emptied`, the default, is much quicker; `dropped` is for
   * tests that change or make tables themselves.
   */
  readonly tables?: 'emptied' | 'dropped'
}

/** Nodes of a cluster that all run in this process. Each test has a new receiver, and an empty store in PostgreSQL. */
export interface SharedNodes {
  readonly schema: string
  readonly receiver: Receiver
  /** Errors that the nodes of this test and their stores reported. */
  readonly errors: readonly unknown[]
  /** Nodes that have not been stopped, in the order of their start. */
  readonly running: readonly Sluice[]
  /** Starts another node. */
  start(options?: NodeOptions): Promise<Sluice>
  /** Stops a node within a time; default that of `sluice.stop`. The others are stopped after the test. */
  stop(node: Sluice, timeMs?: number): Promise<void>
  /** The number of lanes of each node, smallest first, such as `16,16`. */
  lanes(): Promise<string>
}

/** Gives every test of the file, or of the `describe` in which it is called, nodes that share a store. */
export function useSharedNodes({ node, statusOf, tables = 'emptied' }: SharedNodesOptions = {}): SharedNodes {
  const schema = freshSchema()
  const errors: unknown[] = []
  const running: Sluice[] = []
  let receiver: Receiver | undefined
  let hasTables = false
  const stop: SharedNodes['stop'] = async (which, timeMs) => {
    running.splice(running.indexOf(which), 1)
    await which.stop(timeMs)
  }
  const receiverOf = (): Receiver => {
    if (receiver === undefined) throw new Error('the receiver starts with a test')
    return receiver
  }
  beforeEach(async () => {
    errors.length = 0
    receiver = await startReceiver(statusOf)
  })
  afterEach(async () => {
    for (const each of [...running]) await stop(each, 0)
    await receiver?.close()
    if (tables === 'dropped') await dropSchema(schema)
    else if (hasTables) await emptyStore(schema)
  })
  afterAll(async () => {
    if (hasTables) await dropSchema(schema)
  })
  return {
    schema,
    errors,
    running,
    get receiver() {
      return receiverOf()
    },
    start: async (options = {}) => {
      const { url = postgresUrl, times = {}, given, ...more } = { ...node?.(), ...options }
      const onError = (error: unknown): void => void errors.push(error)
      const clock = systemClock
      const store = await openPostgresStore({
        url,
        schema,
        clock,
        random: systemRandom,
        times: { leaseMs, ...times },
        onError,
      })
      hasTables = true
      const started = await createSluice({
        workspace: shop(receiverOf().url),
        store: given?.(store) ?? store,
        onError,
        allowAddresses: ['127.0.0.1'],
        retries: { backoff: { baseMs: 50, capMs: 50 } },
        ...more,
      })
      running.push(started)
      return started
    },
    stop,
    lanes: async () => {
      const rows = await ask(`
        select count(lane.number)::int as lanes from ${schema}.node left join ${schema}.lane on node_id = id
        group by id order by 1`)
      return rows.map((row) => row['lanes']).join()
    },
  }
}
