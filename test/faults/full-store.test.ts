import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { expect, it } from 'vitest'
import { createApiClient, hashOf } from '../support/http/api-client.ts'

it('answers 503 while the disk of the store is full, is unhealthy and not ready, and says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-full-'))
  const path = join(folder, 'sluice.db')
  const store = await openSqliteStore({
    path,
    clock: systemClock,
    random: systemRandom,
    fileBytesMax: 1_000_000,
    reserveBytes: 0,
  })
  const sluice = await createSluice({
    workspace: {
      id: 'w',
      accessTokens: [{ name: 'all', token: hashOf('all'), scopes: ['read', 'write', 'operate'] }],
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: [],
      connections: [],
    },
    store,
    transport: createRecordingTransport(() => reply(200)),
    sandbox: { mode: 'in-process' },
  })
  const api = await createApiClient(sluice, 'Bearer all')
  expect((await api.get('/ready')).status).toBe(200)
  const event = { type: 'track', event: 'E', userId: 'u', properties: { text: 'x'.repeat(50_000) } }
  let result = await sluice.ingest('k', [event])
  for (let n = 0; n < 40 && result.ok; n += 1) result = await sluice.ingest('k', [event])
  expect(result).toMatchObject({ ok: false, code: 'unavailable' })
  for (const path of ['/health', '/ready']) {
    const { status, body } = await api.get(path)
    expect([status, body]).toEqual([503, { status: 'unavailable', reason: 'storeUnwritable' }])
  }
  // Too large for what room is left.
  const users = Array.from({ length: 2_000 }, (_, i) => ({ userId: `u${i}`, note: 'x'.repeat(100) }))
  const refused = await api.post('/v2/regulations', { regulationType: 'suppress', users })
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
  expect(refused.body.message).toContain('nothing was stored')
  await sluice.stop()
  await store.close().catch(() => {})
  rmSync(folder, { recursive: true })
})
