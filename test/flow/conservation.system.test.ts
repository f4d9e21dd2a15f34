import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemRandom } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { countKinds, type HistoryRow, type Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import { createSluice, type Sluice } from 'sluice'
import { beforeAll, describe, expect, it } from 'vitest'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { uncheckedWorkspace } from '../support/scenes/unchecked-workspace.ts'

const workspace = {
  id: 'w',
  sources: [{ id: 's', writeKey: 'k' }],
  destinations: [
    {
      id: 'd',
      type: 'WEBHOOK',
      settings: { webhookUrl: 'http://d.test/' },
      transformation: {
        code: `export function transformEvent(event) {
          if (event.properties.make === 'error') throw new Error('asked to')
          if (event.properties.make === 'nothing') return null
          return event.properties.make === 'two' ? [{ ...event, half: 1 }, { ...event, half: 2 }] : event
        }`,
      },
    },
  ],
  connections: [{ source: 's', destination: 'd' }],
}

const anEvent = fc.record({
  userId: fc.constantFrom('a', 'b', 'c'),
  make: fc.constantFrom('one', 'one', 'two', 'nothing', 'error'),
  // Replies of the destination to the event, one after the other; then it accepts the event.
  plan: fc.array(fc.constantFrom(503, 503, 503, 503, 422, 429, 200), { maxLength: 6 }),
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('ingest' as const), events: fc.array(anEvent, { minLength: 1, maxLength: 6 }) }),
  fc.constant({ kind: 'settle' as const }),
  fc.constant({ kind: 'replay' as const }),
  fc.constant({ kind: 'restart' as const }),
  fc.constant({ kind: 'crash' as const }),
  fc.record({ kind: fc.constant('store fails' as const), times: fc.integer({ min: 1, max: 3 }) }),
)

/** A store whose next commits fail before anything is stored. */
function failing(store: Store) {
  let failures = 0
  const commit = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failures > 0) {
      failures -= 1
      throw new Error('the disk is full')
    }
    return work()
  }
  const wrapped: Store = {
    ...store,
    log: { ...store.log, commit: (progress) => commit(() => store.log.commit(progress)) },
    retries: { ...store.retries, commit: (retried) => commit(() => store.retries.commit(retried)) },
  }
  return { store: wrapped, fail: (times: number) => (failures = times) }
}

/** Actual number of events that wait for the destination: in the log, or among the deferred ones. */
async function owed({ log, retries }: Store): Promise<number> {
  const cursor = (await log.cursors('w')).get('destination/d') ?? 0
  let events = -(await log.eventsDone('w', 'destination/d'))
  for (let at = cursor; ; ) {
    const batches = await log.read('w', at, 100)
    if (batches.length === 0) break
    events += batches.reduce((sum, batch) => sum + batch.events.length, 0)
    at = batches.at(-1)?.position ?? at
  }
  return events + (await retries.entries('w', 'd')).length
}

const named = ({ sourceId, destinationId, kind, reason, count }: Omit<HistoryRow, 'workspaceId'>) =>
  [[sourceId, destinationId, kind, reason].join(' '), count] as const

/** What the history has of each counter, and what is to be moved there. */
async function inHistory({ history }: Store): Promise<ReadonlyMap<string, number>> {
  const ever = { since: 0, until: 2 ** 42, everyMs: 3_600_000, fromMs: 3_600_000 } as const
  const { slots, unmoved } = await history.read({ workspaceId: 'w', ...ever, kinds: countKinds })
  const sums = new Map<string, number>()
  for (const [name, count] of [...slots, ...unmoved].map(named)) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}

// Its modules are loaded here: on a busy machine that takes as long as the stories have time for.
beforeAll(async () =>
  (await createSluice({ workspace: uncheckedWorkspace(workspace), transport: createRecordingTransport() })).stop(),
)

