import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { systemClock, systemRandom } from '@sluice/core'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashOf } from '../support/http/api-client.ts'
import { documented } from '../support/http/documented.ts'

const config = { webhookUrl: 'https://hook.test/', headers: [{ from: 'X-Key', to: 'hunter2' }] }
const masked = { ...config, headers: [{ from: 'X-Key', to: '••••••' }] }
const path = '/v2/destinations/hook'
let sluice: Sluice
let server: Server
let loopback: string

beforeEach(async () => {
  const store = createMemoryStore({ clock: systemClock, random: systemRandom })
  const stored = { workspaceId: 'shop', revision: 1, createdAt: 0, updatedAt: 0 }
  const token = (name: string, ...scopes: string[]) =>
    ({ ...stored, kind: 'token', id: name, body: { name, token: hashOf(name), scopes } }) as const
  await store.configuration.commit(
    {
      put: [
        { ...stored, kind: 'workspace', id: 'shop', body: {} },
        token('admin', 'read', 'write', 'operate', 'admin'),
        token('terraform', 'read', 'write', 'operate', 'secrets'),
        { ...stored, kind: 'destination', id: 'hook', body: { type: 'WEBHOOK', settings: config } },
      ],
    },
    0,
  )
  sluice = await createSluice({ store })
  const { fetch } = await documented(sluice)
  server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  loopback = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await sluice.stop()
})

interface Called {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

async function call(method: string, url: string, { token = 'terraform', headers = {}, body }: Called = {}) {
  const response = await fetch(`${loopback}${url}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: body ? JSON.stringify(body) : undefined,
  })
  return (await response.json()) as { destination: { config: object }; data: { path: string }[]; workspace: object }
}
const shown = async (called?: Called) => (await call('GET', path, called)).destination.config
const allow = (showSecrets: boolean) => call('PUT', '/v2/workspace', { token: 'admin', body: { showSecrets } })

it('secrets are masked unless the workspace shows them, also for a token with the scope secrets', async () => {
  expect(await shown()).toEqual(masked)
  expect(await allow(true)).toMatchObject({ workspace: { showSecrets: true } })
  expect(await shown()).toEqual(config)
  await allow(false)
  expect(await shown()).toEqual(masked)
})

it('secrets are masked for a token without the scope, whatever else it may do', async () => {
  await allow(true)
  expect(await shown({ token: 'admin' })).toEqual(masked)
})

it('secrets are masked where others could read the answer on its way', async () => {
  await allow(true)
  expect(await shown({ headers: { 'x-forwarded-proto': 'http' } })).toEqual(masked)
  expect(await shown({ headers: { 'x-forwarded-proto': 'https' } })).toEqual(config)
  // A caller that is not known to be near, without TLS.
  const far = await sluice.fetch(
    new Request(`http://far.test${path}`, { headers: { authorization: 'Bearer terraform' } }),
  )
  expect(await far.json()).toMatchObject({ destination: { config: masked } })
})

it('secrets come back as they were sent, also from a change that sends their mask, and each time is audited', async () => {
  await allow(true)
  const before = await call('GET', '/v2/audit', { token: 'admin' })
  const changed = await call('PUT', path, { body: { name: 'n', config: masked } })
  expect(changed.destination.config).toEqual(config)
  await shown()
  const { data } = await call('GET', '/v2/audit', { token: 'admin' })
  expect(data.slice(0, data.length - before.data.length).map((entry) => entry.path)).toEqual([
    `${path} (with secrets)`,
    `${path} (with secrets)`,
  ])
})

it('the whole configuration never has secrets', async () => {
  await allow(true)
  expect(JSON.stringify(await call('GET', '/v2/configuration'))).not.toContain('hunter2')
})

it('the workspace tells tools where it is, and what for', async () => {
  expect(await call('GET', '/v2/workspace')).toMatchObject({
    workspace: {
      id: 'shop',
      environment: 'PRODUCTION',
      status: 'ACTIVE',
      region: 'self-hosted',
      dataPlaneURL: loopback,
    },
  })
})
