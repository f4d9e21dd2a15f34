import { systemClock, systemRandom } from '@sluice/core'
import type { StudioFiles } from '@sluice/http'
import { openPostgresStore } from '@sluice/postgres'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, expect, it } from 'vitest'
import { dropSchema, freshSchema, noPostgres, postgresUrl } from '../support/databases/postgres.ts'

const schema = freshSchema()
const files: StudioFiles = { find: async () => undefined }
const nodes: Sluice[] = []
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop(0)))
  await dropSchema(schema)
})

async function startNode(): Promise<Sluice> {
  const store = await openPostgresStore({ url: postgresUrl, schema, clock: systemClock, random: systemRandom })
  const workspace = { id: 'w', sources: [], destinations: [], connections: [] }
  const node = await createSluice({ store, workspace, studio: files })
  nodes.push(node)
  return node
}

const session = (node: Sluice | undefined, headers: object, init: RequestInit = {}): Promise<Response> =>
  Promise.resolve(
    node?.fetch(
      new Request('http://sluice.test/studio/session', { ...init, headers: { 'x-sluice-studio': '1', ...headers } }),
    ) ?? Response.error(),
  )

it.skipIf(noPostgres)('a person signs in at one process of a cluster, and is signed in and out at all', async () => {
  const [first, second] = [await startNode(), await startNode()]
  const body = JSON.stringify({ code: await first.issueStudioCode?.() })
  const login = { method: 'POST', body }
  const headers = { 'content-length': String(body.length) }
  // A proxy leads the link of one process to another one.
  const started = await session(second, headers, login)
  expect(started.status).toBe(200)
  expect((await session(first, headers, login)).status).toBe(401)
  const cookie = (started.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  for (const node of nodes) expect((await session(node, { cookie })).status).toBe(200)
  expect((await session(first, { cookie }, { method: 'DELETE' })).status).toBe(204)
  for (const node of nodes) expect((await session(node, { cookie })).status).toBe(401)
})
