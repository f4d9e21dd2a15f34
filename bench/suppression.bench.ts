import assert from 'node:assert/strict'
import { type Random, systemClock, systemRandom } from '@sluice/core'
import { createSuppressionIndex, type RegulationStore, type SuppressionIndex } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import bloomFilters from 'bloom-filters'
import { type BenchCase, type Figure, type OpenCase, runBench } from './bench-kit.ts'
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

async function openIndex(users: number, isHit: boolean): Promise<OpenCase> {
  const index = await loaded(users)
  const known = Array.from({ length: Math.min(users, 100_000) }, (_, n) =>
    userOf(Math.floor((n * users) / Math.min(users, 100_000))),
  )
  const ids = isHit ? known : strangers
  return {
    events: batchSize,
    check: async () => assert.ok((await index.check(questions(ids))).every((suppressed) => suppressed === isHit)),
    run: async () => void (await index.check(questions(ids))),
  }
}

/** A peer that answers one id at a time. */
function openPeer(make: (users: number) => (id: string) => boolean, users: number): OpenCase {
  const has = make(users)
  return {
    events: batchSize,
    check: () => assert.equal(users === 0 || has(userOf(users - 1)), true),
    run: () => {
      let found = 0
      for (const { userId } of questions(strangers)) if (has(userId)) found += 1
      assert.ok(found < batchSize)
    },
  }
}

const peers: Readonly<Record<string, (users: number) => (id: string) => boolean>> = {
  'a Set': (users) => {
    const set = new Set<string>()
    for (let n = 0; n < users; n += 1) set.add(`${workspaceId}/${userOf(n)}`)
    return (id) => set.has(`${workspaceId}/${id}`)
  },
  'a Map of Sets': (users) => {
    const set = new Set<string>()
    for (let n = 0; n < users; n += 1) set.add(userOf(n))
    const map = new Map([[workspaceId, set]])
    return (id) => map.get(workspaceId)?.has(id) === true
  },
  'bloom-filters, 1 % errors': (users) => {
    const filter = bloomFilters.BloomFilter.create(Math.max(1, users), 0.01)
    for (let n = 0; n < users; n += 1) filter.add(userOf(n))
    return (id) => filter.has(id)
  },
}
/** A Set of JavaScript ends at 2^24 entries, and the bloom filter takes minutes. */
const peerUsersMax = 1_000_000

/** What the process takes more at most while the index grows, by user. */
function memoryFigure(users: number): Figure {
  return {
    name: `index of ${users} users, process memory for each, at most while growing`,
    unit: 'bytes',
    goal: 'at most 12 with 20 million',
    measure: async () => {
      globalThis.gc?.()
      const before = process.memoryUsage.rss()
      let peak = before
      const timer = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss())
      }, 5)
      const index = await loaded(users)
      clearInterval(timer)
      assert.equal(index.size, users)
      return (Math.max(peak, process.memoryUsage.rss()) - before) / users
    },
  }
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
        .map((users) => ({
          name: `peer: ${name}, ${label(users)} users, misses`,
          open: () => openPeer(make, users),
        })),
    ),
  ],
  [memoryFigure(usersMax)],
)
