import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock as clock, systemRandom as random, StoreFullError } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { expect, it } from 'vitest'
import { basic } from '../support/http/api-client.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

it('a disk that fills up under a running pipeline: senders get 503, nothing acknowledged is lost, and work resumes once there is room', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-disk-full-'))
  const path = join(folder, 'sluice.db')
  let isDown = true
  const broken: unknown[] = []
  const receiver = await startReceiver(() => (isDown ? 503 : 200))
  const start = async (fileBytesMax?: number) => {
    const store = await openSqliteStore({ path, clock, random, fileBytesMax: fileBytesMax || undefined })
    return createSluice({
      workspace: shop(receiver.url),
      store,
      onError: (error) => {
        if (!(error instanceof StoreFullError)) broken.push(error)
      },
      allowAddresses: ['localhost'],
      sandbox: { mode: 'in-process' },
      delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 5 } },
      retries: { windowMs: 3_600_000, backoff: { baseMs: 10, capMs: 50 } },
    })
  }
  let sent = 0
  const send = async (sluice: Awaited<ReturnType<typeof start>>): Promise<number> => {
    const batch = Array.from({ length: 5 }, (_, n) => {
      const messageId = `m${sent * 5 + n}`
      return { type: 'track', event: 'E', userId: `u${n}`, messageId, properties: { text: 'x'.repeat(4_000) } }
    })
    const response = await sluice.fetch(
      new Request('http://sluice.test/v1/batch', {
        method: 'POST',
        headers: { authorization: basic('web-key', '') },
        body: JSON.stringify({ batch }),
      }),
    )
    if (response.status === 200) sent += 1
    else expect(response.headers.get('retry-after')).toBe('5')
    return response.status
  }

  const full = await start(2_000_000)
  const statuses = new Set<number>()
  while (!statuses.has(503)) statuses.add(await send(full))
  expect([...statuses]).toEqual([200, 503])
  expect(sent).toBeGreaterThan(10)
  expect(broken).toEqual([])
  await full.stop(1_000)

  isDown = false
  const roomy = await start()
  expect(await send(roomy)).toBe(200)
  await roomy.settled()
  const taken = new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId))
  expect(Array.from({ length: sent * 5 }, (_, n) => `m${n}`).filter((messageId) => !taken.has(messageId))).toEqual([])
  const [stats] = await roomy.stats()
  expect(stats).toMatchObject({ accepted: sent * 5, destinations: [{ delivered: sent * 5, failed: {}, pending: 0 }] })
  await roomy.stop()
  await receiver.close()
  rmSync(folder, { recursive: true })
})
