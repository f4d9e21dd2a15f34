import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createManualClock, systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import { createSluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { shop } from '../support/shop.ts'

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
    const begun = performance.now()
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
    expect(sleeps() / (performance.now() - begun)).toBeLessThan(1)
    await sluice.stop()
    await receiver.close()
    rmSync(folder, { recursive: true })
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
