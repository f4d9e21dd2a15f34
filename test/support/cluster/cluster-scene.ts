import { setTimeout as wait } from 'node:timers/promises'
import type { SourceStats } from '@sluice/pipeline'
import { expect } from 'vitest'
import { ask } from '../databases/postgres.ts'
import { until } from '../eventually.ts'
import { basic } from '../http/api-client.ts'
import { createSender } from '../http/sender.ts'
import { createDice, type Dice } from '../processes/kill-load.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { runSeed } from '../seed.ts'
import { type ClusterNode, type ClusterOptions, createTestCluster, type TestCluster } from './cluster.ts'

const clients = 2
const usersPerClient = 8

/** Three processes under load, to which something is done, and what must be true of them in the end. */
export interface ClusterScene {
  readonly cluster: TestCluster
  readonly receiver: Receiver
  readonly dice: Dice
  /** Waits until the destination has received this many events more. */
  moreArrives(count: number): Promise<void>
  /** A process that answers. */
  awake(): ClusterNode
  /** Suppresses a user of the load, and resolves when that was answered. */
  regulate(): Promise<void>
  /**
   * Ends the load, waits until nothing is on its way, and checks: nothing acknowledged is lost, the order of every user,
   * that nothing of a suppressed user arrived after the answer, all counts, and the catalogue.
   */
  audit(faults: number): Promise<void>
  close(): Promise<void>
}

interface Arrival {
  readonly userId: string
  readonly n: number
  /** Milliseconds, on the clock of this process. */
  readonly at: number
}

/** @param bin the command of the three processes; default that of this checkout. */
export async function startClusterScene(
  options: Omit<ClusterOptions, 'webhookUrl'>,
  bin?: string,
): Promise<ClusterScene> {
  const dice = createDice(runSeed)
  const arrivals: Arrival[] = []
  const receiver = await startReceiver(({ body }) => {
    const { userId, properties } = JSON.parse(body)
    arrivals.push({ userId, n: properties.n, at: performance.now() })
    return 200
  })
  const cluster = createTestCluster({ webhookUrl: receiver.url, ...options })
  await Promise.all([1, 2, 3].map(() => cluster.start(undefined, bin)))
  const allAwake = (): readonly ClusterNode[] => cluster.nodes.filter(({ isAsleep }) => !isAsleep)
  const awake = (): ClusterNode => {
    const nodes = allAwake()
    const node = nodes[dice(Math.max(1, nodes.length))]
    if (node === undefined) throw new Error('no process is awake')
    return node
  }
  const load = startLoad(dice, allAwake)
  const askedAt = new Map<string, number>()
  const answeredAt = new Map<string, number>()
  return {
    cluster,
    receiver,
    dice,
    awake,
    moreArrives: async (count) => {
      const wanted = arrivals.length + count
      await until(() => arrivals.length >= wanted)
    },
    regulate: async () => {
      const userId = `u${dice(clients)}-${dice(usersPerClient)}`
      askedAt.set(userId, askedAt.get(userId) ?? performance.now())
      await until(async () => {
        const node = awake()
        const answer = await fetch(`http://${node.host}:${node.port}/v2/regulations`, {
          method: 'POST',
          headers: { authorization: basic('me@shop.test', 'token'), 'content-type': 'application/json' },
          body: JSON.stringify({ regulationType: 'suppress', users: [{ userId }] }),
          signal: AbortSignal.timeout(20_000),
        }).catch(() => undefined)
        return answer?.ok === true
      })
      answeredAt.set(userId, answeredAt.get(userId) ?? performance.now())
    },
    audit: async (faults) => {
      expect(cluster.crashes).toEqual([])
      await load.end()
      const source = await settledStats(cluster)
      const [hook] = source.destinations
      if (hook === undefined) throw new Error('nothing was counted for the destination')
      const { doubles, seen } = checkOrder(arrivals, askedAt, answeredAt)
      for (const [userId, count] of load.sent)
        if (!answeredAt.has(userId)) expect([userId, seen.get(userId)]).toEqual([userId, count])
      expect(source.received).toBe(source.accepted + source.suppressed)
      expect(hook.delivered + sum(hook.dropped)).toBe(source.accepted)
      process.stdout.write(`${arrivals.length} arrivals, ${doubles} of them again, over ${faults} faults\n`)
      // Events that were accepted before their user was regulated may have been observed, or not.
      const observed = await observedEvents(cluster)
      const others = [...load.sent].filter(([userId]) => !answeredAt.has(userId))
      expect(observed).toBeLessThanOrEqual(source.accepted)
      expect(observed).toBeGreaterThanOrEqual(others.reduce((total, [, count]) => total + count, 0))
      if (answeredAt.size === 0) expect(observed).toBe(source.accepted)
    },
    close: async () => {
      await load.end()
      await cluster.close()
      await receiver.close()
    },
  }
}

