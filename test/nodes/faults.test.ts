import { afterEach, describe, expect, it } from 'vitest'
import type { ClusterNode } from '../support/cluster/cluster.ts'
import { type ClusterScene, startClusterScene } from '../support/cluster/cluster-scene.ts'
import { ask, noPostgres } from '../support/databases/postgres.ts'
import { pause } from '../support/pause.ts'

const rounds = Number(process.env['SLUICE_NODE_ROUNDS'] ?? 6)
const leaseSeconds = 2
/** Longest time of one round, generous for a busy machine. */
const roundMs = 30_000

let scene: ClusterScene | undefined

afterEach(async () => {
  await scene?.close()
})

describe.skipIf(noPostgres)(
  'a cluster whose processes die, sleep, leave and join, and whose clocks jump',
  { retry: 1 },
  () => {
    it(
      `loses nothing, keeps the order of users, counts exactly and lets no regulated user pass, over ${rounds} faults`,
      async () => {
        scene = await startClusterScene({ leaseSeconds, env: { NODE_OPTIONS: `--import ${jumpingClock}` } })
        const { dice, awake, regulate, audit } = scene
        for (let round = 0; round < rounds; round += 1) {
          await scene.moreArrives(20 + dice(20))
          const fault = round < faults.length ? faults[round] : faults[dice(faults.length)]
          await fault?.(awake(), scene)
          if (round % 2 === 1) await regulate()
        }
        await audit(rounds)
        expect(scene.cluster.nodes).toHaveLength(3)
      },
      rounds * roundMs,
    )
  },
)

const jumpingClock = new URL('../support/processes/jumping-clock.mjs', import.meta.url).href

const faults: readonly ((node: ClusterNode, scene: ClusterScene) => Promise<void>)[] = [
  async (node, { cluster }) => {
    await cluster.end(node, 'SIGKILL')
    await cluster.start()
  },
  async (node) => {
    node.isAsleep = true
    node.command.child.kill('SIGSTOP')
    await pause(leaseSeconds * 1_000 * 1.7, 'it sleeps until others have its lanes')
    node.command.child.kill('SIGCONT')
    node.isAsleep = false
  },
  async (node, { cluster }) => {
    await cluster.start()
    await cluster.end(node, 'SIGTERM')
  },
  async (_, { cluster }) => {
    await ask(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sluice ${cluster.schema}'`,
    )
  },
  async (node) => {
    // An hour ahead, and at the next time an hour back.
    node.command.child.kill('SIGUSR2')
  },
]
