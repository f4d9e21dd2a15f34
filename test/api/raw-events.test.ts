import { systemClock as clock, systemRandom as random } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { shop } from '../support/scenes/shop.ts'

const authorization = `Basic ${btoa('web-key:')}`

describe('the events of a call in the log', () => {
  const closing: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closing.splice(0)) await close()
  })

  /** Sends a body to a new pipeline. @returns how many bytes its log has, and what a reader gets of it. */
  async function logged(path: string, body: string, contentType = 'application/json') {
    // Without a cache, so that what is read was stored.
    const store = await openSqliteStore({ path: ':memory:', clock, random, recentBytesMax: 0 })
    const sluice = await createSluice({ workspace: shop('http://hook.test/'), store, sandbox: { mode: 'in-process' } })
    closing.push(() => sluice.stop(0))
    const headers = { authorization, 'content-type': contentType }
    const answer = await sluice.fetch(new Request(`http://sluice.test${path}`, { method: 'POST', headers, body }))
    expect(answer.status).toBe(200)
    const [batch] = await store.log.read('shop', 0, 1)
    return { bytes: (await store.log.usage('shop')).bytes, events: batch?.events ?? [] }
  }
  const first = { type: 'track', event: 'Bought', userId: 'u1', messageId: 'm1' }
  const second = { type: 'page', anonymousId: 'a2', properties: { ü: [1.5, null] } }

  it('are kept as they were sent, and read complete', async () => {
    const list = JSON.stringify([first, second])
    for (const sentAt of [undefined, '2026-01-02T03:04:05.006Z']) {
      const { bytes, events } = await logged('/v1/batch', JSON.stringify({ batch: [first, second], sentAt }))
      expect(bytes).toBe(Buffer.byteLength(list))
      const complete = {
        rudderId: expect.any(String),
        receivedAt: expect.any(String),
        sentAt: sentAt ?? expect.any(String),
      }
      expect(events).toEqual([
        expect.objectContaining({ ...first, ...complete }),
        expect.objectContaining({ ...second, ...complete, messageId: expect.any(String) }),
      ])
    }
    const text = '{ "event": "Bought",\n "userId": "u1" }'
    const { bytes, events } = await logged('/v1/track', text)
    expect(bytes).toBe(text.length + 2)
    expect(events[0]).toMatchObject({ type: 'track', event: 'Bought', userId: 'u1', messageId: expect.any(String) })
  })

  it('are without write keys and without what is not theirs, wherever a sender puts it', async () => {
    const secret = 'web-key'
    for (const body of [
      { batch: [first, { ...second, writeKey: secret }] },
      { batch: [first], writeKey: secret },
      { batch: [first], context: { note: secret } },
    ]) {
      const { bytes, events } = await logged('/v1/batch', JSON.stringify(body))
      // They are stored complete.
      expect(bytes).toBe(Buffer.byteLength(JSON.stringify(events)))
      expect(JSON.stringify(events)).not.toContain(secret)
    }
    const { events } = await logged('/v1/track', JSON.stringify({ ...first, writeKey: secret }))
    expect(JSON.stringify(events)).not.toContain(secret)
  })
})
