import { type DeletionExample, type DestinationExample, instrumentationError, sink } from '../../kit/index.ts'

const identify = {
  type: 'identify',
  userId: 'u1',
  traits: { name: 'Ann', plan: null, address: { city: 'Ulm', geo: {} }, tags: ['a', 'b'], age: 40 },
  context: { traits: { name: 'A.', isActive: true } },
}

/** The examples of the Redis destination. */
export const redisExamples: readonly DestinationExample[] = [
  {
    title: 'the traits of a user become the fields of a hash, nested ones with dotted names',
    event: identify,
    settings: { address: 'localhost:6379' },
    requests: [
      sink({
        method: 'POST',
        endpoint: 'redis://localhost:6379/0',
        body: {
          commands: [
            [
              ...['HSET', 'user:u1', 'name', 'Ann', 'isActive', 'true', 'plan', ''],
              ...['address.city', 'Ulm', 'address.geo', '{}', 'tags', '["a","b"]', 'age', '40'],
            ],
          ],
        },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'the key has a prefix, the password is a header, and the database is part of the address',
    event: { type: 'identify', userId: 7, context: { traits: { name: 'Ann' } } },
    settings: { address: 'cache.test', secure: true, password: 'secret', database: '2', prefix: ' shop ' },
    requests: [
      sink({
        method: 'POST',
        endpoint: 'rediss://cache.test/2',
        headers: { authorization: 'Basic ZGVmYXVsdDpzZWNyZXQ=' },
        body: { commands: [['HSET', 'shop:user:7', 'name', 'Ann']] },
        userId: '7',
      }),
    ],
  },
  {
    title: 'a cluster has several nodes and no databases',
    event: { type: 'identify', userId: 'u1', traits: { name: 'Ann' } },
    settings: { address: 'a.test:7000, b.test:7001', clusterMode: true, database: '2' },
    requests: [
      sink({
        method: 'POST',
        endpoint: 'redis://a.test:7000/0',
        params: { clusterMode: true, moreNodes: ['b.test:7001'] },
        body: { commands: [['HSET', 'user:u1', 'name', 'Ann']] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'with the JSON module the traits are merged into a document',
    event: { type: 'identify', userId: 'u1', traits: { address: { city: 'Ulm' } } },
    settings: { address: 'localhost:6379', useJSONModule: true },
    requests: [
      sink({
        method: 'POST',
        endpoint: 'redis://localhost:6379/0',
        body: { commands: [['JSON.MERGE', 'user:u1', '$', '{"address":{"city":"Ulm"}}']] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'nothing is stored for a user without traits',
    event: { type: 'identify', userId: 'u1' },
    settings: { address: 'localhost:6379' },
    requests: [],
  },
  {
    title: 'a user without a userId cannot be stored',
    event: { type: 'identify', anonymousId: 'a1', traits: { name: 'Ann' } },
    settings: { address: 'localhost:6379' },
    error: instrumentationError('userId is missing: users are stored by it'),
  },
]

export const redisDeletionExample: DeletionExample = {
  title: 'the hash of each user is deleted',
  users: [{ userId: 'u1' }, { userId: 'u2', email: 'u2@shop.test' }],
  settings: { address: 'localhost:6379' },
  requests: [
    sink({
      method: 'POST',
      endpoint: 'redis://localhost:6379/0',
      body: {
        commands: [
          ['DEL', 'user:u1'],
          ['DEL', 'user:u2'],
        ],
      },
    }),
  ],
}
