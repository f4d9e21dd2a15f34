import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect as connectNats } from '@nats-io/transport-node'
import { createClient } from '@redis/client'
import type { Event } from '@sluice/core'
import { type DestinationDefinition, mqtt, nats, rabbitmq, redisStreams } from '@sluice/destinations'
import { connect as connectRabbitmq } from 'amqplib'
import { connectAsync } from 'mqtt'
import { afterEach, describe, expect, it } from 'vitest'
import { noBroker } from '../support/brokers/broker.ts'
import { noRedisServer, startRedisServer } from '../support/brokers/redis-server.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/http/free-port.ts'
import { type Delivery, type DeliveryOptions, openDelivery } from '../support/scenes/deliver-events.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const order = (index: number, userId = 'u1'): Event => ({
  type: 'track',
  event: 'Order Completed',
  messageId: `m${index}-${userId}`,
  userId,
  properties: { index },
})

/** Delivers events over the real transport; returns a status or the first words of an error for each. */
function deliver(
  definition: DestinationDefinition,
  given: object,
  events: readonly Event[],
  options: DeliveryOptions = {},
): Promise<readonly (number | string)[]> {
  return delivering(definition, given, options)(events)
}

/** Returns a function that delivers events, over the same connections each time. */
function delivering(definition: DestinationDefinition, given: object, options: DeliveryOptions = {}): Delivery['send'] {
  const delivery = openDelivery(definition, given, options)
  cleanups.push(() => delivery.close())
  return delivery.send
}

/** A server that passes everything on to a port of localhost, and can cut all connections. */
async function proxyTo(port: number) {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) sockets.add(socket.on('error', () => socket.destroy()))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  cleanups.push(() => {
    cut()
    return new Promise((resolve) => server.close(resolve))
  })
  return { address: `localhost:${(server.address() as AddressInfo).port}`, cut }
}

const orders = Array.from({ length: 40 }, (_, index) => order(index, `u${index % 3}`))
const taken = orders.map(() => 200)

/** The indexes of the messages of each user, in the order in which they were read. */
function orderByUser(messages: readonly Event[]): Readonly<Record<string, readonly unknown[]>> {
  const users: Record<string, unknown[]> = {}
  for (const { userId, properties } of messages) {
    const { index } = properties as { readonly index: number }
    users[String(userId)] = [...(users[String(userId)] ?? []), index]
  }
  return users
}

const noNats = await noBroker('NATS', 4222)
describe.skipIf(noNats)('NATS', () => {
  async function streamOf(subject: string) {
    const connection = await connectNats({ servers: '127.0.0.1:4222' })
    cleanups.push(() => connection.close())
    const manager = await jetstreamManager(connection)
    const name = `sluice-${randomUUID()}`
    await manager.streams.add({ name, subjects: [subject] })
    cleanups.push(() => manager.streams.delete(name))
    return {
      async messages(): Promise<readonly Event[]> {
        const { state } = await manager.streams.info(name)
        const consumer = await jetstream(connection).consumers.get(name, { deliver_policy: 'all' as never })
        const batch = await consumer.fetch({ max_messages: Math.max(1, state.messages), expires: 2_000 })
        const read: Event[] = []
        for await (const message of batch) {
          read.push(message.json())
          if (read.length === state.messages) break
        }
        return read
      },
    }
  }

  it('stores events in a stream, in order per user', async () => {
    const root = randomUUID()
    const stream = await streamOf(`${root}.>`)
    const settings = { servers: 'localhost:4222', subject: `${root}.{{ type }}` }
    expect(await deliver(nats, settings, orders)).toEqual(taken)
    expect(orderByUser(await stream.messages())).toEqual(orderByUser(orders))
  })

  it('stores an event once that is sent twice', async () => {
    const root = randomUUID()
    const stream = await streamOf(`${root}.>`)
    const settings = { servers: 'localhost', subject: `${root}.a` }
    await deliver(nats, settings, [order(1)])
    await deliver(nats, settings, [order(1)])
    expect(await stream.messages()).toHaveLength(1)
  })

  it('refuses only the events that no stream stores', async () => {
    const root = randomUUID()
    await streamOf(`${root}.track`)
    const settings = { servers: 'localhost', subject: `${root}.{{ type }}` }
    const outcomes = await deliver(nats, settings, [order(1), { type: 'page', userId: 'u2', messageId: 'm2' }])
    expect(outcomes).toEqual([200, expect.stringContaining('deliver.refused')])
  })

  it('publishes without a stream when that is set', async () => {
    const root = randomUUID()
    const connection = await connectNats({ servers: '127.0.0.1:4222' })
    cleanups.push(() => connection.close())
    const subscription = connection.subscribe(root, { max: 1 })
    await connection.flush()
    const settings = { servers: 'localhost', subject: root, jetStream: false }
    expect(await deliver(nats, settings, [order(1)])).toEqual([200])
    for await (const message of subscription) expect(message.json()).toEqual(order(1))
  })

  it('tries the next server when one does not answer', async () => {
    const root = randomUUID()
    await streamOf(root)
    const settings = { servers: `localhost:${await freePort()}, localhost:4222`, subject: root }
    expect(await deliver(nats, settings, [order(1)])).toEqual([200])
  })

  it('is not reached at addresses that are not allowed', async () => {
    for (const servers of ['localhost', '127.0.0.1']) {
      const outcomes = await deliver(nats, { servers, subject: 'a' }, [order(1)], { allow: [] })
      expect(outcomes).toEqual([expect.stringContaining('not a public address')])
    }
  })
})

