import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock, systemRandom } from '@sluice/core'
import { clientIpFromHeader, type NodeFetch, type TakeFromNode } from '@sluice/http'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type FetchArea, type Sluice, toNodeListener } from 'sluice'
import { listen } from '../../packages/sluice/src/cli/server/serve/listen/listen.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { exchange, type Sent } from './exchange.ts'

/** Who listens: a server of Node with the listener for it, or `sluice serve`. */
export const hosts = ['toNodeListener', 'sluice serve'] as const
type Host = (typeof hosts)[number]

/** A pipeline behind a port. */
export interface Way {
  readonly port: number
  readonly sluice: Sluice
  /** Calls that were answered without the app. */
  stored(): number
  /** Errors that the pipeline reported. */
  readonly reported: readonly unknown[]
  /** Events at the destination, without what differs between two equal runs. */
  arrived(): Promise<readonly string[]>
  /** Stops the server, as `sluice serve` does; calls under way are answered. */
  close(): Promise<void>
}

/** Two equal pipelines: common calls of the first go past the app, those of the second go through it. */
export interface BothWays {
  readonly listener: Way
  readonly app: Way
  /** Sends the same to both. @returns what each answers. */
  ask(sent: Sent, answers?: number): Promise<{ readonly listener: string; readonly app: string }>
  close(): Promise<void>
}

const basic = Buffer.from('web-key:').toString('base64')
const event = '{"userId":"last","event":"E"}'
/** Shows whether the connection is still open, and closes it. */
const last = `POST /v1/track HTTP/1.1\r\nHost: data.test\r\nAuthorization: Basic ${basic}\r\nConnection: close\r\nContent-Length: ${event.length}\r\n\r\n${event}`

/** @param broken is what each append to the log throws. */
export async function startBothWays(host: Host, broken?: Error): Promise<BothWays> {
  const [listener, app] = await Promise.all([true, false].map((hasListener) => startWay(host, hasListener, broken)))
  if (listener === undefined || app === undefined) throw new Error('two were started')
  return {
    listener,
    app,
    ask: async (sent, answers = 1) => {
      const [one, other] = await Promise.all([listener, app].map(({ port }) => exchange(port, sent, answers, last)))
      return { listener: one ?? '', app: other ?? '' }
    },
    close: async () => {
      for (const way of [listener, app]) await way.close()
    },
  }
}

async function startWay(host: Host, hasListener: boolean, broken: Error | undefined): Promise<Way> {
  const receiver = await startReceiver()
  const store = createMemoryStore({ clock: systemClock, random: systemRandom })
  const reported: unknown[] = []
  const sluice = await createSluice({
    workspace: shop(receiver.url, {
      sources: [
        { id: 'web', writeKey: 'web-key' },
        { id: 'off', writeKey: 'off-key', enabled: false },
        { id: 'loose', writeKey: 'loose-key', onInvalid: 'refuse-event' },
      ],
      connections: ['web', 'loose'].map((source) => ({ source, destination: 'hook' })),
    }),
    allowAddresses: ['localhost'],
    clientIp: host === 'sluice serve' ? clientIpFromHeader('X-Forwarded-For') : undefined,
    store: broken === undefined ? store : { ...store, log: { ...store.log, append: () => Promise.reject(broken) } },
    onError: (error) => reported.push(error),
  })
  let stored = 0
  const { takeFromNode }: NodeFetch = sluice.fetch
  const counted: TakeFromNode = (incoming, outgoing) => {
    const taking = takeFromNode?.(incoming, outgoing)
    void taking?.then((answer) => {
      if (answer !== undefined) stored += 1
    })
    return taking
  }
  // A function around that of the pipeline, which all calls go through.
  const fetch: FetchArea['fetch'] = (request, env) => sluice.fetch(request, env)
  const handler: FetchArea = { fetch: hasListener ? Object.assign(fetch, { takeFromNode: counted }) : fetch }
  const server = host === 'sluice serve' ? await served(handler) : await listened(handler)
  return {
    port: server.port,
    sluice,
    stored: () => stored,
    reported,
    arrived: async () => {
      await sluice.settled()
      return receiver.received.map(({ body }) => withoutChance(body)).toSorted()
    },
    close: async () => {
      await server.close()
      await sluice.stop()
      await receiver.close()
    },
  }
}

const withoutChance = (body: string): string =>
  body
    .replaceAll(/"[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}"/g, '"id"')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"time"')

const served = async (handler: FetchArea) => {
  const listener = await listen(handler, { host: '127.0.0.1', port: 0, flag: '--port' })
  return { port: listener.port, close: () => listener.close(5_000) }
}

const listened = async (handler: FetchArea) => {
  const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeIdleConnections()
    server.close()
    await once(server, 'close')
  }
  return { port: (server.address() as AddressInfo).port, close }
}
