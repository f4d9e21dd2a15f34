import { createHash } from 'node:crypto'
import { systemClock, systemRandom } from '@sluice/core'
import { builtInDestinations } from '@sluice/destinations'
import { createMemoryStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterEach, expect, it } from 'vitest'
import { createApiClient, hashOf } from '../support/http/api-client.ts'
import { plantSecrets } from '../support/texts/plant-secrets.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

it('secrets planted in every place are in no answer, log line, audit entry or error, also of what is invalid', async () => {
  const secret = 'PLANTED-SECRET-8150815'
  const store = createMemoryStore({ clock: systemClock, random: systemRandom })
  const lines: string[] = []
  const line = (fields: object, text: string): void => void lines.push(JSON.stringify(fields) + text)
  const errors: string[] = []
  const sluice = await createSluice({
    workspace: {
      id: 'shop',
      accessTokens: [{ name: 'all', token: hashOf('all'), scopes: ['read', 'write', 'operate', 'admin'] }],
      sources: [],
      destinations: [],
      connections: [],
    },
    store,
    localDestinations: true,
    logger: { debug: line, info: line, warn: line, error: line },
    onError: (error) => void errors.push(String(error)),
  })
  closing.push(() => sluice.stop())
  const api = await createApiClient(sluice, 'Bearer all')
  const texts: string[] = []
  const keep = <T extends { readonly text: string }>(answer: T): T => {
    texts.push(answer.text)
    return answer
  }
  let accepted = 0
  for (const definition of builtInDestinations) {
    const { type, examples = [] } = definition
    const settings = examples[0]?.settings ?? {}
    const config = plantSecrets(definition, settings, secret)
    const created = keep(await api.post('/v2/destinations', { id: type, type, config }))
    if (created.status === 201) accepted += 1
    // Invalid in every place: the secret where another type is needed, and members that do not exist.
    keep(await api.post('/v2/destinations', { type, config: { ...config, unknownKey: secret } }))
    const wrong = Object.fromEntries(Object.keys(config).map((key) => [key, { nested: secret }]))
    keep(await api.post('/v2/destinations', { type, config: wrong }))
    keep(await api.put(`/v2/destinations/${type}`, { name: 'Changed' }))
  }
  expect(accepted).toBeGreaterThan(builtInDestinations.length * 0.8)
  keep(await api.put('/v2/credentials/key', { value: secret }))
  keep(await api.put('/v2/credentials/%20bad', { value: secret }))
  // Of another type: texts of digits become numbers easily.
  const digits = Number(secret.replaceAll(/\D/g, ''))
  for (const answer of [
    await api.put('/v2/credentials/key', { value: digits }),
    await api.post('/v2/sources', { writeKey: digits }),
    await api.post('/v2/configuration', { changes: [{ action: 'put', kind: 'source', id: 's', body: digits }] }),
    await api.post('/v2/configuration', {
      changes: [{ action: 'put', kind: 'credential', id: 'x', body: { value: digits } }],
    }),
  ])
    expect([answer.status, answer.text.includes(String(digits))]).toEqual([400, false])
  keep(
    await api.post('/v2/configuration', {
      changes: [{ action: 'put', kind: 'token', id: 't', body: { name: 't', token: secret } }],
    }),
  )
  keep(
    await api.post('/v2/configuration', {
      changes: [{ action: 'put', kind: 'credential', id: 'x', body: { value: `env:${secret}` } }],
    }),
  )
  const reader = api.as('Bearer all')
  for (const path of ['/v2/destinations', '/v2/configuration', '/v2/credentials', '/v2/tokens', '/v2/workspace'])
    keep(await reader.get(path))
  const audit = JSON.stringify(await store.audit.list('shop', 10_000))
  const found = [...texts, ...lines, ...errors, audit].filter((text) => text.includes(secret))
  expect(found).toEqual([])

  // A token and its hash.
  const token = (await api.post('/v2/tokens', { name: 'ci' })).body['token'] as { token: string }
  const hash = createHash('sha256').update(token.token).digest('hex')
  for (const path of ['/v2/configuration', '/v2/tokens']) {
    const { text } = await api.get(path)
    expect([text.includes(token.token), text.includes(hash)]).toEqual([false, false])
  }
}, 60_000)