const noRabbitmq = await noBroker('RabbitMQ', 5672)
describe.skipIf(noRabbitmq)('RabbitMQ', () => {
  async function queue() {
    const connection = await connectRabbitmq('amqp://guest:guest@127.0.0.1:5672')
    cleanups.push(() => connection.close())
    const channel = await connection.createChannel()
    const name = `sluice-${randomUUID()}`
    await channel.assertQueue(name, { exclusive: true })
    return {
      name,
      channel,
      async messages(): Promise<readonly Event[]> {
        const read: Event[] = []
        for (;;) {
          const message = await channel.get(name, { noAck: true })
          if (message === false) return read
          read.push(JSON.parse(message.content.toString()))
        }
      },
    }
  }
  const settings = { address: 'localhost', username: 'guest', password: 'guest' }

  it('takes events into a queue, in order per user', async () => {
    const { name, messages } = await queue()
    expect(await deliver(rabbitmq, { ...settings, routingKey: name }, orders)).toEqual(taken)
    expect(orderByUser(await messages())).toEqual(orderByUser(orders))
  })

  it('routes events by an exchange, and refuses only those that no queue takes', async () => {
    const { name, channel, messages } = await queue()
    const exchange = `sluice-${randomUUID()}`
    await channel.assertExchange(exchange, 'topic', { autoDelete: true })
    await channel.bindQueue(name, exchange, 'track.#')
    const given = { ...settings, exchange, routingKey: '{{ type }}.{{ event }}' }
    const outcomes = await deliver(rabbitmq, given, [order(1), { type: 'page', userId: 'u2', messageId: 'm2' }])
    expect(outcomes).toEqual([200, expect.stringContaining('deliver.refused')])
    expect(await messages()).toEqual([order(1)])
  })

  it('refuses events for an exchange that does not exist', async () => {
    const given = { ...settings, exchange: `none-${randomUUID()}`, routingKey: 'a' }
    expect(await deliver(rabbitmq, given, [order(1)])).toEqual([expect.stringContaining('deliver.refused')])
  })

  it('refuses a virtual host that does not exist, with the reason', async () => {
    const [outcome] = await deliver(rabbitmq, { ...settings, virtualHost: 'none', routingKey: 'a' }, [order(1)])
    expect(outcome).toContain('deliver.refused')
    expect(outcome).toContain('virtual host')
  })

  it('refuses wrong credentials, without showing them', async () => {
    const [outcome] = await deliver(rabbitmq, { ...settings, password: 'wr0ng-pass', routingKey: 'a' }, [order(1)])
    expect(outcome).toMatch(/deliver\.refused/)
    expect(outcome).not.toContain('wr0ng-pass')
  })

  it('is not reached at addresses that are not allowed', async () => {
    for (const address of ['localhost', '127.0.0.1']) {
      const outcomes = await deliver(rabbitmq, { ...settings, address, routingKey: 'a' }, [order(1)], { allow: [] })
      expect(outcomes).toEqual([expect.stringContaining('not a public address')])
    }
  })

  it('is tried again when it does not listen', async () => {
    const given = { ...settings, address: `localhost:${await freePort()}`, routingKey: 'a' }
    expect(await deliver(rabbitmq, given, [order(1)])).toEqual([expect.stringContaining('deliver.unavailable')])
  })
})

