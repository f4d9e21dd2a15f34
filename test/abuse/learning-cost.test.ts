import { systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createMemoryStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ApiClient, createApiClient, hashOf } from '../support/http/api-client.ts'

let sluice: Sluice
let api: ApiClient
/** Event shapes in each commit of an observer. */
let shapesPerCommit: number[]

function workspace(id: string) {
  return {
    id,
    accessTokens: [{ name: 'token', token: hashOf(`token-${id}`) }],
    sources: [{ id: 'web', writeKey: `key-${id}` }],
    destinations: [],
    connections: [],
  }
}

beforeEach(async () => {
  shapesPerCommit = []
  const store = createMemoryStore({ clock: systemClock, random: systemRandom })
  const log: typeof store.log = {
    ...store.log,
    commit(progress) {
      if (progress.observed !== undefined) shapesPerCommit.push(progress.observed.versions.length)
      return store.log.commit(progress)
    },
  }
  sluice = await createSluice({
    store: { ...store, log },
    workspace: { workspaces: [workspace('a'), workspace('b')] },
    transport: createRecordingTransport(() => reply(200)),
    admin: { user: 'admin', password: 'password' },
    sandbox: { mode: 'in-process' },
  })
  api = await createApiClient(sluice, 'Bearer token-b')
})
afterEach(() => sluice.stop())

const post = async (id: string, batch: readonly object[]): Promise<void> => {
  const headers = { authorization: `Basic ${Buffer.from(`key-${id}:`).toString('base64')}` }
  const request = new Request('http://x/v1/batch', { method: 'POST', headers, body: JSON.stringify({ batch }) })
  expect((await sluice.fetch(request)).status).toBe(200)
}
const track = (event: string, properties: object = {}) => ({ type: 'track', userId: 'u', event, properties })
const floods: Readonly<Record<string, readonly object[]>> = {
  '20,000 new event names in a request': Array.from({ length: 20_000 }, (_, n) => track(`name ${n}`)),
  '2,000 events with new keys': Array.from({ length: 2_000 }, (_, n) =>
    track('Known', Object.fromEntries(Array.from({ length: 100 }, (_, key) => [`key ${n} ${key}`, key]))),
  ),
}

describe('what a sender with a public write key can make the catalogue learn', () => {
  for (const [name, flood] of Object.entries(floods))
    it(`${name}: at most a tenth of it is learnt, the rest is counted and reported; the other workspace learns as before`, async () => {
      await post('a', flood)
      await post('b', [track('Bought', { price: 1 }), track('Bought', { price: 2 })])
      await sluice.settled()
      const [stats] = await sluice.stats('a')
      expect(stats?.accepted).toBe(flood.length)
      expect(stats?.countedOnly).toBeGreaterThan(0.9 * flood.length)
      const models = await sluice.catalogue.models('a')
      const learnt = await Promise.all(models.map(({ eventId }) => sluice.catalogue.versions('a', eventId)))
      expect(learnt.flat().length).toBeLessThan(0.1 * flood.length)

      const [bought, ...others] = await sluice.catalogue.models('b')
      expect(others).toEqual([])
      expect(await sluice.catalogue.keyCounts('b', bought?.eventId ?? '')).toMatchObject({ 'properties.price': 2 })
      expect(await sluice.stats('b')).toMatchObject([{ accepted: 2, countedOnly: 0 }])
      expect((await api.get('/metrics')).text).toContain(
        'sluice_events_counted_only_total{workspace="b",source="web"} 0\n',
      )
      const seen = await api.as('Bearer token-a').get('/metrics')
      expect(seen.text).toContain(
        `sluice_events_counted_only_total{workspace="a",source="web"} ${stats?.countedOnly}\n`,
      )
    })

  it('is committed in parts: while a store writes hundreds of shapes, other workspaces wait for it', async () => {
    for (let n = 0; n < 12; n += 1)
      await post(
        'a',
        Array.from({ length: 100 }, (_, i) => track(`name ${n} ${i}`)),
      )
    await sluice.settled()
    // One read may hold a few more requests than reach the limit of 200.
    expect(Math.max(...shapesPerCommit)).toBeLessThan(300)
    expect(shapesPerCommit.reduce((sum, shapes) => sum + shapes, 0)).toBeGreaterThan(1_000)
  })
})
