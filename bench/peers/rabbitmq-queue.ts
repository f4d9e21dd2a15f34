import { connect } from 'amqplib'
import { type PeerQueue, requestsAtATime } from './peer-queue.ts'

/** A quorum queue of RabbitMQ with confirmed messages. @param name of the queue. */
export async function openRabbitmqQueue(address: string, name: string): Promise<PeerQueue> {
  const connection = await connect(address)
  const channel = await connection.createConfirmChannel()
  // The server removes it a minute after its last use.
  const options = { durable: true, arguments: { 'x-queue-type': 'quorum', 'x-expires': 60_000 } }
  await channel.assertQueue(name, options)
  await channel.prefetch(requestsAtATime)
  return {
    add: async (events) => {
      const confirmed = events.map(
        (event) =>
          new Promise<void>((resolve, reject) =>
            channel.sendToQueue(name, Buffer.from(event), { persistent: true }, (error) =>
              error ? reject(error) : resolve(),
            ),
          ),
      )
      await Promise.all(confirmed)
    },
    work: async (send) => {
      await channel.consume(name, (message) => {
        if (message) void send(message.content.toString()).then(() => channel.ack(message))
      })
    },
  }
}
