import { createManualClock, createSeededRandom, type Event, pass, type SourcedEvent, type Stage } from '@sluice/core'
import type { Loader, MappedEvent } from '@sluice/destinations/kit'
import { createSuppressStage } from '@sluice/regulation'
import { afterEach, expect, it } from 'vitest'
import type { DestinationPath } from '../../flow/destination-path.ts'
import { MainTurns } from '../../flow/main-turns.ts'
import type { LogBatch, Progress } from '../../ports/event-log.ts'
import { LogCursor } from '../cursor/log-cursor.ts'
import { Quarantine } from '../quarantine.ts'
import { RetryQueue } from '../retry/retry-queue.ts'
import { takeFromLog } from '../take-from-log.ts'

const running: LogCursor[] = []
afterEach(async () => {
  for (const cursor of running.splice(0)) await cursor.stop(0)
})
const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

const map: Stage<SourcedEvent, MappedEvent> = {
  name: 'destination-transform',
  run: async (batch) =>
    batch.map(({ event }) => pass({ event, requests: [], userKey: 'u', messageId: String(event.messageId) })),
}

/** A destination that notes what was loaded, and what was sent while it had no loader. */
function destinationOf(unloadable: string | undefined) {
  const loads: string[][] = []
  const failures: string[] = []
  let collected: string[] = []
  const loader: Loader = {
    pace: { ms: 1_000, eventsMax: 10 },
    isFull: false,
    add: (event: Event) => {
      if (event.messageId === unloadable) throw new TypeError('no rows')
      collected.push(String(event.messageId))
    },
    async load(loadId) {
      const failure = failures.shift()
      if (failure !== undefined) throw new Error(failure)
      loads.push(collected)
      return { loadId, tables: [] }
    },
    plan: async () => [],
    settle: async () => false,
    discard: () => {
      collected = []
    },
  }
  const sent: string[] = []
  const path: DestinationPath = {
    destinationId: 'd',
    before: [],
    map,
    async send(batch, { settled }) {
      for (const [index, { messageId }] of batch.entries()) {
        sent.push(messageId)
        settled(index, pass({ kind: 'delivered', status: 200, attempts: 1 }))
      }
      slices.sent()
    },
    loader,
  }
  /** Called when a slice was sent. */
  const slices = { sent: () => {} }
  return { path, loads, failures, sent, slices }
}

/** @param eventsEach how many events each batch has. */
function start(length: number, onRead: (times: number) => void = () => {}, unloadable?: string, eventsEach = 1) {
  const clock = createManualClock()
  const random = createSeededRandom(1)
  const destination = destinationOf(unloadable)
  let path: DestinationPath = destination.path
  const flow = {
    suppress: createSuppressStage({ mayMatch: () => false, hasFurtherKeys: false, check: async () => [], position: 0 }),
  }
  const commits: Pick<Progress, 'position' | 'counts'>[] = []
  const errors: string[] = []
  let reads = 0
  const shared = {
    workspaceId: 'w',
    destinationId: 'd',
    clock,
    random,
    backoff: { baseMs: 1_000, capMs: 1_000 },
    onError: (error: unknown) => errors.push((error as Error).message),
    current: () => ({ flow, path }),
  }
  const batches = Array.from({ length }, (_, n): LogBatch => {
    const events = Array.from({ length: eventsEach }, (_, i) => {
      return { type: 'track', event: 'E', userId: 'u', messageId: `m${n * eventsEach + i + 1}` }
    })
    const ids = { workspaceId: 'w', sourceId: 's', writeKey: 'k' }
    return { ...ids, receivedAt: 0, destinationIds: ['d'], events, position: n + 1 }
  })
  const cursor = new LogCursor({
    ...shared,
    turns: new MainTurns(),
    log: {
      cursor: 0,
      eventsDone: 0,
      async read(after, limit) {
        reads += 1
        onRead(reads)
        return batches.filter(({ position }) => position > after).slice(0, limit)
      },
      oldestBehind: async () => undefined,
      commit: async ({ position, counts }) => void commits.push({ position, counts }),
      watch: () => () => {},
    },
  })
  running.push(cursor)
  const crashes = {
    started: async () => new Map(),
    trying: async () => {},
    tried: async () => {},
    stopped: async () => {},
  }
  const retries = { add: async () => {}, destinations: async () => [], entries: async () => [], ofUser: async () => [] }
  const place = {
    ...shared,
    consumer: 'destination/d',
    quarantine: new Quarantine(crashes),
    retries: new RetryQueue([], {
      ...shared,
      eventsMax: 10,
      store: { retries: { ...retries, ofMessage: async () => [], read: async () => [], commit: async () => {} } },
    }),
    loads: {
      begin: async () => {},
      over: async () => {},
      begun: async () => [],
      ended: async () => {},
      attempts: async () => [],
      forget: async () => {},
    },
  }
  cursor.start(takeFromLog(place))
  return {
    ...destination,
    clock,
    cursor,
    commits,
    errors,
    use({ pausedAt, loads = true }: { readonly pausedAt?: number; readonly loads?: boolean }) {
      const { loader, ...sending } = destination.path
      const changed = loads && loader ? { ...sending, loader } : sending
      path = pausedAt === undefined ? changed : { ...changed, pausedAt }
      cursor.wake()
    },
  }
}

