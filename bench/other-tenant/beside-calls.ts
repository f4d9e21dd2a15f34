import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { readStudioFiles } from '@sluice/studio'
import { createSluice, type DestinationEntry, type Sluice } from 'sluice'
import type { Addresses, Arrival } from './receiver.ts'
import { repeatedly, type Scene } from './scene.ts'

/** The process, as the attacker uses it. */
export interface Attacked {
  readonly sluice: Sluice
  /** Sends a request with all scopes of the attacker. @returns the body. @throws Error when it is not known or not allowed, which would be no attack. */
  request(method: 'GET' | 'POST', path: string, body?: unknown, headers?: Record<string, string>): Promise<string>
  /** Sends a request that must be refused with this status. @throws Error otherwise. */
  refused(status: number, path: string, body: unknown, headers: Record<string, string>): Promise<void>
}

export interface BesideCalls {
  /** What the attacker does again and again, some times at once. */
  call(attacked: Attacked, n: number): Promise<unknown>
  prepare?(attacked: Attacked): Promise<unknown>
  /** Destinations of the attacker, all connected. Default one that answers. */
  destinations?(addresses: Addresses, folder: string): readonly DestinationEntry[]
  /** Members of the attacker's source. */
  readonly source?: object
}

export const webhook = (id: string, webhookUrl: string): DestinationEntry => ({
  id,
  type: 'WEBHOOK',
  settings: { webhookUrl },
})

function workspace(id: string, destinations: readonly DestinationEntry[], source: object = {}) {
  const token = `sha256:${createHash('sha256').update(`${id}-token`).digest('hex')}`
  return {
    id,
    accessTokens: [{ name: 'all', token, scopes: ['read', 'write', 'operate', 'admin'] as const }],
    sources: [{ id: 's', writeKey: `${id}-key`, ...source }],
    destinations,
    connections: destinations.map((destination) => ({ source: 's', destination: destination.id })),
  }
}

/** The innocent workspace takes events in, whole way included, while the other one does something again and again. */
export async function besideCalls({ call, prepare, destinations, source }: BesideCalls): Promise<Scene> {
  const arrivals = new Map<string, (arrival: Arrival) => void>()
  const receiver = fork(new URL('./receiver.js', import.meta.url), { execArgv: [] })
  const [addresses]: Addresses[] = await once(receiver, 'message')
  assert.ok(addresses)
  receiver.on('message', (arrival: Arrival) => arrivals.get(arrival.messageId)?.(arrival))
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'))
  const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock: systemClock, random: systemRandom })
  const ofAttacker = destinations?.(addresses, folder) ?? [webhook('hook', `${addresses.answers}a`)]
  const sluice: Sluice = await createSluice({
    workspace: {
      workspaces: [workspace('a', ofAttacker, source), workspace('b', [webhook('hook', `${addresses.answers}b`)])],
    },
    store,
    allowAddresses: ['localhost'],
    sandbox: { workers: 1 },
    studio: readStudioFiles(),
  })
  const send = (method: 'GET' | 'POST', path: string, body: unknown, headers: Record<string, string>) => {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    const ofBody = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(sent ?? '')) }
    return sluice.fetch(
      new Request(`http://sluice.test${path}`, {
        method,
        headers: { authorization: 'Bearer a-token', ...(sent === undefined ? {} : ofBody), ...headers },
        body: sent,
      }),
    )
  }
  const attacked: Attacked = {
    sluice,
    async refused(status, path, body, headers) {
      const answer = await send('POST', path, body, headers)
      await answer.text()
      assert.equal(answer.status, status)
    },
    async request(method, path, body, headers = {}) {
      const answer = await send(method, path, body, headers)
      const text = await answer.text()
      if ([401, 403, 404, 405].includes(answer.status))
        throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
      return text
    },
  }
  await prepare?.(attacked)
  let events = 0
  return {
    async step(n) {
      events += 1
      const messageId = `m${events}`
      const arrived = new Promise<Arrival>((resolve) => arrivals.set(messageId, resolve))
      const result = await sluice.ingest('b-key', [{ type: 'track', event: 'Seen', userId: `u${n}`, messageId }])
      assert.ok(result.ok)
      const { atMs } = await arrived
      arrivals.delete(messageId)
      return atMs
    },
    attack: () => repeatedly((n) => call(attacked, n)),
    async close() {
      await sluice.stop()
      await store.close()
      rmSync(folder, { recursive: true })
      receiver.disconnect()
    },
  }
}
