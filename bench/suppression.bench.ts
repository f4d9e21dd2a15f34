import assert from 'node:assert/strict'
import { type Random, systemClock, systemRandom } from '@sluice/core'
import { createSuppressionIndex, type RegulationStore, type SuppressionIndex } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import bloomFilters from 'bloom-filters'
import type { BenchCase, OpenCase } from './bench-case.ts'
import { type Figure, runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'

const workspaceId = 'workspace-1'
const batchSize = 200
/** Users of the largest case; `--users` of the command. */
const usersMax = Number(process.env['BENCH_USERS'] ?? 1_000_000)
const sizes = [...new Set([0, 1_000, 1_000_000, usersMax])].filter((size) => size <= usersMax)

const userOf = (n: number): string => `user-${n.toString(36)}-of-shop`

/** A store that only tells changes: the records of millions of regulations are not what is measured here. */
function changesOf(users: number): RegulationStore {
  const { regulations } = createMemoryStore({ clock: systemClock, random: systemRandom })
  return {
    ...regulations,
    changes: async (after, limit) =>
      Array.from({ length: Math.max(0, Math.min(limit, users - after)) }, (_, i) => ({
        position: after + i + 1,
        workspaceId,
        userId: userOf(after + i),
        delta: 1,
      })),
    activeAt: async () => users,
    hasFurtherKeys: async () => false,
    activeOf: async (_, userIds) => userIds.flatMap((userId) => ({ ...regulation, attributes: { userId } })),
    index: { ...regulations.index, write: async () => {}, settle: async () => {} },
  }
}

const regulation = {
  id: 'r',
  workspaceId,
  canceled: false,
  regulationType: 'suppress',
  sourceIds: [],
  destinationIds: [],
  createdAt: '2026-01-01T00:00:00.000Z',
} as const

async function loaded(users: number, random: Random = systemRandom): Promise<SuppressionIndex> {
  const index = createSuppressionIndex({ store: changesOf(users), clock: systemClock, random })
  await index.catchUp()
  return index
}

const strangers = Array.from({ length: 100_000 }, (_, n) => `stranger-${n}-of-shop`)
let turn = 0
/** Other ids at each call: the same few would stay in the cache. */
function questions(ids: readonly string[]) {
  turn += 1
  return Array.from({ length: batchSize }, (_, i) => ({
    workspaceId,
    sourceId: 's',
    userId: ids[(turn * batchSize + i) % ids.length] ?? '',
  }))
}

/** Users that are suppressed, from all of them. */
function knownOf(users: number): readonly string[] {
  const length = Math.min(users, 100_000)
  return Array.from({ length }, (_, n) => userOf(Math.floor((n * users) / length)))
}

async function openIndex(users: number, isHit: boolean): Promise<OpenCase> {
  const index = await loaded(users)
  const ids = isHit ? knownOf(users) : strangers
  return {
    events: batchSize,
    check: async () => assert.ok((await index.check(questions(ids))).every((suppressed) => suppressed === isHit)),
    run: async () => void (await index.check(questions(ids))),
  }
}

/** Answers one id at a time. */
type Peer = (id: string) => boolean

async function openPeer(make: (users: number) => Promise<Peer>, users: number, isHit: boolean): Promise<OpenCase> {
  const has = await make(users)
  const ids = isHit ? knownOf(users) : strangers
  const run = (): void => {
    let found = 0
    for (const { userId } of questions(ids)) if (has(userId)) found += 1
    // A bloom filter finds some it does not have.
    assert.ok(isHit ? found === batchSize : found < batchSize)
  }
  return { events: batchSize, check: run, run }
}

/** Lets others have a turn now and then, as the index does while it grows: the memory is watched meanwhile. */
async function addUsers(users: number, add: (userId: string) => void): Promise<void> {
  for (let n = 0; n < users; n += 1) {
    add(userOf(n))
    if (n % 2_000 === 0) await new Promise((resolve) => setTimeout(resolve, 0))
  }
}

const peers: Readonly<Record<string, (users: number) => Promise<Peer>>> = {
  'a Set': async (users) => {
    const set = new Set<string>()
    await addUsers(users, (userId) => set.add(`${workspaceId}/${userId}`))
    return (id) => set.has(`${workspaceId}/${id}`)
  },
  'a Map of Sets': async (users) => {
    const set = new Set<string>()
    await addUsers(users, (userId) => set.add(userId))
    const map = new Map([[workspaceId, set]])
    return (id) => map.get(workspaceId)?.has(id) === true
  },
  'bloom-filters, 1 % errors': async (users) => {
    const filter = bloomFilters.BloomFilter.create(Math.max(1, users), 0.01)
    await addUsers(users, (userId) => filter.add(userId))
    return (id) => filter.has(id)
  },
}
/** A Set of JavaScript ends at 2^24 entries, and the bloom filter takes minutes. */
const peerUsersMax = 1_000_000

/**
 * What the process takes more at most while something grows, by user. With a million users tens of megabytes of it are
 * what every process takes that makes so many ids; with 20 million that hardly counts.
 * @param grow answers whether a user is in it.
 */
async function bytesPerUser(users: number, grow: () => Promise<(userId: string) => boolean | Promise<boolean>>) {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const has = await grow()
  clearInterval(timer)
  peak = Math.max(peak, process.memoryUsage.rss())
  assert.ok(await has(userOf(users - 1)))
  return (peak - before) / users
}

function memoryFigures(): readonly Figure[] {
  const of = (name: string, users: number) =>
    `${name} of ${label(users)} users, process memory for each, at most while growing`
  const ofIndex = [...new Set([peerUsersMax, usersMax])].filter((users) => users <= usersMax)
  return [
    ...ofIndex.map((users) => ({
      name: of('index', users),
      unit: 'bytes',
      goal: 'at most 12 with 20 million',
      measure: () =>
        bytesPerUser(users, async () => {
          const index = await loaded(users)
          assert.equal(index.size, users)
          return async (userId) => (await index.check([{ workspaceId, sourceId: 's', userId }]))[0] === true
        }),
    })),
    ...Object.entries(peers).map(([name, make]) => ({
      name: of(`peer: ${name}`, peerUsersMax),
      unit: 'bytes',
      goal: 'none, to compare with',
      measure: () => bytesPerUser(peerUsersMax, () => make(peerUsersMax)),
    })),
  ]
}

const label = (users: number): string => users.toLocaleString('en')

await runBench(
  'What does it cost to ask whether a user is suppressed?',
  (_corpus: Corpus): readonly BenchCase[] => [
    ...sizes.map((users) => ({ name: `index, ${label(users)} users, misses`, open: () => openIndex(users, false) })),
    ...sizes
      .filter((users) => users > 0)
      .map((users) => ({
        name: `index, ${label(users)} users, hits, verified in memory`,
        open: () => openIndex(users, true),
      })),
    ...Object.entries(peers).flatMap(([name, make]) =>
      sizes
        .filter((users) => users <= peerUsersMax)
        .flatMap((users) => [
          { name: `peer: ${name}, ${label(users)} users, misses`, open: () => openPeer(make, users, false) },
          ...(users > 0
            ? [{ name: `peer: ${name}, ${label(users)} users, hits`, open: () => openPeer(make, users, true) }]
            : []),
        ]),
    ),
  ],
  memoryFigures(),
)
