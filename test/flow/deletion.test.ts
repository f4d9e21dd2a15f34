import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createManualClock, systemClock, systemRandom } from '@sluice/core'
import { type Answer, reply } from '@sluice/delivery'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import type { Sluice } from 'sluice'
import { afterAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ServeOptions, serveWorkspaces } from '../support/served-workspace.ts'

const workspace = {
  id: 'w1',
  sources: [{ id: 's1', writeKey: 'k1' }],
  destinations: [
    { id: 'amplitude', type: 'AM', settings: { apiKey: 'key', apiSecret: 'pw-secret' } },
    { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/in' } },
  ],
  connections: [{ source: 's1', destination: 'hook' }],
}
const deletionUrl = 'https://amplitude.com/api/2/deletions/users'

const folder = mkdtempSync(join(tmpdir(), 'sluice-deletion-'))
afterAll(() => rmSync(folder, { recursive: true }))
const serve = serveWorkspaces({ workspace, clock: systemClock })

async function start(answer: Answer = () => reply(200), options: ServeOptions = {}) {
  const { sluice, transport } = await serve({ answer, ...options })
  const deleted = () =>
    transport.requests.flatMap(({ endpoint, body }) => (endpoint === deletionUrl ? [body.JSON['user_ids']] : []))
  return { sluice, transport, deleted }
}

async function regulate(sluice: Sluice, users: readonly Record<string, string>[], destinationIds?: readonly string[]) {
  const named = destinationIds ? { destinationIds } : {}
  return sluice.regulations.create('w1', { regulationType: 'suppress_with_delete', users, ...named })
}

const jobs = async (sluice: Sluice, { id }: { readonly id: string }) =>
  (await sluice.deletions.ofRegulation('w1', id)).map(({ destinationId, status, reason }) => [
    destinationId,
    status,
    ...(reason === undefined ? [] : [reason]),
  ])

const ofSluice = ['', 'complete']
const unsupported = ['hook', 'aborted', 'destination not supported: Webhook cannot delete users']

describe('deletion of users', () => {
  it('is done at every destination that supports it, in batches of users, and gives the reason for the others', async () => {
    const { sluice, deleted } = await start()
    const [first, second] = await regulate(sluice, [{ userId: 'u1', email: 'u1@x.test' }, { userId: 'u2' }])
    if (!first || !second) throw new Error('nothing was regulated')
    for (const regulation of [first, second])
      await eventually(() => jobs(sluice, regulation)).toEqual([ofSluice, ['amplitude', 'complete'], unsupported])
    expect(deleted()).toEqual([['u1', 'u2']])
  })

  it('is sent only to the named destinations', async () => {
    const { sluice } = await start()
    const [regulation] = await regulate(sluice, [{ userId: 'u1' }], ['hook'])
    await eventually(() => jobs(sluice, regulation as { id: string })).toEqual([ofSluice, unsupported])
  })

  it('is retried with growing waits, and given up after five tries with a reason that contains no secret', async () => {
    const clock = createManualClock()
    const { sluice, deleted } = await start(() => reply(500, 'key:pw-secret is busy'), { clock })
    const [regulation] = await regulate(sluice, [{ userId: 'u1' }], ['amplitude'])
    const status = async () => (await jobs(sluice, regulation as { id: string }))[1]
    for (const tries of [1, 2, 3, 4]) {
      await eventually(async () => deleted().length).toBe(tries)
      await eventually(async () => (await status())?.[1]).toBe('failed')
      clock.advance(6 * 3_600_000)
    }
    await eventually(async () => (await status())?.[1]).toBe('aborted')
    expect(deleted()).toHaveLength(5)
    expect((await status())?.[2]).toMatch(/^given up after 5 tries: amplitude\.com: It answered 500\./)
    expect(JSON.stringify(await status())).not.toContain('pw-secret')
  })

  it('resumes after a restart, without repeating finished work', async () => {
    const path = join(folder, 'restart.db')
    const clock = createManualClock()
    const open = () => openSqliteStore({ path, clock, random: systemRandom, synchronous: 'normal' })
    const before = await start(({ endpoint }) => reply(endpoint === deletionUrl ? 503 : 200), {
      store: await open(),
      clock,
    })
    const [regulation] = await regulate(before.sluice, [{ userId: 'u1' }])
    const waiting = [ofSluice, ['amplitude', 'failed', expect.any(String)], unsupported]
    await eventually(() => jobs(before.sluice, regulation as { id: string })).toEqual(waiting)
    await before.sluice.stop()
    clock.advance(3_600_000)
    const after = await start(() => reply(200), { store: await open(), clock })
    await eventually(async () => (await jobs(after.sluice, regulation as { id: string }))[1]).toEqual([
      'amplitude',
      'complete',
    ])
    expect(after.deleted()).toEqual([['u1']])
  })

  it('is aborted when the regulation is cancelled before it is done, and stays as it is when that comes later', async () => {
    const clock = createManualClock()
    const { sluice } = await start(() => reply(503), { clock })
    const [regulation] = await regulate(sluice, [{ userId: 'u1' }])
    if (!regulation) throw new Error('nothing was regulated')
    const statuses = async () => (await jobs(sluice, regulation)).map(([, status]) => status)
    await eventually(statuses).toEqual(['complete', 'failed', 'aborted'])
    await sluice.regulations.cancel('w1', regulation.id)
    expect(await jobs(sluice, regulation)).toEqual([ofSluice, ['amplitude', 'aborted', 'cancelled'], unsupported])
  })

  it('removes the user from Sluice itself: log, deferred events, dead letters, samples and values', async () => {
    const store = createMemoryStore({ clock: createManualClock(), random: systemRandom })
    let status = 400
    const { sluice, transport } = await start(() => reply(status), { store })
    const track = (userId: string, canary: string) => ({ type: 'track', event: 'E', userId, properties: { canary } })
    await sluice.ingest('k1', [track('gone', 'canary-1'), track('stays', 'other')])
    await sluice.settled()
    status = 503
    await sluice.ingest('k1', [track('gone', 'canary-2')])
    await eventually(async () => (await store.retries.ofUser('w1', 'gone')).length).toBe(1)
    const [regulation] = await regulate(sluice, [{ userId: 'gone' }])
    await eventually(async () => (await jobs(sluice, regulation as { id: string }))[0]).toEqual(ofSluice)
    const models = await sluice.catalogue.models('w1')
    const texts = [
      JSON.stringify(await store.log.read('w1', 0, 100)),
      JSON.stringify(await store.deadLetters.list('w1', { limit: 100 })),
      JSON.stringify(await store.retries.entries('w1', 'hook')),
      JSON.stringify(models),
    ]
    for (const text of texts) {
      expect(text).not.toContain('canary-')
      expect(text).not.toContain('gone')
    }
    expect(texts[0]).toContain('stays')
    const [source] = await sluice.stats()
    expect(source?.destinations[0]).toMatchObject({ accepted: 3, pending: 0, dropped: { suppressed: 1 } })
    expect(transport.requests.length).toBeGreaterThan(0)
  })

  it('removes every frequent value and sample that contains one of the identifiers, whatever the key', async () => {
    const store = createMemoryStore({ clock: createManualClock(), random: systemRandom })
    const { sluice } = await start(() => reply(200), { store })
    const mentions = ['mail of Ana-Gone', 'gone@shop.test?x', 'call +49 170 1', '/users/ana-gone/orders', 'other']
    await sluice.ingest('k1', [
      { type: 'track', event: 'E', userId: 'ana-gone', properties: { note: 'own' } },
      ...mentions.map((note) => ({ type: 'track', event: 'E', userId: 'stays', properties: { note, also: note } })),
    ])
    await sluice.settled()
    const shown = async () => {
      const [model] = await sluice.catalogue.models('w1')
      const { frequentValues, sampledEvents } = (await sluice.catalogue.modelMetadata('w1', model?.eventId ?? '')) ?? {}
      return JSON.stringify([frequentValues, sampledEvents])
    }
    expect(await shown()).toContain('mail of Ana-Gone')
    const [regulation] = await regulate(sluice, [{ userId: 'ana-gone', email: 'gone@shop.test', phone: '+49 170 1' }])
    await eventually(async () => (await jobs(sluice, regulation as { id: string }))[0]).toEqual(ofSluice)
    const left = await shown()
    for (const gone of ['ana-gone', 'gone@shop.test', '+49 170 1']) expect(left.toLowerCase()).not.toContain(gone)
    expect(left).toContain('other')
    expect(left).toContain('stays')
  })

  it('removes the frequent values that only the user has sent, and keeps those of others', async () => {
    const store = createMemoryStore({ clock: createManualClock(), random: systemRandom })
    const { sluice } = await start(() => reply(200), { store })
    const address = (userId: string, street: string, contact: string) => ({
      type: 'identify',
      userId,
      traits: { address: { street, city: 'Ulm' }, contact },
    })
    await sluice.ingest('k1', [
      address('gone', 'Hauptstr. 7', 'Mia Muster'),
      address('gone', 'Hauptstr. 7', 'Mia Muster'),
      address('stays', 'Nebenstr. 1', 'Max Muster'),
    ])
    await sluice.settled()
    const [regulation] = await regulate(sluice, [{ userId: 'gone' }])
    await eventually(async () => (await jobs(sluice, regulation as { id: string }))[0]).toEqual(ofSluice)
    const [model] = await sluice.catalogue.models('w1')
    const values = JSON.stringify((await sluice.catalogue.modelMetadata('w1', model?.eventId ?? ''))?.frequentValues)
    for (const gone of ['Hauptstr', 'Mia']) expect(values).not.toContain(gone)
    for (const kept of ['Ulm', 'Nebenstr. 1', 'Max Muster']) expect(values).toContain(kept)
  })

  it('does not wait for a destination that is down and for which events wait', async () => {
    const clock = systemClock
    const store = createMemoryStore({ clock, random: systemRandom })
    const { sluice, transport } = await start(() => reply(503), {
      store,
      delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 1 } },
      retries: { backoff: { baseMs: 1, capMs: 1 } },
    })
    const track = (userId: string) => ({ type: 'track', event: 'E', userId })
    const others = Array.from({ length: 60 }, (_, n) => `other-${n}`)
    await sluice.ingest(
      'k1',
      Array.from({ length: 100 }, () => track('waits')),
    )
    const waiting = async (userId: string) => (await store.retries.ofUser('w1', userId)).length
    await eventually(() => waiting('waits')).toBe(100)
    // After so many failures the destination is left alone, and new requests wait.
    await eventually(async () => transport.requests.length).toBeGreaterThan(4)
    await sluice.ingest('k1', [...others, 'last'].map(track))
    // Their turn behind those that failed comes within a few turns of the loop; no event signals that they wait.
    for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate)
    const regulations = await regulate(sluice, [{ userId: 'waits' }, { userId: 'last' }])
    for (const regulation of regulations)
      await eventually(() => jobs(sluice, regulation)).toEqual([
        ofSluice,
        ['amplitude', 'failed', expect.any(String)],
        unsupported,
      ])
    expect([await waiting('waits'), await waiting('last')]).toEqual([0, 0])
    const [source] = await sluice.stats()
    expect(source?.destinations[0]).toMatchObject({ accepted: 161, pending: 60, dropped: { suppressed: 101 } })
  })

  it('does not use up the hourly limit when it cannot be stored', async () => {
    const { regulations, ...store } = createMemoryStore({ clock: systemClock, random: systemRandom })
    let isBroken = true
    const add: typeof regulations.add = (...given) =>
      isBroken ? Promise.reject(new Error('the disk is full')) : regulations.add(...given)
    const { sluice } = await start(() => reply(200), {
      store: { ...store, regulations: { ...regulations, add } },
      deletionsPerHour: 3,
    })
    for (let tries = 0; tries < 2; tries += 1)
      await expect(regulate(sluice, [{ userId: 'u1' }])).rejects.toThrow('the disk is full')
    isBroken = false
    expect(await regulate(sluice, [{ userId: 'u1' }])).toHaveLength(1)
  })

  it('is refused when the hourly limit is reached, and nothing of the request is kept', async () => {
    const { sluice } = await start(() => reply(200), { deletionsPerHour: 6 })
    await regulate(sluice, [{ userId: 'u1' }])
    await expect(regulate(sluice, [{ userId: 'u2' }, { userId: 'u3' }])).rejects.toThrow('exceed what is left of the 6')
    expect((await sluice.regulations.list('w1', { limit: 9 })).regulations).toHaveLength(1)
    await regulate(sluice, [{ userId: 'u2' }])
  })
})
