import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { JsonObject } from '@sluice/core'
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

/** A schema of 40 definitions, each with two references to the one before: a check that follows each would never end. */
const doubling = {
  $defs: {
    d0: { required: ['x'] },
    ...Object.fromEntries(
      many(40, (i) => [`d${i + 1}`, { allOf: [{ $ref: `#/$defs/d${i}` }, { $ref: `#/$defs/d${i}` }] }]),
    ),
  },
  $ref: '#/$defs/d40',
}
const planned = (schema: JsonObject): JsonObject => ({
  name: 'planned',
  trackingPlan: { onViolation: 'mark', events: [{ type: 'track', event: 'Seen', schema }] },
})

/** Calls of one workspace that keep the process busy, with a write key or any scope. */
export const largeCalls: readonly LargeCall[] = [
  ['500 events with new names a call', sent((n) => many(500, (i) => track(n, { event: `New ${n} ${i}` })))],
  ['500 events with new keys a call', sent((n) => many(500, (i) => track(n, { properties: { [`k${n}_${i}`]: 1 } })))],
  [
    '8 events with 1,000 new keys each a call',
    sent((n) =>
      many(8, (i) => track(n, { properties: Object.fromEntries(many(1_000, (key) => [`k${n}_${i}_${key}`, key])) })),
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
    'plans that double forty times',
    {
      call: ({ sluice }, n) =>
        sluice.configuration.change('a', [
          { action: 'create', kind: 'source', id: `planned${n}`, body: planned(doubling) },
        ]),
    },
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
    'queries that would end or silence the process',
    {
      ...inDuckDB,
      async prepare(attacked) {
        await attacked.sluice.ingest('a-key', [track(0, {})])
        await load(attacked)
      },
      call: ({ request }, n) =>
        request('POST', '/v2/warehouses/duck/query', {
          sql:
            n % 2 === 0 ? "call enable_logging('QueryLog')" : "select repeat('x', 900000000) || repeat('y', 900000000)",
        }),
    },
  ],
  [
    'loads of 100 new tables',
    {
      ...inDuckDB,
      async call(attacked, n) {
        await attacked.sluice.ingest(
          'a-key',
          many(100, (i) => track(n, { event: `New ${n} ${i}` })),
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
    'wrong credentials',
    {
      call: ({ refused }, n) =>
        refused(401, '/v1/batch', { batch: [track(n, {})] }, { authorization: `Basic ${btoa(`wrong${n}:`)}` }),
    },
  ],
  [
    'forms of a foreign page',
    {
      call: ({ refused }) =>
        refused(
          403,
          '/v2/regulations',
          { regulationType: 'suppress', users: [{ userId: 'u1' }] },
          { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
        ),
    },
  ],
  [
    'ten servers that pour bytes',
    sent((n) => many(10, (i) => track(n, { userId: `u${n}_${i}` })), {
      destinations: ({ pours }) =>
        many(10, (i) => ({ id: `pours${i}`, type: 'REDIS', settings: { address: `127.0.0.1:${pours}` } })),
    }),
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
