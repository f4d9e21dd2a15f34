import { randomUUID } from 'node:crypto'
import type { Event } from '@sluice/core'
import { kafka } from '@sluice/destinations'
import { afterEach, describe, expect, it } from 'vitest'
import { type KafkaBehaviour, kafkaErrors, startKafkaBroker } from '../support/brokers/kafka-broker.ts'
import { noKafkaCluster, startKafkaCluster } from '../support/brokers/kafka-cluster.ts'
import { startTcpServer } from '../support/brokers/tcp-server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/http/free-port.ts'
import { type DeliveryOptions, openDelivery } from '../support/scenes/deliver-events.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

function opened(given: object, options: DeliveryOptions = {}) {
  const delivery = openDelivery(kafka, given, options)
  cleanups.push(() => delivery.close())
  return delivery
}

async function broker(isInvalid: (id: string) => boolean = () => false, behaviour: KafkaBehaviour = {}) {
  const started = await startKafkaBroker(isInvalid, behaviour)
  cleanups.push(() => started.close())
  return started
}

const order = (index: number, userId = 'u1', event = 'Order Completed'): Event => ({
  type: 'track',
  event,
  messageId: `m${index}-${userId}`,
  userId,
  properties: { index },
})
const orders = Array.from({ length: 60 }, (_, index) => order(index, `u${index % 7}`))

describe.skipIf(noKafkaCluster())('a Kafka cluster', () => {
  for (const compression of ['none', 'gzip'] as const)
    it(`stores each event once, those of a user in order and in one partition (compression ${compression})`, async () => {
      const topic = `sluice-${randomUUID()}`
      const cluster = await startKafkaCluster(topic)
      cleanups.push(() => cluster.close())
      const delivery = opened({ hostName: cluster.brokers, topic, compression })
      expect(await delivery.send(orders)).toEqual(orders.map(() => 200))
      await eventually(() => cluster.messages.length).toBe(orders.length)
      const byUser = new Map<string, { partitions: Set<number>; indexes: number[] }>()
      for (const { key, partition, payload } of cluster.messages) {
        const known = byUser.get(String(key)) ?? { partitions: new Set<number>(), indexes: [] }
        byUser.set(String(key), known)
        known.partitions.add(partition)
        known.indexes.push((JSON.parse(payload) as { properties: { index: number } }).properties.index)
      }
      expect(byUser.size).toBe(7)
      for (const { partitions, indexes } of byUser.values()) {
        expect(partitions.size).toBe(1)
        expect(indexes).toEqual([...indexes].sort((a, b) => a - b))
      }
    })
})

interface Failure {
  readonly what: string
  readonly says: readonly string[]
  settings(): Promise<object>
  readonly allow?: readonly string[]
}

const refused = 'deliver.refused'
const retried = 'deliver.unavailable'
const failing = (code: number) => async () => ({
  hostName: (await broker(undefined, { topicError: () => code })).address,
})

const failures: readonly Failure[] = [
  {
    what: 'a topic that the user may not write to',
    settings: failing(kafkaErrors.topicAuthorization),
    says: [refused, 'the user may not write to the topic (TOPIC_AUTHORIZATION_FAILED)'],
  },
  {
    what: 'a name that is none of a topic',
    settings: failing(kafkaErrors.invalidTopic),
    says: [refused, 'the name of the topic is invalid (INVALID_TOPIC_EXCEPTION)'],
  },
  {
    what: 'a topic that does not exist',
    settings: failing(kafkaErrors.unknownTopic),
    says: [retried, 'the topic does not exist (UNKNOWN_TOPIC_OR_PARTITION)'],
  },
  {
    what: 'wrong credentials, also without TLS',
    settings: async () => ({
      hostName: (await broker()).address,
      useSASL: true,
      username: 'u',
      password: 'not-this-one',
    }),
    says: [refused, 'The credentials are wrong.'],
  },
  {
    what: 'a port where none listens',
    settings: async () => ({ hostName: `127.0.0.1:${await freePort()}` }),
    says: [retried, 'ECONNREFUSED'],
  },
  {
    what: 'a broker without TLS',
    settings: async () => {
      const server = await startTcpServer((socket) => socket.end('no TLS'))
      cleanups.push(() => server.close())
      return { hostName: server.address, sslEnabled: true }
    },
    says: [retried, 'ERR_SSL'],
  },
  {
    what: 'an announced broker whose address is not allowed',
    settings: async () => ({
      hostName: (await broker(undefined, { announced: { host: '10.9.9.9', port: 9092 } })).address,
    }),
    says: [refused, 'not a public address'],
  },
  {
    what: 'a first broker whose address is not allowed',
    settings: async () => ({ hostName: '127.0.0.1:9092' }),
    allow: [],
    says: [refused, 'not a public address'],
  },
]

describe('a failure of Kafka is reported by its cause:', () => {
  for (const { what, says, settings, allow } of failures)
    it(what, async () => {
      const delivery = opened({ topic: 'a', ...(await settings()) }, allow ? { allow } : {})
      const [outcome] = await delivery.send([order(1)])
      for (const text of says) expect(outcome).toContain(text)
    })
})

