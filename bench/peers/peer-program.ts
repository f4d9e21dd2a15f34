import { createServer } from 'node:http'
import { createPost } from '../endtoend/create-post.ts'
import { type PeerQueue, requestsAtATime } from './peer-queue.ts'

/** Queues that people build such programs on. */
export type PeerKind = 'BullMQ' | 'pg-boss' | 'graphile-worker' | 'JetStream' | 'RabbitMQ'

export interface PeerProgramSetup {
  readonly kind: PeerKind
  /** Of the server of the queue. */
  readonly address: string
  /** Of the queue, or of the schema of its tables, where others share the server. */
  readonly name: string
  readonly port: number
  /** Where it sends each event. */
  readonly receiver: string
}

/** What a Node programmer would build on a queue: takes calls durably, and sends each event once. */
async function start({ kind, address, name, port, receiver }: PeerProgramSetup): Promise<void> {
  const queue = await open(kind, address, name)
  await queue.work(createPost(receiver, requestsAtATime))
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const { batch } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly batch: readonly unknown[] }
      await queue.add(batch.map((event) => JSON.stringify(event)))
      response.writeHead(200, { 'content-type': 'text/plain' }).end('OK')
    })
  }).listen(port, '127.0.0.1')
}

/** Imports one of them only: each costs memory. */
async function open(kind: PeerKind, address: string, name: string): Promise<PeerQueue> {
  switch (kind) {
    case 'BullMQ':
      return (await import('./bullmq-queue.ts')).openBullmqQueue(address)
    case 'pg-boss':
      return (await import('./pg-boss-queue.ts')).openPgBossQueue(address, name)
    case 'graphile-worker':
      return (await import('./graphile-worker-queue.ts')).openGraphileWorkerQueue(address, name)
    case 'JetStream':
      return (await import('./jetstream-queue.ts')).openJetstreamQueue(address)
    case 'RabbitMQ':
      return (await import('./rabbitmq-queue.ts')).openRabbitmqQueue(address, name)
  }
}

await start(JSON.parse(process.argv[2] ?? '') as PeerProgramSetup)
