import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Sluice } from 'sluice'
import { type Attacked, type BesideCalls, webhook } from './beside-calls.ts'

export type LargeCall = readonly [name: string, attack: BesideCalls]

/** Calls that are made before: what they cost their sender is not asked here. */
const madeBefore = 30

const track = (n: number, more: object) => ({ type: 'track', event: 'Seen', userId: `u${n}`, ...more })
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))

/** Sends what `bodyOf` gives under the public write key. */
function sent(bodyOf: (n: number) => readonly unknown[], more: Partial<BesideCalls> = {}): BesideCalls {
  const bodies: (readonly unknown[])[] = []
  return {
    ...more,
    prepare: async () => void bodies.push(...many(madeBefore, bodyOf)),
    call: ({ sluice }, n) => sluice.ingest('a-key', bodies[n % madeBefore] ?? []),
  }
}

type Changes = Parameters<Sluice['configuration']['change']>[1]

const sources = (start: number, count: number, name: string | number): Changes =>
  many(count, (i) => ({ action: 'create', kind: 'source', id: `s${start + i}`, body: { name } }))

async function create40000Records({ sluice }: Attacked): Promise<void> {
  for (let start = 0; start < 40_000; start += 5_000)
    assert.ok((await sluice.configuration.change('a', sources(start, 5_000, 'many'))).ok)
}

const giantText = 'write to ann@example.test or call +1 415 555 2671; '.repeat(24_000)

const inDuckDB: Pick<BesideCalls, 'destinations'> = {
  destinations: (_, folder) => [
    { id: 'duck', type: 'DUCKDB', settings: { path: join(folder, 'a.duckdb'), syncSeconds: 3_600 } },
  ],
}
const load = ({ request }: Attacked): Promise<string> => request('POST', '/v2/warehouses/duck/sync', {})

const uniqueItems = {
  trackingPlan: {
    onViolation: 'mark',
    events: [
      {
        type: 'track',
        event: 'Seen',
        schema: { properties: { properties: { properties: { list: { uniqueItems: true } } } } },
      },
    ],
  },
}

/** Calls of one workspace that keep the process busy, with a write key or any scope. */
export const largeCalls: readonly LargeCall[] = [
  ['500 events with new names a call', sent((n) => many(500, (i) => track(n, { event: `New ${n} ${i}` })))],
  ['500 events with new keys a call', sent((n) => many(500, (i) => track(n, { properties: { [`k${n}_${i}`]: 1 } })))],
  [
    '80 events with 1,000 new keys each a call',
    sent((n) =>
      many(80, (i) => track(n, { properties: Object.fromEntries(many(1_000, (key) => [`k${n}_${i}_${key}`, key])) })),
    ),
  ],
  ['texts of 1.2 MB', sent((n) => [track(n, { properties: { text: giantText } })])],
  ['19,000 tiny events a call', sent((n) => many(n < 8 ? 19_000 : 1, () => track(n, {})))],
  [
    '200 events for 50 destinations a call',
    sent((n) => many(200, () => track(n, {})), {
      destinations: ({ answers }) => many(50, (i) => webhook(`hook${i}`, `${answers}a`)),
    }),
  ],
  [
    'a plan with uniqueItems, and lists of 8,000 objects',
    sent((n) => [track(n, { properties: { list: many(8_000, (i) => ({ i })) } })], { source: uniqueItems }),
  ],
  [
    '5,000 malformed changes a call',
    { call: ({ sluice }) => sluice.configuration.change('a', sources(0, 5_000, 5), { validateOnly: true }) },
  ],
  [
    'changes of a workspace with 40,000 records',
    {
      prepare: create40000Records,
      call: ({ sluice }, n) => sluice.configuration.change('a', sources(40_000 + n, 1, 'one')),
    },
  ],
  [
    'queries for lists of 3,000,000 values',
    {
      ...inDuckDB,
      async prepare(attacked) {
        await attacked.sluice.ingest('a-key', [track(0, {})])
        await load(attacked)
      },
      call: ({ request }) =>
        request('POST', '/v2/warehouses/duck/query', { sql: 'select list(i) from range(3000000) t(i)' }),
    },
  ],
  [
    'loads of 300 new tables',
    {
      ...inDuckDB,
      async call(attacked, n) {
        await attacked.sluice.ingest(
          'a-key',
          many(300, (i) => track(n, { event: `New ${n} ${i}` })),
        )
        await load(attacked)
      },
    },
  ],
  [
    'sign-ins of one token',
    { call: ({ request }) => request('POST', '/studio/session', { token: 'a-token' }, { 'x-sluice-studio': '1' }) },
  ],
  [
    '100 destinations that accept connections, and never answer',
    sent((n) => many(10, (i) => track(n, { userId: `u${n}_${i}` })), {
      destinations: ({ blackHole }) =>
        many(100, (i) =>
          i % 2 === 0
            ? webhook(`hole${i}`, `http://127.0.0.1:${blackHole}/${i}`)
            : { id: `hole${i}`, type: 'REDIS', settings: { address: `127.0.0.1:${blackHole}` } },
        ),
    }),
  ],
  [
    'reports of a user among 19,000 events',
    {
      prepare: ({ sluice }) =>
        sluice.ingest(
          'a-key',
          many(19_000, (i) => track(i % 7, {})),
        ),
      call: ({ request }) => request('GET', '/v2/users/u1/report'),
    },
  ],
  [
    'deletions of 100 users a call',
    {
      call: ({ request }, n) =>
        request('POST', '/v2/regulations', {
          regulationType: 'suppress_with_delete',
          users: many(100, (i) => ({ userId: `u${n}_${i}` })),
        }),
    },
  ],
]