describe('a batch for several partitions', () => {
  it('with one message that is too large is stored once without it', async () => {
    const large = 'm17-u3'
    const started = await broker((id) => id === large, { partitions: 5, batchError: kafkaErrors.messageTooLarge })
    const outcomes = await opened({ hostName: started.address, topic: 'a' }).send(orders)
    expect(outcomes).toEqual(
      orders.map(({ messageId }) => (messageId === large ? expect.stringContaining('MESSAGE_TOO_LARGE') : 200)),
    )
    expect(started.stored.flat().sort()).toEqual(
      orders.flatMap(({ messageId }) => (messageId === large ? [] : [String(messageId)])).sort(),
    )
  })
})

describe('messages after one that a broker cannot store now', () => {
  const late = Array.from({ length: 9 }, (_, index) => order(index + 1, 'late'))
  const { notLeader, messageTooLarge } = kafkaErrors

  it('wait for it when it was the first of its topic, so that those of a user stay in order', async () => {
    const once = new Set(['m1-late'])
    const started = await broker((id) => once.delete(id), { batchError: notLeader })
    const delivery = opened({ hostName: started.address, topic: 'a' }, { attemptsMax: 3 })
    expect(await delivery.send(late)).toEqual(late.map(() => 200))
    expect(started.stored.flat()).toEqual(late.map(({ messageId }) => messageId))
  })

  it('wait for it when a too large one was searched for', async () => {
    const large = 'm8-late'
    const once = new Set(['m1-late'])
    const started = await broker(undefined, {
      errorOf: (ids) => {
        if (ids.includes(large)) return messageTooLarge
        return ids.some((id) => once.delete(id)) ? notLeader : 0
      },
    })
    const delivery = opened({ hostName: started.address, topic: 'a' }, { attemptsMax: 3 })
    await delivery.send([order(0, 'early')])
    expect(await delivery.send(late)).toEqual(
      late.map(({ messageId }) => (messageId === large ? expect.stringContaining('MESSAGE_TOO_LARGE') : 200)),
    )
    expect(started.stored.flat().slice(1)).toEqual(
      late.flatMap(({ messageId }) => (messageId === large ? [] : [String(messageId)])),
    )
  })
})

describe('a topic', () => {
  it('that is deleted and made again gets each event once, in order, when it is there', async () => {
    let isThere = true
    const started = await broker(undefined, {
      topicError: () => (isThere ? 0 : kafkaErrors.unknownTopic),
      errorOf: () => (isThere ? 0 : kafkaErrors.unknownTopic),
    })
    const delivery = opened({ hostName: started.address, topic: 'a' })
    expect(await delivery.send([order(1)])).toEqual([200])
    isThere = false
    for (const round of [1, 2])
      expect(await delivery.send([order(round), order(3)])).toEqual([
        expect.stringContaining('the topic does not exist'),
        expect.stringContaining('the topic does not exist'),
      ])
    isThere = true
    expect(await delivery.send([order(2), order(3)])).toEqual([200, 200])
    expect(started.stored.flat()).toEqual(['m1-u1', 'm2-u1', 'm3-u1'])
  })

  it('is one of as many as there are: more than have a producer at a time all get their events', async () => {
    const started = await broker()
    const names = Array.from({ length: 50 }, (_, n) => `Event ${n}`)
    const eventToTopicMap = names.map((from, n) => ({ from, to: `topic-${n}` }))
    const delivery = opened({ hostName: started.address, topic: 'a', enableMultiTopic: true, eventToTopicMap })
    const events = [1, 2, 3].flatMap((round) => names.map((name, n) => order(round, `u${n}`, name)))
    expect(await delivery.send(events)).toEqual(events.map(() => 200))
    expect(started.stored.flat().sort()).toEqual(events.map(({ messageId }) => String(messageId)).sort())
  })
})

describe('topics of one cluster and user', () => {
  it('do not harm each other: what one refuses, the others store once', async () => {
    const started = await broker(undefined, {
      topicError: (topic) => (topic === 'forbidden' ? kafkaErrors.topicAuthorization : 0),
    })
    const settings = { hostName: started.address, topic: 'allowed' }
    const table = [{ from: 'Forbidden', to: 'forbidden' }]
    const delivery = opened({ ...settings, enableMultiTopic: true, eventToTopicMap: table })
    const mixed = Array.from({ length: 40 }, (_, n) => order(n, `u${n}`, n % 4 === 0 ? 'Forbidden' : 'Allowed'))
    const rounds = await Promise.all(mixed.map((event) => delivery.send([event])))
    expect(rounds.flat()).toEqual(mixed.map((_, n) => (n % 4 === 0 ? expect.stringContaining(refused) : 200)))
    expect(started.stored.flat().sort()).toEqual(
      mixed.flatMap(({ messageId }, n) => (n % 4 === 0 ? [] : [String(messageId)])).sort(),
    )
  })
})
