import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createManualClock, systemClock, systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'

const hourMs = 3_600_000

/** The real time plus jumps of the hour. Timers last as long as usual, as on a real machine. */
function createJumpingClock() {
  let offset = 0
  let sleeps = 0
  const clock: Clock = {
    now: () => Date.now() + offset,
    sleep: (milliseconds, signal) => {
      sleeps += 1
      return systemClock.sleep(milliseconds, signal)
    },
  }
  const jump = (milliseconds: number): void => {
    offset += milliseconds
  }
  return { clock, jump, sleeps: () => sleeps }
}

describe('a clock that jumps', () => {
  it('loses no event that is being ingested, retried or delivered, and no timer spins', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-clock-'))
    const { clock, jump, sleeps } = createJumpingClock()
    let asked = 0
    const receiver = await startReceiver(() => {
      asked += 1
      return asked % 3 === 0 ? 503 : 200
    })
    const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock, random: systemRandom })
    const sluice = await createSluice({
      workspace: shop(receiver.url),
      store,
      clock,
      allowAddresses: ['localhost'],
      sandbox: { mode: 'in-process' },
      delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 5 }, circuit: { failuresMax: 1_000 } },
      retries: { windowMs: 240 * hourMs, backoff: { baseMs: 20, capMs: 100 } },
    })
    const sent: string[] = []
    for (const hours of [5, -10, 3, -4, 25, -30]) {
      for (let n = 0; n < 5; n += 1) {
        const messageId = `m${sent.length}`
        const { ok } = await sluice.ingest('web-key', [{ type: 'track', event: 'E', userId: `u${n}`, messageId }])
        if (ok) sent.push(messageId)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      jump(hours * hourMs)
    }
    await sluice.settled()
    const taken = new Set(receiver.received.map(({ body }) => JSON.parse(body).messageId))
    expect(sent).toHaveLength(30)
    expect(sent.filter((messageId) => !taken.has(messageId))).toEqual([])
    const [stats] = await sluice.stats()
    expect(stats?.destinations).toMatchObject([{ accepted: 30, delivered: 30, failed: {}, dropped: {}, pending: 0 }])
    // A timer that spins sleeps thousands of times; each of 30 events has a few attempts.
    expect(sleeps()).toBeLessThan(1_000)
    await sluice.stop()
    await receiver.close()
    rmSync(folder, { recursive: true })
  })

  describe('ahead while events are deferred, and is set back between two processes', () => {
    /** Defers events while the clock is a day ahead, and starts again at the right time. */
    async function restarted(userIds: readonly string[], statusAfterwards: number) {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-clock-'))
      const clock = createManualClock()
      let status = 503
      const start = async () => {
        const path = join(folder, 'sluice.db')
        const store = await openSqliteStore({ path, clock, random: systemRandom, thread: 'this' })
        const sluice = await createSluice({
          workspace: shop('http://hook.test/'),
          store,
          clock,
          transport: createRecordingTransport(() => reply(status)),
          sandbox: { mode: 'in-process' },
          delivery: { retry: { attemptsMax: 1, baseMs: 1, capMs: 5 }, circuit: { failuresMax: 1_000 } },
        })
        return { store, sluice }
      }
      const ahead = await start()
      clock.advance(24 * hourMs)
      await ahead.sluice.ingest(
        'web-key',
        userIds.map((userId) => ({ type: 'track', event: 'E', userId })),
      )
      const waiting = async () => (await ahead.store.retries.entries('shop', 'hook')).length
      await eventually(waiting).toBe(userIds.length)
      await ahead.sluice.stop()
      clock.advance(-24 * hourMs)
      status = statusAfterwards
      const { sluice } = await start()
      const end = async (): Promise<void> => {
        await sluice.stop()
        rmSync(folder, { recursive: true })
      }
      return { clock, sluice, end }
    }

    it('tries them at once', async () => {
      const { sluice, end } = await restarted(['a', 'b', 'c'], 200)
      await sluice.settled()
      const [stats] = await sluice.stats()
      expect(stats?.destinations).toMatchObject([{ delivered: 3, pending: 0 }])
      await end()
    })

    it('gives them up as early as others', async () => {
      const { sluice, clock, end } = await restarted(['a'], 503)
      let steps = 0
      for (; (await sluice.stats())[0]?.destinations[0]?.pending !== 0 && steps < 100; steps += 1) {
        clock.advance(300_000)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      // Three hours are 36 steps; some pass before the queue looks.
      expect(steps).toBeLessThan(80)
      await end()
    })
  })

  it('keeps every batch that a consumer still needs, however far the time has advanced', async () => {
    const clock = createManualClock()
    const folder = mkdtempSync(join(tmpdir(), 'sluice-clock-'))
    const store = await openSqliteStore({ path: join(folder, 'sluice.db'), clock, random: systemRandom })
    const { log } = store
    await log.register('w', 'slow')
    const batch = { workspaceId: 'w', sourceId: 's', writeKey: 'k', receivedAt: clock.now(), destinationIds: ['slow'] }
    const positions: number[] = []
    for (let n = 0; n < 3; n += 1) positions.push(await log.append({ ...batch, events: [{ messageId: `m${n}` }] }, []))
    await log.commit({ workspaceId: 'w', consumer: 'slow', position: positions[0] ?? 0, counts: [], receipts: [] })
    const keptAfter = async (hours: number) => {
      clock.advance(hours * hourMs)
      await log.trim('w', { since: clock.now() - 24 * hourMs, bytesMax: 2 ** 30 })
      return (await log.read('w', 0, 10)).map(({ position }) => position)
    }
    expect(await keptAfter(-1_000)).toEqual(positions)
    expect(await keptAfter(100_000)).toEqual(positions.slice(1))
    await store.close()
    rmSync(folder, { recursive: true })
  })
})
