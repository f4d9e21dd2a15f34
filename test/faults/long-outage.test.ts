import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createManualClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { afterEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'

const minuteMs = 60_000
const users = ['a', 'b', 'c', 'd']
/** Large, so that events kept in memory would be visible in its size. */
const text = 'x'.repeat(30_000)
const eventsPerCall = 20
const waitingMax = 40

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
const usedBytes = (): number => {
  collect()
  return process.memoryUsage().heapUsed
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A pipeline with one destination that is down and one that is up; time advances only when the test says so. */
async function start(windowMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-outage-'))
  closing.push(() => rmSync(folder, { recursive: true }))
  const clock = createManualClock()
  const arrived = { down: [] as string[], live: [] as string[] }
  const state = { isBack: false, asked: 0 }
  const transport = createRecordingTransport(({ endpoint, body }) => {
    const isDown = endpoint.includes('down')
    if (isDown) state.asked += 1
    if (isDown && !state.isBack) return reply(503)
    arrived[isDown ? 'down' : 'live'].push(String(body.JSON['messageId']))
    return reply(200)
  }, 1)
  const store = await openSqliteStore({
    path: join(folder, 'sluice.db'),
    clock,
    random: systemRandom,
    synchronous: 'normal',
  })
  const sluice = await createSluice({
    workspace: {
      id: 'w',
      sources: [{ id: 's', writeKey: 'k' }],
      destinations: ['down', 'live'].map((id) => ({
        id,
        type: 'WEBHOOK',
        settings: { webhookUrl: `http://${id}.test/` },
      })),
      connections: ['down', 'live'].map((destination) => ({ source: 's', destination })),
    },
    store,
    transport,
    clock,
    sandbox: { mode: 'in-process' },
    retention: { ageMs: minuteMs, bytesMax: 1 },
    retries: { windowMs, eventsMax: waitingMax },
  })
  closing.push(() => sluice.stop(0))
  let sent = 0
  const send = async (): Promise<void> => {
    const events = Array.from({ length: eventsPerCall }, (_, n) => {
      const userId = users[n % users.length] ?? ''
      return { type: 'track', event: 'E', userId, messageId: `${userId}${sent + n}`, properties: { text } }
    })
    expect(await sluice.ingest('k', events)).toMatchObject({ ok: true })
    sent += eventsPerCall
  }
  /** Advances time until the condition holds. */
  const until = (isSo: () => boolean | Promise<boolean>): Promise<void> =>
    eventually(async () => {
      clock.advance(minuteMs)
      return isSo()
    }).toBe(true)
  const stats = async (id: string) =>
    (await sluice.stats())[0]?.destinations.find(({ destinationId }) => destinationId === id)
  return { clock, sluice, store, arrived, state, send, until, stats, sent: () => sent }
}

function expectOrder(messageIds: readonly string[], count: number): void {
  expect(messageIds).toHaveLength(count)
  for (const user of users) {
    const places = messageIds.filter((id) => id.startsWith(user)).map((id) => Number(id.slice(1)))
    expect(places, user).toEqual([...places].sort((a, b) => a - b))
  }
}

describe('a destination that is down for hours', () => {
  it('costs disk space, not memory; other destinations continue; and every event arrives in order, once, when it is back', async () => {
    const { clock, store, arrived, state, send, until, stats, sent } = await start(24 * 60 * minuteMs)
    const hours = 10
    const heap: number[] = []
    const calls = 50
    for (let call = 0; call < calls; call += 1) {
      await send()
      await until(() => arrived.live.length === sent())
      clock.advance((hours * 60 * minuteMs) / calls)
      if (call % 10 === 9) heap.push(usedBytes())
    }
    // The last events have arrived; their outcomes are committed shortly after.
    await until(async () => (await stats('live'))?.pending === 0)
    expect(await stats('live')).toMatchObject({ delivered: sent() })
    expect(await stats('down')).toMatchObject({ delivered: 0, failed: {}, pending: sent() })
    // Events beyond the bound of waiting events stay in the log, which retains one minute for those that are delivered.
    const waiting = await store.retries.entries('w', 'down')
    expect(waiting.length).toBeGreaterThanOrEqual(waitingMax)
    expect(waiting.length).toBeLessThan(waitingMax + 200)
    const cursor = (await store.log.cursors('w')).get('destination/down') ?? 0
    const kept = await store.log.read('w', cursor, 1_000)
    expect(kept.reduce((sum, { events }) => sum + events.length, 0)).toBe(sent() - waiting.length)
    // 24 MB have arrived since the bound was reached.
    const [first = 0, ...later] = heap
    expect(Math.max(...later) - first).toBeLessThan(12 * 1_024 ** 2)
    // A probe now and then.
    expect(state.asked).toBeLessThan(hours * 60 * 20)

    state.isBack = true
    await until(() => arrived.down.length >= sent())
    expectOrder(arrived.down, sent())
    await until(async () => (await stats('down'))?.pending === 0)
    expect(await stats('down')).toMatchObject({ delivered: sent(), failed: {} })
    await until(async () => (await store.log.read('w', 0, 1_000)).length < calls)
  })

  it('for longer than events may wait: all become dead letters, and are sent in order when they are replayed', async () => {
    const { sluice, store, arrived, state, send, until, stats, sent } = await start(60 * minuteMs)
    for (let call = 0; call < 3; call += 1) await send()
    await until(async () => (await stats('down'))?.pending === 0)
    expect(await stats('down')).toMatchObject({ delivered: 0, failed: { 'deliver.unavailable': sent() } })
    const letters = await sluice.deadLetters.list('w', { limit: 1_000 })
    expectOrder(
      letters.map(({ source }) => String(source.event['messageId'])),
      sent(),
    )
    expect(await store.retries.entries('w', 'down')).toEqual([])
    state.isBack = true
    await sluice.deadLetters.replay('w', { destinationId: 'down' })
    await until(() => arrived.down.length >= sent())
    expectOrder(arrived.down, sent())
  })
})