const noMqtt = await noBroker('Mosquitto', 1883)
describe.skipIf(noMqtt)('MQTT', () => {
  async function subscribe(topic: string) {
    const client = await connectAsync('mqtt://127.0.0.1:1883')
    cleanups.push(() => client.endAsync())
    const read: Event[] = []
    client.on('message', (_, payload) => read.push(JSON.parse(payload.toString())))
    await client.subscribeAsync(topic, { qos: 1 })
    return read
  }

  it('publishes events to topics, in order per user', async () => {
    const root = randomUUID()
    const read = await subscribe(`${root}/#`)
    const settings = { address: 'localhost', topic: `${root}/{{ type }}` }
    expect(await deliver(mqtt, settings, orders)).toEqual(taken)
    await eventually(() => read.length).toBe(orders.length)
    expect(orderByUser(read)).toEqual(orderByUser(orders))
  })

  it('keeps the last message of a topic when that is set', async () => {
    const topic = randomUUID()
    await deliver(mqtt, { address: '127.0.0.1:1883', topic, retain: true }, [order(1)])
    const read = await subscribe(topic)
    await eventually(() => read).toEqual([order(1)])
  })

  it('is not reached at addresses that are not allowed, and tried again where none listens', async () => {
    expect(await deliver(mqtt, { address: 'localhost', topic: 'a' }, [order(1)], { allow: [] })).toEqual([
      expect.stringContaining('not a public address'),
    ])
    expect(await deliver(mqtt, { address: `localhost:${await freePort()}`, topic: 'a' }, [order(1)])).toEqual([
      expect.stringContaining('deliver.unavailable'),
    ])
  })
})

describe.skipIf(noRedisServer)(`Redis Streams${noRedisServer ? ` (skipped: ${noRedisServer})` : ''}`, () => {
  it('appends events to a stream, in order per user', async () => {
    const server = await startRedisServer()
    cleanups.push(() => server.close())
    expect(await deliver(redisStreams, { address: server.address, stream: 'events' }, orders)).toEqual(taken)
    const client = createClient({ url: `redis://${server.address}` })
    await client.connect()
    const entries = (await client.xRange('events', '-', '+')) ?? []
    client.destroy()
    expect(orderByUser(entries.map(({ message }) => JSON.parse(String(message['event']))))).toEqual(orderByUser(orders))
    expect(entries[0]?.message).toMatchObject({ messageId: 'm0-u0', userId: 'u0', type: 'track' })
  })
})

const cut: readonly {
  readonly definition: DestinationDefinition
  readonly port: number
  readonly missing: string | undefined
  settings(address: string): object
}[] = [
  {
    definition: nats,
    port: 4222,
    missing: noNats,
    settings: (servers) => ({ servers, subject: `cut.${randomUUID()}`, jetStream: false }),
  },
  {
    definition: rabbitmq,
    port: 5672,
    missing: noRabbitmq,
    settings: (address) => ({ address, password: 'guest', exchange: 'amq.fanout', routingKey: 'a' }),
  },
  { definition: mqtt, port: 1883, missing: noMqtt, settings: (address) => ({ address, topic: `cut/${randomUUID()}` }) },
]

for (const { definition, port, missing, settings } of cut) {
  it.skipIf(missing)(`${definition.displayName} is connected to again after its connection broke`, async () => {
    const proxy = await proxyTo(port)
    const send = delivering(definition, settings(proxy.address))
    // An exchange without queues refuses each message, which shows that the broker answers.
    const answered = definition === rabbitmq ? [expect.stringContaining('deliver.refused')] : [200]
    expect(await send([order(1)])).toEqual(answered)
    proxy.cut()
    await eventually(() => send([order(2)])).toEqual(answered)
  })
}