const deliveredIn = (commits: readonly Pick<Progress, 'position' | 'counts'>[]) =>
  commits.map(({ position, counts }) => [position, counts.find(({ kind }) => kind === 'delivered')?.count])

it('events are loaded together, and recorded only then', async () => {
  const { clock, loads, commits } = start(3)
  await soon()
  expect([loads, commits]).toEqual([[], []])
  clock.advance(1_000)
  await soon()
  expect([loads, deliveredIn(commits)]).toEqual([[['m1', 'm2', 'm3']], [[3, 3]]])
})

it('what is collected is not loaded while the destination is paused: it is read again', async () => {
  const { clock, loads, commits, use, cursor } = start(2)
  await soon()
  use({ pausedAt: 1 })
  clock.advance(5_000)
  await cursor.stepped()
  await soon()
  expect([loads, commits]).toEqual([[], []])
  use({})
  expect(await cursor.reached(2)).toBe(true)
  expect([loads, deliveredIn(commits)]).toEqual([[['m1', 'm2']], [[2, 2]]])
})

it('a load that fails is tried again with all that was collected', async () => {
  const { clock, loads, failures, commits, errors } = start(2)
  failures.push('the warehouse is closed')
  await soon()
  for (let seconds = 0; seconds < 5; seconds += 1) {
    clock.advance(1_000)
    await soon()
  }
  expect([loads, deliveredIn(commits), errors]).toEqual([[['m1', 'm2']], [[2, 2]], ['the warehouse is closed']])
})

it('a failure is reported at once to who waits for the events, which are then collected again', async () => {
  const { clock, loads, failures, cursor, commits, errors } = start(1)
  failures.push('the warehouse is closed')
  await soon()
  await cursor.stepped()
  expect([loads, commits, errors]).toEqual([[], [], ['the warehouse is closed']])
  for (let seconds = 0; seconds < 5; seconds += 1) {
    clock.advance(1_000)
    await soon()
  }
  expect([loads, deliveredIn(commits)]).toEqual([[['m1']], [[1, 1]]])
})

it('a destination that no longer loads gets by itself what was collected', async () => {
  const { loads, sent, use, cursor } = start(2)
  await soon()
  use({ loads: false })
  expect(await cursor.reached(2)).toBe(true)
  expect([loads, sent]).toEqual([[], ['m1', 'm2']])
})

it('a destination that begins to load within what was read gets the rest by loads, and each event is counted once', async () => {
  const started = start(1, undefined, undefined, 500)
  started.use({ loads: false })
  started.slices.sent = () => started.use({})
  expect(await started.cursor.reached(1)).toBe(true)
  const { sent, loads, commits } = started
  expect(sent).toHaveLength(200)
  expect([...sent, ...loads.flat()]).toEqual(Array.from({ length: 500 }, (_, n) => `m${n + 1}`))
  expect(deliveredIn(commits).reduce((sum, [, count]) => sum + (count ?? 0), 0)).toBe(500)
})

it('nothing is loaded as a destination was before it changed while the log was read', async () => {
  const started = start(2, (times) => {
    if (times !== 2) return
    started.use({ loads: false })
    reached = started.cursor.reached(2)
  })
  let reached: Promise<boolean> | undefined
  await expect.poll(() => reached).toBeDefined()
  expect(await reached).toBe(true)
  expect([started.loads, started.sent]).toEqual([[], ['m1', 'm2']])
})

it('an event that a loader cannot take fails alone', async () => {
  const { cursor, loads, commits } = start(3, undefined, 'm2')
  expect(await cursor.reached(3)).toBe(true)
  const counts = commits[0]?.counts.map(({ kind, reason, count }) => [kind, reason, count])
  expect(loads).toEqual([['m1', 'm3']])
  expect(counts).toContainEqual(['failed', 'stage.broken', 1])
  expect(counts).toContainEqual(['delivered', '', 2])
})
