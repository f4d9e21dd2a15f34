import { Queue, Worker } from 'bullmq'
import { type PeerQueue, queueName, requestsAtATime } from './peer-queue.ts'

/** BullMQ on a Redis server that writes each change to the disk before it answers. @param address `host:port`. */
export async function openBullmqQueue(address: string): Promise<PeerQueue> {
  const [host = '', port] = address.split(':')
  const connection = { host, port: Number(port), maxRetriesPerRequest: null }
  const queue = new Queue<string>(queueName, { connection })
  await queue.waitUntilReady()
  const opts = { attempts: 3, removeOnComplete: true }
  return {
    add: async (events) => {
      await queue.addBulk(events.map((data) => ({ name: queueName, data, opts })))
    },
    work: async (send) => {
      const worker = new Worker<string>(queueName, ({ data }) => send(data), {
        connection,
        concurrency: requestsAtATime,
      })
      await worker.waitUntilReady()
    },
  }
}
