import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import { createSluice, type Sluice } from 'sluice'
import { describe, expect, it } from 'vitest'
import { sized } from '../support/long.ts'
import { shop } from '../support/scenes/shop.ts'

interface Sent {
  readonly user: string
  readonly n: number
}

/** Starts a pipeline on a folder; its requests take a moment and are recorded. */
async function start(folder: string, sent: Sent[]): Promise<Sluice> {
  const store = await openSqliteStore({
    path: join(folder, 'sluice.db'),
    clock: systemClock,
    random: systemRandom,
    synchronous: 'normal',
  })
  return createSluice({
    workspace: shop('http://hook.test/'),
    sandbox: { mode: 'in-process' },
    store,
    transport: {
      async send({ body }) {
        await new Promise((resolve) => setTimeout(resolve, 1))
        sent.push({ user: String(body.JSON['userId']), n: Number(body.JSON['n']) })
        return { kind: 'reply', status: 200, headers: {}, body: '' }
      },
    },
  })
}

describe('stopping at any moment and starting again', () => {
  it('loses nothing that was acknowledged, keeps the order per user, and the sums agree', async () => {
    const runs = fc.array(
      fc.record({ calls: fc.integer({ min: 0, max: 4 }), pauseMs: fc.integer({ min: 0, max: 8 }) }),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    await fc.assert(
      fc.asyncProperty(runs, async (rounds) => {
        const folder = mkdtempSync(join(tmpdir(), 'sluice-restart-'))
        const sent: Sent[] = []
        let acknowledged = 0
        for (const { calls, pauseMs } of [...rounds, { calls: 1, pauseMs: -1 }]) {
          const sluice = await start(folder, sent)
          for (let call = 0; call < calls; call += 1) {
            const events = [0, 1, 2].map((i) => ({ type: 'track', userId: `u${i}`, n: acknowledged + i }))
            if ((await sluice.ingest('web-key', events)).ok) acknowledged += events.length
          }
          if (pauseMs < 0) await sluice.settled()
          else await new Promise((resolve) => setTimeout(resolve, pauseMs))
          const [stats] = await sluice.stats()
          const at = stats?.destinations[0]
          expect(stats?.accepted ?? 0).toBe(acknowledged)
          if (pauseMs < 0) expect(at).toMatchObject({ delivered: acknowledged, dropped: {}, failed: {}, pending: 0 })
          // Stops at once: work under way does not count and is repeated.
          await sluice.stop(0)
        }
        expect(new Set(sent.map(({ n }) => n)).size).toBe(acknowledged)
        for (const user of ['u0', 'u1', 'u2']) {
          const firstTimes = [...new Set(sent.filter((each) => each.user === user).map(({ n }) => n))]
          expect(firstTimes).toEqual(firstTimes.toSorted((a, b) => a - b))
        }
        rmSync(folder, { recursive: true })
      }),
      { numRuns: sized(5, 12) },
    )
  })
})
