import { describe, expect, it } from 'vitest'
import { hangMs } from '../support/hang-ms.ts'
import { sized } from '../support/long.ts'
import { SimulatedCluster } from '../support/protocol/simulated-cluster.ts'
import { calm, type Network } from '../support/protocol/simulated-process.ts'
import { runSeed } from '../support/seed.ts'

/** What happens in a run: some act now and then, at random. */
type Act = (cluster: SimulatedCluster) => unknown

const acts = {
  dies: ({ one }) => one?.kill(),
  leaves: ({ one }) => one?.leave(),
  starts: (cluster) => {
    if (cluster.living.length < 5) cluster.start()
  },
  pauses: ({ one, world }) => one?.freeze(world.between(100, 15_000), false),
  sleeps: ({ one, world }) => one?.maySleep && one.freeze(world.between(100, 60_000), true),
  jumps: ({ one, world }) => one?.maySleep || one?.jump(world.between(-10_000, 10_000)),
  changes: ({ one }) => one?.change(),
  isCutOff: (cluster) => throughNetwork(cluster, { lost: 1, unanswered: 0, slow: 0 }),
  losesAnswers: (cluster) => throughNetwork(cluster, { lost: 0, unanswered: 0.5, slow: 0 }),
  isSlow: (cluster) => throughNetwork(cluster, { lost: 0, unanswered: 0, slow: 0.6 }),
  recovers: (cluster) => throughNetwork(cluster, calm),
  databaseStops: ({ database, world }) => {
    const milliseconds = world.between(100, 12_000)
    world.tell(`the database is gone for ${milliseconds} ms`)
    database.goneUntil = world.now + milliseconds
  },
} satisfies Record<string, Act>

function throughNetwork({ one, world }: SimulatedCluster, network: Network): void {
  if (one === undefined) return
  one.network = network
  world.tell(`the network of ${one.name} is now ${JSON.stringify(network)}`)
}

/** Stories, and what happens in them; what is named twice happens twice as often. */
const stories: Readonly<Record<string, readonly (keyof typeof acts)[]>> = {
  'processes come, leave and die': ['starts', 'starts', 'leaves', 'dies', 'changes'],
  'processes are paused for longer than their leases, and machines sleep': ['pauses', 'sleeps', 'jumps', 'changes'],
  'answers of the database are lost': ['losesAnswers', 'losesAnswers', 'recovers', 'starts', 'leaves', 'changes'],
  'processes are cut off from the database, and it answers slowly': [
    'isCutOff',
    'isSlow',
    'recovers',
    'recovers',
    'changes',
  ],
  'the database goes and comes back': ['databaseStops', 'starts', 'dies', 'changes'],
  'everything happens at once': Object.keys(acts) as (keyof typeof acts)[],
}

/** Things that happen in a run. */
const actsMax = 20
/** Runs of each story. */
const runs = sized(20, Math.ceil(10_000 / Object.keys(stories).length))

/** Runs a story. @returns what happened when a promise was broken. */
async function run(seed: number, happens: readonly (keyof typeof acts)[]): Promise<readonly string[] | undefined> {
  const cluster = new SimulatedCluster(seed)
  const { world } = cluster
  for (let started = 0; started < 3; started += 1) cluster.start()
  for (let act = 0; act < actsMax && world.wrong.length === 0; act += 1) {
    await world.pass(world.between(50, 3_000))
    for (let appended = 0; appended < 3; appended += 1) cluster.append()
    const name = world.oneOf(happens)
    if (name) void acts[name](cluster)
  }
  await cluster.settle()
  return world.wrong.length > 0 ? world.story : undefined
}

/**
 * The real protocol of members over a simulated database, network and time. At every moment: only the owner of a lane sends its
 * batches and stores what it has made of them; what a process sends has all changes that were answered. In the end: every lane
 * has one owner, nothing is left, everything serves.
 */
describe('the protocol of lanes keeps its promises when', () => {
  for (const [story, happens] of Object.entries(stories))
    it(`${story}, ${runs} times from seed ${runSeed} on`, { timeout: sized(hangMs, 1_800_000) }, async () => {
      for (let seed = runSeed; seed < runSeed + runs; seed += 1) {
        const broken = await run(seed, happens)
        if (broken) expect.fail(`SLUICE_SEED=${seed} repeats it\n${broken.join('\n')}`)
      }
    })
})
