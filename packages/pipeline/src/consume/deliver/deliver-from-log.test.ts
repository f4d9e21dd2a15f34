import { createManualClock, createSeededRandom, pass, type SourcedEvent, type Stage } from '@sluice/core'
import type { MappedEvent } from '@sluice/destinations/kit'
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

const map: Stage<SourcedEvent, MappedEvent> = {
  name: 'destination-transform',
  run: async (batch) =>
    batch.map(({ event }) => pass({ event, requests: [], userKey: 'u', messageId: String(event.messageId) })),
}

/** A destination that notes what it gets of one large batch. @param onSlice called with the number of each slice. */
function start(length: number, onSlice: (slice: number) => void) {
  const clock = createManualClock()
  const sent: string[] = []
  let slices = 0
  let path: DestinationPath = {
    destinationId: 'd',
    before: [],
    map,
    async send(batch, { settled }) {
      for (const [index, { messageId }] of batch.entries()) {
        sent.push(messageId)
        settled(index, pass({ kind: 'delivered', status: 200, attempts: 1 }))
      }
      slices += 1
      onSlice(slices)
    },
  }
  const flow = {
    suppress: createSuppressStage({ mayMatch: () => false, hasFurtherKeys: false, check: async () => [], position: 0 }),
  }
  const commits: Pick<Progress, 'position' | 'eventsDone' | 'counts'>[] = []
  const shared = {
    workspaceId: 'w',
    destinationId: 'd',
    clock,
    random: createSeededRandom(1),
    backoff: { baseMs: 1_000, capMs: 1_000 },
    onError: (error: unknown) => {
      throw error
    },
    current: () => ({ flow, path }),
  }
  const events = Array.from({ length }, (_, n) => ({ type: 'track', event: 'E', userId: 'u', messageId: `m${n}` }))
  const ids = { workspaceId: 'w', sourceId: 's', writeKey: 'k' }
  const batches: readonly LogBatch[] = [{ ...ids, receivedAt: 0, destinationIds: ['d'], events, position: 1 }]
  const cursor = new LogCursor({
    ...shared,
    turns: new MainTurns(),
    log: {
      cursor: 0,
      eventsDone: 0,
      read: async (after, limit) => batches.filter(({ position }) => position > after).slice(0, limit),
      oldestBehind: async () => undefined,
      commit: async (progress) => void commits.push(progress),
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
  cursor.start(
    takeFromLog({
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
    }),
  )
  return {
    clock,
    cursor,
    sent,
    commits,
    use(pausedAt: number | undefined) {
      const { pausedAt: _, ...rest } = path
      path = pausedAt === undefined ? rest : { ...rest, pausedAt }
      cursor.wake()
    },
  }
}

const deliveredIn = (commits: readonly Pick<Progress, 'counts'>[]) =>
  commits.flatMap(({ counts }) =>
    counts.filter(({ kind, named }) => kind === 'delivered' && named === undefined).map(({ count }) => count),
  )

it('a destination that is paused within a batch gets the rest of it when it is resumed, and each event is counted once', async () => {
  const started = start(500, (slice) => {
    if (slice === 1) started.use(1)
  })
  const { cursor, sent, commits, use } = started
  await expect.poll(() => commits.length).toBe(1)
  expect(commits).toMatchObject([{ position: 0, eventsDone: 200 }])
  // It looks around while it is paused.
  for (let times = 0; times < 3; times += 1) {
    cursor.wake()
    await new Promise(setImmediate)
  }
  use(undefined)
  expect(await cursor.reached(1)).toBe(true)
  expect(sent).toEqual(Array.from({ length: 500 }, (_, n) => `m${n}`))
  expect(deliveredIn(commits).reduce((sum, count) => sum + count)).toBe(500)
})

it('what was delivered is committed after a tenth of a second, or at once when a caller waits for it', async () => {
  const { clock, commits, sent } = start(30, () => {})
  await expect.poll(() => sent.length).toBe(30)
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  expect(commits).toEqual([])
  clock.advance(100)
  await expect.poll(() => commits.length).toBe(1)

  const awaited = start(30, () => {})
  expect(await awaited.cursor.reached(1)).toBe(true)
  expect(deliveredIn(awaited.commits)).toEqual([30])
})
