import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { readStudioFiles } from '@sluice/studio'
import { createSluice, toNodeListener } from 'sluice'
import { Arrivals } from '../endtoend/sustained.ts'

/** Calls of a second, and events of a call. */
const callsPerSecond = 100

/**
 * Serves a shop with the studio in a process of its own. It prints links that sign in, one per line of its input that
 * says `link`, and sends so many events per second as the input says: `rate 1000`. On `counts` it prints what was sent, on
 * `cpu` its CPU so far in microseconds. `event {…}` is answered with the time of its acknowledgement, `restart` with the
 * time when it listens again.
 */
const sluice = await createSluice({
  transport: new Arrivals().transport,
  workspace: {
    id: 'shop',
    sources: [{ id: 'web', writeKey: 'k' }],
    destinations: [{ id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } }],
    connections: [{ source: 'web', destination: 'hook' }],
  },
  studio: readStudioFiles(),
})
const server = createServer(toNodeListener(sluice))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
let rate = 0
let sent = 0

async function send(count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => ({
    type: 'track',
    event: ['Order Completed', 'Product Viewed', 'Cart Viewed'][(sent + n) % 3],
    userId: `u${(sent + n) % 500}`,
    properties: { total: (sent + n) % 100, currency: 'EUR' },
  }))
  sent += count
  await sluice.ingest('k', events)
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Stops listening for a second, as a restart does. @returns when it listens again. */
async function restart(): Promise<number> {
  const { port } = server.address() as AddressInfo
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeAllConnections()
  await closed
  await sleep(1_000)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return Date.now()
}

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === 'link')
    void sluice.issueStudioCode?.().then((code) => process.stdout.write(`${origin}/studio/#code=${code}\n`))
  if (line === 'counts') process.stdout.write(`${sent}\n`)
  if (line === 'cpu') process.stdout.write(`${cpuMicroseconds()}\n`)
  if (line === 'restart') void restart().then((at) => process.stdout.write(`${at}\n`))
  if (line.startsWith('event '))
    void sluice.ingest('k', [JSON.parse(line.slice(6))]).then(() => process.stdout.write(`${Date.now()}\n`))
  if (line.startsWith('rate ')) rate = Number(line.slice(5))
})
process.stdin.on('end', () => process.exit(0))
for (;;) {
  const until = performance.now() + 1_000 / callsPerSecond
  if (rate > 0) await send(rate / callsPerSecond)
  await sleep(Math.max(0, until - performance.now()))
}
