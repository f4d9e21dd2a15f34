import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { systemClock, systemRandom } from '@sluice/core'
import { createSend, createUndiciTransport, type DeliverableEvent, sendAll, type Transport } from '@sluice/delivery'
import { type DestinationDefinition, json, pack, webhook } from '@sluice/destinations'
import { Pool } from 'undici'
import type { OpenCase } from './bench-case.ts'
import { runBench } from './bench-kit.ts'
import type { Corpus } from './corpus.ts'
import { batchSize, flowCase, light, nullTransport } from './flow-case.ts'

const connections = 8

/** A destination that sends the same events as lists of 50. */
const inLists: DestinationDefinition = {
  ...webhook,
  batch: pack({
    itemsMax: 50,
    merge: ([first, ...others]) => {
      const batch = [first, ...others].flatMap((item) => (item ? [item.request.body.JSON] : []))
      return json({ method: 'POST', endpoint: first?.request.endpoint ?? '', body: { batch } })
    },
  }),
}

const mapped = ({ events }: Corpus, endpoint: string): readonly DeliverableEvent[] =>
  events.slice(0, batchSize).map((event, n) => ({
    event,
    requests: [json({ method: 'POST', endpoint, body: event })],
    userKey: String(event['userId'] ?? n),
    messageId: String(event.messageId),
  }))

/** Sending alone. */
function stageCase(
  corpus: Corpus,
  transport: Transport,
  {
    definition = webhook,
    endpoint = 'http://null.test/',
  }: { definition?: DestinationDefinition; endpoint?: string } = {},
): OpenCase {
  const send = createSend({
    transport,
    clock: systemClock,
    random: systemRandom,
    destination: { definition, settings: {} },
    concurrency: connections,
  })
  const batch = mapped(corpus, endpoint)
  const signal = new AbortController().signal
  return {
    events: batch.length,
    check: async () => {
      const outcomes = await sendAll(send, batch, signal)
      assert.equal(outcomes.filter(({ kind }) => kind === 'pass').length, batch.length)
    },
    run: async () => {
      await sendAll(send, batch, signal)
    },
  }
}

/** A receiver in a process of its own, so that only what sends is measured. */
async function startReceiver(): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const code = `
    const server = require('node:http').createServer((request, response) => request.resume().on('end', () => response.end()))
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [port] = await once(child.stdout, 'data')
  return { url: `http://127.0.0.1:${String(port).trim()}`, child }
}

/** Over loopback. */
async function overHttp(open: (url: string, transport: Transport) => OpenCase | Promise<OpenCase>): Promise<OpenCase> {
  const { url, child } = await startReceiver()
  const transport = createUndiciTransport({ allowAddresses: ['localhost'], connectionsPerOriginMax: connections })
  const opened = await open(url, transport)
  return {
    ...opened,
    close: async () => {
      await opened.close?.()
      await transport.close()
      child.kill()
    },
  }
}

/** What it costs at the least: undici sends the same bodies over as many connections, and nothing is looked after. */
async function loopCase({ events }: Corpus): Promise<OpenCase> {
  const { url, child } = await startReceiver()
  const pool = new Pool(url, { connections })
  const batch = events.slice(0, batchSize)
  const send = async (body: object): Promise<number> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await pool.request({ path: '/', method: 'POST', headers, body: JSON.stringify(body) })
    await answer.body.text()
    return answer.statusCode
  }
  /** Each connection sends the next one when the one before is answered. */
  const sendAll = async (): Promise<readonly number[]> => {
    const left = [...batch]
    const statuses: number[] = []
    const work = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) statuses.push(await send(next))
    }
    await Promise.all(Array.from({ length: connections }, work))
    return statuses
  }
  return {
    events: batch.length,
    check: async () => assert.deepEqual(await sendAll(), Array(batch.length).fill(200)),
    run: async () => {
      await sendAll()
    },
    close: async () => {
      await pool.close()
      child.kill()
    },
  }
}

await runBench('What does delivery cost per event, beside the requests themselves?', (corpus) => [
  { name: 'whole flow, light transformation, webhook, null transport', open: () => flowCase(corpus, { code: light }) },
  { name: 'sending alone, null transport', open: () => stageCase(corpus, nullTransport) },
  {
    name: 'sending alone, lists of 50, null transport',
    open: () => stageCase(corpus, nullTransport, { definition: inLists }),
  },
  { name: 'loopback: undici in a loop, 8 at a time', open: () => loopCase(corpus) },
  {
    name: 'loopback: sending, 8 at a time',
    open: () => overHttp((url, transport) => stageCase(corpus, transport, { endpoint: url })),
  },
  {
    name: 'loopback: sending, lists of 50',
    open: () => overHttp((url, transport) => stageCase(corpus, transport, { definition: inLists, endpoint: url })),
  },
])
