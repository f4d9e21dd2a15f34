import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import { createSluice } from 'sluice'
import { afterAll, describe, expect, it } from 'vitest'
import { shop } from '../support/scenes/shop.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-deduplication-'))
afterAll(() => rmSync(folder, { recursive: true }))

const stores = {
  memory: async () => createMemoryStore({ clock, random }),
  sqlite: () => openSqliteStore({ path: ':memory:', clock, random }),
}
const sandbox = { mode: 'in-process' as const }
const track = (messageId: string, userId = 'u') => ({ type: 'track', event: 'E', userId, messageId })

for (const [name, openStore] of Object.entries(stores))
  describe(`deduplication, ${name}`, () => {
    it('delivers each messageId once, however batches are repeated, and the sums agree', async () => {
      const batches = fc.array(fc.array(fc.integer({ min: 0, max: 15 }), { minLength: 1, maxLength: 6 }), {
        maxLength: 12,
      })
      await fc.assert(
        fc.asyncProperty(batches, fc.array(fc.nat(), { maxLength: 12 }), async (sent, repeated) => {
          const transport = createRecordingTransport(() => reply(200))
          const deduplication = { windowMs: 60_000 }
          const store = await openStore()
          const sluice = await createSluice({
            workspace: shop('http://hook.test'),
            store,
            transport,
            sandbox,
            deduplication,
          })
          const again = repeated.flatMap((n) => sent[n % Math.max(1, sent.length)] ?? []).map((id) => [id])
          const calls = [...sent, ...again].map((ids) => ids.map((id) => track(`m${id}`, `u${id % 3}`)))
          const answers = await Promise.all(calls.map((events) => sluice.ingest('web-key', events)))
          expect(answers.map((answer) => answer.ok && answer.messageIds)).toEqual(
            calls.map((events) => events.map(({ messageId }) => messageId)),
          )
          await sluice.settled()
          const delivered = transport.requests.map(({ body }) => String(body.JSON['messageId']))
          expect(delivered.sort()).toEqual([...new Set(calls.flat().map(({ messageId }) => messageId))].sort())
          const [source] = await sluice.stats()
          const received = calls.flat().length
          if (received > 0)
            expect(source).toMatchObject({
              received,
              accepted: delivered.length,
              duplicates: received - delivered.length,
              destinations: [{ accepted: delivered.length, delivered: delivered.length, pending: 0 }],
            })
          await sluice.stop()
        }),
        { numRuns: 15 },
      )
    })

    it('is off by default: all events are accepted', async () => {
      const sluice = await createSluice({ workspace: shop('http://hook.test'), store: await openStore(), sandbox })
      for (let n = 0; n < 2; n += 1) await sluice.ingest('web-key', [track('m'), track('m')])
      expect(await sluice.stats()).toMatchObject([{ accepted: 4, duplicates: 0 }])
      await sluice.stop()
    })
  })

describe('deduplication', () => {
  it('does not remember a suppressed event', async () => {
    const path = join(folder, 'sluice.db')
    const store = await openSqliteStore({ path, clock, random })
    const deduplication = { windowMs: 60_000 }
    const transport = createRecordingTransport(() => reply(200))
    const sluice = await createSluice({ workspace: shop('http://hook.test'), store, transport, sandbox, deduplication })
    const [regulation] = await sluice.regulations.create('shop', {
      regulationType: 'suppress',
      users: [{ userId: 'gone' }],
    })
    await sluice.ingest('web-key', [track('of-gone', 'gone'), track('of-other', 'other')])
    await sluice.regulations.cancel('shop', regulation?.id ?? '')
    // Would be a duplicate if the suppressed one had been remembered.
    await sluice.ingest('web-key', [track('of-gone', 'gone'), track('of-other', 'other')])
    expect(await sluice.stats()).toMatchObject([{ received: 4, suppressed: 1, duplicates: 1, accepted: 2 }])
    await sluice.settled()
    await sluice.stop()
  })
})