describe('conservation', () => {
  it('accepted + replayed = delivered + dropped + failed + pending, and the history has it all, through restarts, crashes and a store that fails', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-conservation-'))
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        runs += 1
        const path = join(folder, `${runs}.db`)
        const clock = createHastyClock()
        const plans = new Map<string, number[]>()
        const nameOf = (body: unknown) => {
          const { messageId, half } = body as { messageId: string; half?: number }
          return { messageId, part: `${messageId}/${half ?? ''}` }
        }
        const taken = new Set<string>()
        const transport = createRecordingTransport(({ body }) => {
          const { messageId, part } = nameOf(body.JSON)
          const status = plans.get(messageId)?.shift() ?? 200
          if (status === 200) taken.add(part)
          return reply(status)
        })
        let failCommits = (_times: number): number => 0
        const open = async (): Promise<Sluice> => {
          const disk = failing(
            await openSqliteStore({ path, clock, random: systemRandom, synchronous: 'normal', thread: 'this' }),
          )
          failCommits = disk.fail
          return createSluice({
            workspace: uncheckedWorkspace(workspace),
            store: disk.store,
            transport,
            clock,
            sandbox: { mode: 'in-process' },
            retries: { windowMs: 120_000 },
          })
        }
        let sluice = await open()
        let accepted = 0
        let replayed = 0
        const check = async (): Promise<void> => {
          const stats = (await sluice.stats())[0]?.destinations[0]
          if (stats === undefined) return expect(accepted).toBe(0)
          expect([stats.accepted, stats.replayed]).toEqual([accepted, replayed])
          expect(stats.pending).toBeGreaterThanOrEqual(0)
        }
        for (const each of steps) {
          if (each.kind === 'ingest') {
            const events = each.events.map(({ userId, make, plan }) => {
              const messageId = `${userId}${plans.size}`
              plans.set(messageId, [...plan])
              return { type: 'track', event: 'E', userId, messageId, properties: { make } }
            })
            expect(await sluice.ingest('k', events)).toMatchObject({ ok: true })
            accepted += events.length
          } else if (each.kind === 'settle') await sluice.settled()
          else if (each.kind === 'replay') replayed += await sluice.deadLetters.replay('w', { destinationId: 'd' })
          else if (each.kind === 'store fails') failCommits(each.times)
          else {
            await check()
            await sluice.stop(each.kind === 'crash' ? 0 : 10_000)
            const store = await openSqliteStore({ path, clock, random: systemRandom, thread: 'this' })
            const counted = (await store.counters.read('w')).filter(({ destinationId }) => destinationId === 'd')
            const sum = (...kinds: readonly string[]) =>
              counted.reduce((total, { kind, count }) => (kinds.includes(kind) ? total + count : total), 0)
            expect(sum('accepted', 'replayed') - sum('delivered', 'dropped', 'failed')).toBe(await owed(store))
            expect(await inHistory(store)).toEqual(new Map((await store.counters.read('w')).map(named)))
            await store.close()
            sluice = await open()
          }
          await check()
        }
        await sluice.settled()
        const stats = (await sluice.stats())[0]?.destinations[0]
        const ended = (reasons: Readonly<Record<string, number>> = {}) =>
          Object.values(reasons).reduce((sum, count) => sum + count, 0)
        expect((stats?.delivered ?? 0) + ended(stats?.dropped) + ended(stats?.failed)).toBe(accepted + replayed)
        // Every event that was neither delivered nor dropped by user code is among the dead letters.
        const letters = await sluice.deadLetters.list('w', { limit: 1_000 })
        const lying = new Set(letters.map(({ source }) => source.event.messageId))
        for (const messageId of plans.keys()) {
          const [receipt] = await sluice.receipts(messageId)
          expect(receipt, messageId).toBeDefined()
          if (receipt?.outcome === 'failed') expect(lying, messageId).toContain(messageId)
          if (receipt?.outcome === 'delivered')
            expect(
              [...taken].some((part) => part.startsWith(`${messageId}/`)),
              messageId,
            ).toBe(true)
        }
        await sluice.stop()
      }),
      { numRuns: 25, interruptAfterTimeLimit: 12_000, markInterruptAsFailure: false },
    )
    rmSync(folder, { recursive: true })
  }, 60_000)
})
