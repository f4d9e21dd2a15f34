import { systemClock as clock, systemRandom as random } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import { createSluice, type Sluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { basic } from '../support/http/api-client.ts'
import { shop } from '../support/scenes/shop.ts'

const opened: Sluice[] = []
afterEach(async () => {
  for (const sluice of opened.splice(0)) await sluice.stop()
})

/** Posts a body. @returns the log behind it, which is read from its rows. */
async function logOf(path: string, body: string): Promise<Store['log']> {
  const store = await openSqliteStore({ path: ':memory:', clock, random, recentBytesMax: 1 })
  const workspace = shop('https://hook.test/in', { connections: [] })
  const sluice = await createSluice({ store, workspace })
  opened.push(sluice)
  const headers = { authorization: basic('web-key', ''), 'content-type': 'application/json' }
  const answer = await sluice.fetch(new Request(`http://sluice.test${path}`, { method: 'POST', headers, body }))
  expect(answer.status).toBe(200)
  return store.log
}

const event = (n: number) => ({ type: 'track', event: 'E', userId: `u${n}`, messageId: `m${n}` })
const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const idsOf = (batches: Awaited<ReturnType<Store['log']['read']>>) =>
  batches.flatMap(({ events }) => events.map(({ messageId }) => messageId))

describe('a call whose events are kept as they were sent', () => {
  it('takes as much of the log as its events, as one event or as a batch', async () => {
    const batch = [event(1), event(2)]
    for (const [path, body, kept] of [
      ['/v1/track', event(1), [event(1)]],
      ['/v1/batch', { batch, sentAt: '2026-01-02T03:04:05.006Z' }, batch],
      ['/v1/import', { batch }, batch],
    ] as const) {
      const log = await logOf(path, JSON.stringify(body))
      expect((await log.usage('shop')).bytes, path).toBe(sizeOf(kept))
    }
  })

  it('has no write key in the log', async () => {
    const batch = [{ ...event(1), writeKey: 'web-key' }, event(2)]
    for (const body of [{ batch }, { batch: [event(1)], writeKey: 'web-key' }]) {
      const log = await logOf('/v1/batch', JSON.stringify(body))
      const events = (await log.read('shop', 0, 10)).flatMap((kept) => kept.events)
      expect(events.length).toBe(body.batch.length)
      expect(events.some((each) => 'writeKey' in each)).toBe(false)
    }
  })

  it('has each event once in the log, however many there are', async () => {
    const batch = Array.from({ length: 4_100 }, (_, n) => event(n))
    const log = await logOf('/v1/batch', JSON.stringify({ batch }))
    expect(idsOf(await log.read('shop', 0, 10))).toEqual(batch.map(({ messageId }) => messageId))
  })
})
