import type { NewLogBatch, Store } from '@sluice/pipeline'
import { type CompletedCall, completeAgain } from '@sluice/pipeline/store'
import { describe, expect, it } from 'vitest'
import { type OpenStore, openStores } from '../open-stores.ts'
import { sampleBatch } from '../sample-records.ts'

/** The promises of the event log for events that are kept as they were sent: a reader sees no difference. */
export function describeRawEvents(name: string, open: OpenStore): void {
  describe(`events kept as they were sent: ${name}`, () => {
    const openStore = openStores(open)

    const receivedAt = Date.parse('2026-01-02T03:04:05.006Z')
    const call: CompletedCall = { receivedAt, type: 'batch', requestIp: '192.0.2.1', sentAt: '2026-01-01T00:00:00Z' }
    /** A batch of a body's events. */
    const batchOf = (text: string, more: Partial<CompletedCall> = {}): NewLogBatch => {
      const sent = JSON.parse(text)
      const completion = { events: sent.length, call: { ...call, ...more } }
      return sampleBatch({ receivedAt, events: completeAgain(sent, [completion]), raw: { text, completion } })
    }
    // A log may keep the events of each user apart.
    const read = async ({ log }: Store) =>
      (await log.read('w1', 0, 99)).flatMap(({ events }) => events.map((event) => JSON.stringify(event))).sort()
    const textsOf = (...batches: readonly NewLogBatch[]) =>
      batches.flatMap(({ events }) => events.map((event) => JSON.stringify(event))).sort()
    const text = `[
      {"type": "track", "userId": "u1", "messageId": "m1", "properties": {"a": [1, 2.50, "}],["]}},
      {"type":"page","userId":"\\u00fc2","timestamp":"2026-01-01T00:00:00+01:00"} , {"type":"track","userId":42.0,"messageId":"m3"}
    ]`

    it('are read complete', async () => {
      const store = await openStore()
      const batch = batchOf(text, { ids: { 1: 'made' } })
      const single = batchOf('[{"userId":"u1","event":"E"}]', { type: 'track', ids: { 0: 'also made' } })
      for (const each of [batch, single]) await store.log.append(each, [])
      expect(await read(store)).toEqual(textsOf(batch, single))
      expect((await store.log.usage('w1')).bytes).toBeGreaterThan(0)
    })

    it('are left out where they were accepted before', async () => {
      const store = await openStore()
      const window = { windowMs: 60_000, idsMax: 1_000 }
      const batch = batchOf(text, { ids: { 1: 'made' } })
      const first = batchOf('[{"type":"track","userId":"u1","messageId":"m1"}]')
      await store.log.appendNew(first, [], window)
      expect(await store.log.appendNew(batch, [], window)).toMatchObject({ duplicates: [0] })
      expect(await store.log.appendNew(batch, [], window)).toMatchObject({ duplicates: [0, 1, 2] })
      expect(await read(store)).toEqual(textsOf(first, { ...batch, events: batch.events.slice(1) }))
    })

    it('are forgotten by any identifier, however its text is written', async () => {
      const store = await openStore()
      const kept = batchOf('[{"type":"track","userId":"kept","messageId":"k","properties":{"userId":"u1"}}]')
      const written = [
        '{"userId" : "u1"}',
        '{"user\\u0049d":"u1"}',
        '{"userId":"\\u0075\\u0031"}',
        '{"anonymousId":"a","context":{"traits":{"id":\t"u1"}}}',
        '{"userId":1e1}',
        '{"userId":10.0}',
        '{"userId":"\\u00fc"}',
        '{"userId":"u\\u0308"}',
      ]
      for (const each of written) await store.log.append(batchOf(`[${each}]`, { ids: { 0: each } }), [])
      await store.log.append(kept, [])
      expect(await store.log.forgetUsers('w1', ['u1', '10', 'ü'])).toBe(written.length)
      expect(await store.log.forgetUsers('w1', ['u1', '10', 'ü'])).toBe(0)
      expect(await read(store)).toEqual([...textsOf(kept), ...written.map(() => '{}')].sort())
    })

    it('are all completed where one of them is forgotten', async () => {
      const store = await openStore()
      const batch = batchOf(text, { ids: { 1: 'made' } })
      await store.log.append(batch, [])
      expect(await store.log.forgetUsers('w1', ['u1'])).toBe(1)
      expect(await read(store)).toEqual([...textsOf({ ...batch, events: batch.events.slice(1) }), '{}'].sort())
    })
  })
}
