import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { systemClock, systemRandom } from '@sluice/core'
import type { EventLog, Store } from '@sluice/pipeline'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import { Hono } from 'hono'
import { createSluice, toNodeListener } from 'sluice'
import { nullTransport } from '../flow-case.ts'

/** What is measured: a child process that serves, and says over its channel what it has used so far. */
export type TargetKind = 'bare' | 'memory' | 'durable'

export interface TargetSetup {
  readonly kind: TargetKind
  /** Of the store. */
  readonly path: string
  /** Whether anything behind the log runs: the catalogue, and a destination. */
  readonly consumers: boolean
}

export interface Usage {
  readonly cpuMicroseconds: number
  readonly bytesWritten: number
  readonly residentBytes: number
}

const setup = JSON.parse(process.argv[2] ?? '') as TargetSetup
const listener =
  setup.kind === 'bare'
    ? getRequestListener(bareServer().fetch, { overrideGlobalObjects: false })
    : toNodeListener(await pipeline(setup))
const server = createServer(listener)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 })
})
process.on('message', () => process.send?.(usage()))
process.on('disconnect', () => process.exit())

/** Parses and drops. */
function bareServer(): Hono {
  return new Hono().post('/v1/batch', async (c) => {
    await c.req.json()
    return c.text('ok')
  })
}

async function pipeline({ kind, path, consumers }: TargetSetup) {
  const shared = { clock: systemClock, random: systemRandom }
  const store = kind === 'memory' ? createMemoryStore(shared) : await openSqliteStore({ ...shared, path })
  return createSluice({
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [{ id: 'd', type: 'WEBHOOK', settings: { webhookUrl: 'http://null.test/' } }],
      connections: consumers ? [{ source: 's', destination: 'd' }] : [],
    },
    store: consumers ? store : { ...store, log: unread(store) },
    transport: nullTransport,
    sandbox: { mode: 'in-process' },
    onError: (error) => process.stderr.write(`${error}\n`),
  })
}

/** What is appended stays there. */
function unread({ log }: Store): EventLog {
  return { ...log, read: async () => [] }
}

function usage(): Usage {
  const { user, system } = process.cpuUsage()
  const written = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]
  return {
    cpuMicroseconds: user + system,
    bytesWritten: Number(written),
    residentBytes: process.memoryUsage().rss,
  }
}
