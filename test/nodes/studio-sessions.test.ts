import type { StudioFiles } from '@sluice/http'
import type { Sluice } from 'sluice'
import { expect, it } from 'vitest'
import { useSharedNodes } from '../support/cluster/shared-nodes.ts'
import { noPostgres } from '../support/databases/postgres.ts'

const files: StudioFiles = { find: async () => undefined }
const workspace = { id: 'w', sources: [], destinations: [], connections: [] }
const { running, start } = useSharedNodes({ node: () => ({ workspace, studio: files }) })

const session = (node: Sluice | undefined, headers: object, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(
    node?.fetch(
      new Request('http://sluice.test/studio/session', { ...init, headers: { 'x-sluice-studio': '1', ...headers } }),
    ) ?? Response.error(),
  )

it.skipIf(noPostgres)('a person signs in at one process of a cluster, and is signed in and out at all', async () => {
  const [first, second] = [await start(), await start()]
  const body = JSON.stringify({ code: await first.issueStudioCode?.() })
  const login = { method: 'POST', body }
  const headers = { 'content-length': String(body.length) }
  // A proxy leads the link of one process to another one.
  const started = await session(second, headers, login)
  expect(started.status).toBe(200)
  expect((await session(first, headers, login)).status).toBe(401)
  const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  for (const node of running) expect((await session(node, { cookie })).status).toBe(200)
  expect((await session(first, { cookie }, { method: 'DELETE' })).status).toBe(204)
  for (const node of running) expect((await session(node, { cookie })).status).toBe(401)
})
