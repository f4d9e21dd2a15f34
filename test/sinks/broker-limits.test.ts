import type { Event } from '@sluice/core'
import { type DestinationDefinition, kafka, mqtt, nats, rabbitmq, redisStreams } from '@sluice/destinations'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { startMuteAmqpBroker } from '../support/brokers/amqp-broker.ts'
import { startKafkaBroker } from '../support/brokers/kafka-broker.ts'
import { startSlowMqttBroker } from '../support/brokers/mqtt-broker.ts'
import { startTcpServer } from '../support/brokers/tcp-server.ts'
import { eventually } from '../support/eventually.ts'
import { type DeliveryOptions, openDelivery } from '../support/scenes/deliver-events.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const ordersOf = (count: number): readonly Event[] =>
  Array.from({ length: count }, (_, index) => ({ type: 'track', event: 'E', userId: 'u1', messageId: `m${index}` }))

function opened(definition: DestinationDefinition, given: object, options: DeliveryOptions = {}) {
  const delivery = openDelivery(definition, given, options)
  cleanups.push(() => delivery.close())
  return delivery
}

async function started<Server extends { close(): Promise<void> }>(starting: Promise<Server>): Promise<Server> {
  const server = await starting
  cleanups.push(() => server.close())
  return server
}

it('an MQTT broker never gets more messages than it takes before it acknowledges some', async () => {
  const broker = await started(startSlowMqttBroker(3))
  const orders = ordersOf(10)
  expect(await opened(mqtt, { address: broker.address, topic: 'a' }).send(orders)).toEqual(orders.map(() => 200))
  expect(broker.waitingMax()).toBe(3)
})

describe('a broker that accepts connections and says nothing', () => {
  const products: readonly (readonly [DestinationDefinition, (address: string) => object])[] = [
    [kafka, (address) => ({ hostName: address, topic: 'a' })],
    [mqtt, (address) => ({ address, topic: 'a' })],
    [nats, (servers) => ({ servers, subject: 'a' })],
    [rabbitmq, (address) => ({ address, password: 'guest', routingKey: 'a' })],
    [redisStreams, (address) => ({ address, stream: 'a' })],
  ]
  for (const [definition, settings] of products) {
    it(`does not keep calls or sockets of ${definition.displayName}`, async () => {
      const broker = await started(startTcpServer((socket) => socket.resume()))
      const delivery = opened(definition, settings(broker.address), { timeMs: 1_500, connectTimeMs: 300 })
      expect(await delivery.send(ordersOf(1))).toEqual([expect.stringContaining('deliver.unavailable')])
      expect(broker.accepted()).toBeGreaterThan(0)
      await eventually(() => broker.open.size).toBe(0)
    })
  }

  it('does not keep calls or sockets of RabbitMQ either when it goes silent after the greeting', async () => {
    const broker = await started(startMuteAmqpBroker())
    const settings = { address: broker.address, password: 'guest', routingKey: 'a' }
    const delivery = opened(rabbitmq, settings, { timeMs: 1_500, connectTimeMs: 300 })
    expect(await delivery.send(ordersOf(1))).toEqual([expect.stringContaining('deliver.unavailable')])
    expect(broker.accepted()).toBe(1)
    await eventually(() => broker.open.size).toBe(0)
  })
})

describe('a batch that Kafka refuses for one message', () => {
  it('is sent again in halves, so that only the messages at fault fail and no other is stored twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), async (faults) => {
        const invalid = new Set(faults.flatMap((isFault, index) => (isFault ? [`m${index}`] : [])))
        const broker = await startKafkaBroker((id) => invalid.has(id))
        const delivery = openDelivery(kafka, { hostName: broker.address, topic: 'a' })
        try {
          const outcomes = await delivery.send(ordersOf(faults.length))
          expect(outcomes).toEqual(
            faults.map((isFault) => (isFault ? expect.stringContaining('deliver.refused') : 200)),
          )
          const valid = ordersOf(faults.length).filter(({ messageId }) => !invalid.has(String(messageId)))
          expect(broker.stored.flat()).toEqual(valid.map(({ messageId }) => messageId))
        } finally {
          await delivery.close()
          await broker.close()
        }
      }),
      { numRuns: 15 },
    )
  })
})
