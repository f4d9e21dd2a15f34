import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemClock } from '@sluice/core'
import { createTransport, type TransportOptions } from '@sluice/delivery'
import { sink } from '@sluice/destinations/kit'
import type { BenchCase } from './bench-case.ts'
import { runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'

const batchSize = 200

/** A server that says what a client of NATS waits for, in a process of its own. */
const server = `
  const info = JSON.stringify({ server_id: 'x', version: '2.10.0', proto: 1, max_payload: 1000000, headers: true })
  const server = require('node:net').createServer((socket) => {
    socket.on('error', () => {}).write('INFO ' + info + '\\r\\n')
    let rest = ''
    socket.setNoDelay(true).on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\\r\\n')
      rest = lines.pop()
      const pings = lines.filter((line) => line === 'PING').length
      if (pings > 0) socket.write('PONG\\r\\n'.repeat(pings))
    })
  })
  server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

/** Publishes a batch of events to the server. @param messagesPerRequest events of one request. */
function publishing(
  name: string,
  { events }: Corpus,
  clients: NonNullable<TransportOptions['clients']>,
  messagesPerRequest: number,
): BenchCase {
  return {
    name,
    async open() {
      const child = spawn(process.execPath, ['-e', server], { stdio: ['ignore', 'pipe', 'inherit'] })
      const [port] = await once(child.stdout, 'data')
      const transport = createTransport({ clock: systemClock, allowAddresses: ['localhost'], clients })
      const messages = events.slice(0, batchSize).map((message) => ({ message, topic: 'a', userId: 'u' }))
      const requests = Array.from({ length: batchSize / messagesPerRequest }, (_, n) =>
        sink({
          method: 'PUBLISH',
          endpoint: `nats://127.0.0.1:${String(port).trim()}`,
          params: { jetStream: false },
          body: { messages: messages.slice(n * messagesPerRequest, (n + 1) * messagesPerRequest) },
          userId: 'u',
        }),
      )
      const options = { signal: new AbortController().signal, timeMs: 20_000 }
      const send = () => Promise.all(requests.map((request) => transport.send(request, options)))
      return {
        events: batchSize,
        check: async () => {
          for (const result of await send()) assert.equal(result.kind === 'reply' && result.status, 200)
        },
        run: async () => {
          await send()
        },
        close: async () => {
          await transport.close()
          child.kill()
        },
      }
    },
  }
}

await runBench('What does it cost that clients of brokers run in processes?', (corpus) => [
  publishing('NATS over loopback, client here, 200 messages per request', corpus, 'here', 200),
  publishing('NATS over loopback, client in a process, 200 messages per request', corpus, 'processes', 200),
  publishing('NATS over loopback, client here, one message per request', corpus, 'here', 1),
  publishing('NATS over loopback, client in a process, one message per request', corpus, 'processes', 1),
])
