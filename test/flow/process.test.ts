import { createManualClock, systemRandom } from '@sluice/core'
import { type Answer, reply } from '@sluice/delivery'
import type { Store } from '@sluice/pipeline'
import { createMemoryStore } from '@sluice/storage'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { serveWorkspaces } from '../support/served-workspace.ts'

const serve = serveWorkspaces({
  workspace: {
    id: 'w',
    sources: [{ id: 's', writeKey: 'k' }],
    destinations: [
      { id: 'hook', type: 'WEBHOOK', settings: { webhookUrl: 'http://hook.test/' } },
      { id: 'off', type: 'WEBHOOK', enabled: false, settings: { webhookUrl: 'http://off.test/' } },
    ],
    connections: ['hook', 'off'].map((destination) => ({ source: 's', destination })),
  },
  delivery: { retry: { attemptsMax: 2, baseMs: 1, capMs: 1 } },
})

async function start(answer: Answer = () => reply(200), changed: (store: Store) => Store = (store) => store) {
  const store = changed(createMemoryStore({ clock: createManualClock(), random: systemRandom }))
  const { sluice, transport } = await serve({ answer, store })
  return { sluice, store, transport }
}

const track = (userId: string, messageId: string) => ({ type: 'track', event: 'E', userId, messageId })

describe('processing without a log', () => {
  it('returns the result of each event at each destination, and keeps no event', async () => {
    const { sluice, store, transport } = await start(({ body }) =>
      reply(body.JSON['messageId'] === 'bad' ? 400 : 200, 'as you say'),
    )
    const result = await sluice.process('k', [track('u1', 'good'), track('u2', 'bad')])
    const off = { destinationId: 'off', outcome: 'dropped', reason: 'destination is disabled' }
    expect(result).toMatchObject({
      ok: true,
      events: [
        { messageId: 'good', destinations: [{ destinationId: 'hook', outcome: 'delivered', outputs: 1 }, off] },
        { messageId: 'bad', destinations: [{ destinationId: 'hook', outcome: 'failed', outputs: 0 }, off] },
      ],
      rejected: [],
    })
    expect(transport.requests).toHaveLength(2)
    expect(await store.log.end('w')).toBe(0)
    expect(await sluice.deadLetters.list('w', { limit: 9 })).toEqual([])
  })

  it('is counted and observed like any other event', async () => {
    const { sluice } = await start()
    await sluice.process('k', [track('u1', 'a'), track('u1', 'b')])
    await sluice.ingest('k', [track('u1', 'c')])
    await sluice.settled()
    await eventually(async () => (await sluice.stats())[0]).toMatchObject({
      received: 3,
      accepted: 3,
      destinations: [{ accepted: 3, delivered: 3, pending: 0 }, {}],
    })
    await eventually(async () => (await sluice.catalogue.models('w'))[0]?.totalCount).toBe(3)
  })

  it('loses no count and no shape while the store fails', async () => {
    let failures = 0
    const failing = async (): Promise<void> => {
      failures += 1
      if (failures <= 2) throw new Error('the disk is gone')
    }
    const { sluice } = await start(undefined, (store) => ({
      ...store,
      counters: { ...store.counters, add: (counts) => failing().then(() => store.counters.add(counts)) },
      schema: { ...store.schema, merge: (id, delta) => failing().then(() => store.schema.merge(id, delta)) },
    }))
    await sluice.process('k', [track('u1', 'a')])
    await eventually(() => failures).toBeGreaterThan(0)
    await sluice.process('k', [track('u1', 'b')])
    await eventually(async () => (await sluice.catalogue.models('w'))[0]?.totalCount).toBe(2)
    expect((await sluice.stats())[0]).toMatchObject({ received: 2, accepted: 2, destinations: [{ delivered: 2 }, {}] })
    expect(failures).toBeGreaterThan(2)
  })

  it('suppresses: a suppressed event has no result and is only counted', async () => {
    const { sluice, transport } = await start()
    await sluice.regulations.create('w', {
      regulationType: 'suppress',
      users: [{ userId: 'gone' }],
    })
    const result = await sluice.process('k', [track('gone', 'a'), track('stays', 'b')])
    expect(result).toMatchObject({ events: [{ messageId: 'a', destinations: [] }, { destinations: [{}, {}] }] })
    expect(transport.requests.map(({ body }) => body.JSON['userId'])).toEqual(['stays'])
    await eventually(async () => (await sluice.stats())[0]).toMatchObject({ received: 2, suppressed: 1, accepted: 1 })
  })

  it('runs one call at a time, in order, so that events of one user stay in order', async () => {
    let underWay = 0
    let most = 0
    const { sluice, transport } = await start(async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise((resolve) => setTimeout(resolve, 2))
      underWay -= 1
      return reply(200)
    })
    const ids = Array.from({ length: 20 }, (_, n) => `m${n}`)
    await Promise.all(ids.map((id) => sluice.process('k', [track('u', id)])))
    expect(transport.requests.map(({ body }) => body.JSON['messageId'])).toEqual(ids)
    expect(most).toBe(1)
  })

  it('lets many calls wait, without a warning of Node about listeners', async () => {
    const { sluice } = await start()
    const warnings: string[] = []
    const noted = (warning: Error): void => void warnings.push(warning.name)
    process.on('warning', noted)
    await Promise.all(Array.from({ length: 20 }, (_, n) => sluice.process('k', [track('u', `m${n}`)])))
    // Node emits warnings in a turn of their own.
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', noted)
    expect(warnings).toEqual([])
  })

  it('can be aborted, waiting or under way: it rejects with the reason, and nothing of it is counted', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { sluice, transport } = await start(async () => {
      await held
      return reply(200)
    })
    const giveUp = new AbortController()
    const first = sluice.process('k', [track('u', 'a')], { signal: giveUp.signal })
    const second = sluice.process('k', [track('u', 'b')], { signal: giveUp.signal })
    const outcomes = Promise.allSettled([first, second])
    await eventually(() => transport.requests.length).toBe(1)
    giveUp.abort(new Error('the queue takes it back'))
    release()
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'the queue takes it back' } })
    expect(transport.requests).toHaveLength(1)
    await sluice.process('k', [track('u', 'c')])
    await eventually(async () => (await sluice.stats())[0]?.received).toBe(1)
  })

  it('refuses what ingestion refuses, and everything once the pipeline has stopped', async () => {
    const { sluice } = await start()
    expect(await sluice.process('unknown', [track('u', 'a')])).toMatchObject({ ok: false, code: 'writeKeyUnknown' })
    expect(await sluice.process('k', [{ type: 'track' }])).toMatchObject({ ok: false, code: 'identityMissing' })
    expect(
      await sluice.process('k', [{ type: 'track' }, track('u', 'a')], { onInvalid: 'refuse-event' }),
    ).toMatchObject({ ok: true, events: [{ messageId: 'a' }], rejected: [{ index: 0 }] })
    await sluice.stop()
    expect(await sluice.process('k', [track('u', 'a')])).toMatchObject({ ok: false, code: 'unavailable' })
  })

  it('delays stopping the pipeline by no more than the stop time', async () => {
    const { sluice, transport } = await start(() => new Promise(() => {}))
    const call = sluice.process('k', [track('u', 'a')])
    await eventually(() => transport.requests.length).toBe(1)
    await sluice.stop(20)
    expect(await call).toMatchObject({ ok: false, code: 'unavailable' })
  })
})
