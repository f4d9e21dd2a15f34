import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { inParallel } from './in-parallel.ts'
import { type PeerQueue, queueName, requestsAtATime } from './peer-queue.ts'

/** A JetStream in a file; whether its server waits for the disk is said in `brokers.ts`. */
export async function openJetstreamQueue(address: string): Promise<PeerQueue> {
  const connection = await connect({ servers: address })
  const manager = await jetstreamManager(connection)
  await manager.streams.add({
    name: queueName,
    subjects: [queueName],
    storage: StorageType.File,
    retention: RetentionPolicy.Workqueue,
  })
  await manager.consumers.add(queueName, { durable_name: queueName, ack_policy: AckPolicy.Explicit })
  const stream = jetstream(connection)
  const sending = inParallel(requestsAtATime)
  return {
    add: async (events) => {
      await Promise.all(events.map((event) => stream.publish(queueName, event)))
    },
    work: async (send) => {
      const consumer = await stream.consumers.get(queueName, queueName)
      const messages = await consumer.consume({ max_messages: 200 })
      const takeAll = async (): Promise<void> => {
        for await (const message of messages)
          void sending(async () => {
            await send(message.string())
            message.ack()
          })
      }
      void takeAll()
    },
  }
}
