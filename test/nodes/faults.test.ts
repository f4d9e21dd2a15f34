import type { SourceStats } from '@sluice/pipeline'
import { afterEach, describe, expect, it } from 'vitest'
import { basic } from '../support/api-client.ts'
import { type ClusterNode, createTestCluster, type TestCluster } from '../support/cluster.ts'
import { createDice, type Dice } from '../support/kill-load.ts'
import { ask, noPostgres } from '../support/postgres.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { createSender } from '../support/sender.ts'

const rounds = Number(process.env['SLUICE_NODE_ROUNDS'] ?? 6)
const leaseSeconds = 2
/** Longest time of one round, generous for a busy machine. */
const roundMs = 30_000
const clients = 2
const usersPerClient = 8

let cluster: TestCluster
let receiver: Receiver

afterEach(async () => {
  await cluster.close()
  await receiver.close()
})

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

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
        properties: { n: first + n },
      }))
      sent.set(userId, first + batch.length)
      for (;;) {
        const nodes = awake()
        const node = nodes[dice(Math.max(1, nodes.length))]
        const status = node && (await Promise.race([sender.post(node.port, batch), sleep(4_000)]))
        if (status === 200) break
        await sleep(20)
      }
      // Enough to be under way whenever a process dies; the machine has other work.
      await sleep(20 + dice(30))
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

interface Arrival {
  readonly userId: string
  readonly n: number
  /** Milliseconds, on the clock of this process. */
  readonly at: number
}

describe.skipIf(noPostgres)('a cluster whose processes die, sleep, leave and join', () => {
  it(
    `loses nothing, keeps the order of users, counts exactly and lets no regulated user pass, over ${rounds} faults`,
    async () => {
      const dice = createDice(Number(process.env['SLUICE_SEED'] ?? Date.now() % 100_000))
      const arrivals: Arrival[] = []
      receiver = await startReceiver(({ body }) => {
        const { userId, properties } = JSON.parse(body)
        arrivals.push({ userId, n: properties.n, at: performance.now() })
        return 200
      })
      cluster = createTestCluster(receiver.url, leaseSeconds)
      await Promise.all([cluster.start(), cluster.start(), cluster.start()])
      const awake = (): readonly ClusterNode[] => cluster.nodes.filter(({ isAsleep }) => !isAsleep)
      const load = startLoad(dice, awake)
      const answeredAt = new Map<string, number>()

      for (let round = 0; round < rounds; round += 1) {
        await sleep(500 + dice(500))
        const node = awake()[dice(awake().length)]
        if (node === undefined) throw new Error('no process is awake')
        const fault = round < faults.length ? faults[round] : faults[dice(faults.length)]
        await fault?.(node)
        if (round % 2 === 1) await regulate(`u${dice(clients)}-${dice(usersPerClient)}`)
      }
      expect(cluster.crashes).toEqual([])
      await load.end()

      async function regulate(userId: string): Promise<void> {
        for (;;) {
          const node = awake()[dice(awake().length)]
          const answer = await fetch(`http://127.0.0.1:${node?.port}/v2/regulations`, {
            method: 'POST',
            headers: { authorization: basic('me@shop.test', 'token'), 'content-type': 'application/json' },
            body: JSON.stringify({ regulationType: 'suppress', users: [{ userId }] }),
            signal: AbortSignal.timeout(20_000),
          }).catch(() => undefined)
          if (answer?.ok) break
          await sleep(50)
        }
        answeredAt.set(userId, answeredAt.get(userId) ?? performance.now())
      }

      const source = await settledStats()
      const [hook] = source.destinations
      if (hook === undefined) throw new Error('nothing was counted for the destination')

      // Order: the first arrivals of a user are its steps, without a gap.
      const seen = new Map<string, Set<number>>()
      let doubles = 0
      for (const { userId, n, at } of arrivals) {
        const steps = seen.get(userId) ?? new Set()
        seen.set(userId, steps)
        if (steps.has(n)) doubles += 1
        else expect([userId, n]).toEqual([userId, steps.size])
        steps.add(n)
        expect(at, `an event of ${userId} arrived after its regulation was answered`).toBeLessThan(
          answeredAt.get(userId) ?? Number.POSITIVE_INFINITY,
        )
      }
      for (const [userId, count] of load.sent)
        if (!answeredAt.has(userId)) expect([userId, seen.get(userId)?.size]).toEqual([userId, count])
      expect(source.received).toBe(source.accepted + source.suppressed)
      expect(hook.delivered + sum(hook.dropped)).toBe(source.accepted)
      process.stdout.write(`${arrivals.length} arrivals, ${doubles} of them again, over ${rounds} faults\n`)
      // Events that were accepted before their user was regulated may have been observed, or not.
      const observed = await observedEvents()
      const others = [...load.sent].filter(([userId]) => !answeredAt.has(userId))
      expect(observed).toBeLessThanOrEqual(source.accepted)
      expect(observed).toBeGreaterThanOrEqual(others.reduce((total, [, count]) => total + count, 0))
    },
    rounds * roundMs,
  )
})

/** Waits until nothing is on its way. */
async function settledStats(): Promise<SourceStats> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${cluster.nodes[0]?.port}/v1/stats`, {
      headers: { authorization: basic('me@shop.test', 'token') },
    })
    const { workspaces } = (await answer.json()) as { workspaces: readonly { sources: readonly SourceStats[] }[] }
    const source = workspaces[0]?.sources[0]
    if (source?.destinations[0]?.pending === 0) return source
    await sleep(100)
  }
}

/** Waits until the number of observed events no longer changes. */
async function observedEvents(): Promise<number> {
  for (let before = -1; ; ) {
    const [row] = await ask(`select sum(total_count)::int as seen from ${cluster.schema}.event_model`)
    if (row?.['seen'] === before) return before
    before = Number(row?.['seen'])
    await sleep(2_000)
  }
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)

const faults = [
  async (node: ClusterNode) => {
    await cluster.end(node, 'SIGKILL')
    await cluster.start()
  },
  async (node: ClusterNode) => {
    node.isAsleep = true
    node.command.child.kill('SIGSTOP')
    await sleep(leaseSeconds * 1_000 * 1.7)
    node.command.child.kill('SIGCONT')
    node.isAsleep = false
  },
  async (node: ClusterNode) => {
    await cluster.start()
    await cluster.end(node, 'SIGTERM')
  },
  async () => {
    await ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sluice ${cluster.schema}'`,
    )
  },
]