/**
 * The first arrivals of a user are its steps, without a gap. Between the call that regulates the user and its
 * answer, one process may suppress a step and another let the next one pass.
 */
function checkOrder(
  arrivals: readonly Arrival[],
  askedAt: ReadonlyMap<string, number>,
  answeredAt: ReadonlyMap<string, number>,
) {
  const seen = new Map<string, number>()
  let doubles = 0
  for (const { userId, n, at } of arrivals) {
    const next = seen.get(userId) ?? 0
    if (n < next) doubles += 1
    else if (at < (askedAt.get(userId) ?? Number.POSITIVE_INFINITY)) expect([userId, n]).toEqual([userId, next])
    seen.set(userId, Math.max(next, n + 1))
    expect(at, `an event of ${userId} arrived after its regulation was answered`).toBeLessThan(
      answeredAt.get(userId) ?? Number.POSITIVE_INFINITY,
    )
  }
  return { doubles, seen }
}

/** Resolves with undefined after a time in which a process that sleeps or is cut off has not answered. */
const noAnswer = (ms: number): Promise<undefined> => wait(ms, undefined, { ref: false })

/** Clients that send the steps of users in order. A batch without a 200 is sent again, to another process. */
function startLoad(dice: Dice, awake: () => readonly ClusterNode[]) {
  const sent = new Map<string, number>()
  let isOver = false
  const client = async (number: number): Promise<void> => {
    const sender = createSender('web-key')
    while (!isOver) {
      const userId = `u${number}-${dice(usersPerClient)}`
      const first = sent.get(userId) ?? 0
      const batch = Array.from({ length: 1 + dice(6) }, (_, n) => ({
        type: 'track',
        event: 'Step',
        userId,
        messageId: `${userId}-${first + n}`,
        properties: { n: first + n },
      }))
      sent.set(userId, first + batch.length)
      for (;;) {
        const nodes = awake()
        const node = nodes[dice(Math.max(1, nodes.length))]
        const status = node && (await Promise.race([sender.post(node.port, batch, node.host), noAnswer(4_000)]))
        if (status === 200) break
        await wait(20)
      }
      // Enough to be under way whenever a process dies; the machine has other work.
      await wait(20 + dice(30))
    }
    sender.close()
  }
  const running = Array.from({ length: clients }, (_, number) => client(number))
  return {
    sent,
    end: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}

/** Waits until nothing is on its way. */
async function settledStats(cluster: TestCluster): Promise<SourceStats> {
  let source: SourceStats | undefined
  await until(async () => {
    const [node] = cluster.nodes
    const answer = await fetch(`http://${node?.host}:${node?.port}/v1/stats`, {
      headers: { authorization: basic('me@shop.test', 'token') },
    })
    const { workspaces } = (await answer.json()) as { workspaces?: readonly { sources: readonly SourceStats[] }[] }
    source = workspaces?.[0]?.sources[0]
    return source?.destinations[0]?.pending === 0
  })
  if (source === undefined) throw new Error('nothing was counted for the source')
  return source
}

/** Waits until the observer has passed the end of the log, and counts what it has observed. */
async function observedEvents({ schema, databaseUrl }: TestCluster): Promise<number> {
  const numberOf = async (statement: string): Promise<number> =>
    Number((await ask(statement, databaseUrl))[0]?.['number'])
  const behind = `
    select count(*) as number from ${schema}.log_batch join ${schema}.log_cursor using (workspace_id, lane)
    where consumer = 'observe' and log_batch.position > log_cursor.position`
  await until(async () => (await numberOf(behind)) === 0)
  return numberOf(`select sum(total_count) as number from ${schema}.event_model`)
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)
