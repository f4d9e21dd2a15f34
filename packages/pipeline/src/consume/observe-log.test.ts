import { createManualClock, createSeededRandom, type ManualClock } from '@sluice/core'
import { createSuppressStage } from '@sluice/regulation'
import { createObserveStage } from '@sluice/schema'
import { afterEach, expect, it } from 'vitest'
import type { Flow } from '../flow/flow.ts'
import { MainTurns } from '../flow/main-turns.ts'
import type { LogBatch, Progress } from '../ports/event-log.ts'
import { LogCursor } from './cursor/log-cursor.ts'
import { SharedPace } from './cursor/shared-pace.ts'
import { observeLog, observerPace } from './observe-log.ts'

const running: LogCursor[] = []
afterEach(async () => {
  for (const cursor of running.splice(0)) await cursor.stop(0)
})
const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

/** An observer of a log that is kept by hand. */
function start(clock: ManualClock, upkeep: () => Promise<void> = async () => {}, pace = new SharedPace(observerPace)) {
  const batches: LogBatch[] = []
  const commits: Omit<Progress, 'workspaceId' | 'consumer'>[] = []
  const errors: string[] = []
  let listener = (): void => {}
  const cursor = new LogCursor({
    workspaceId: 'w',
    clock,
    turns: new MainTurns(),
    onError: (error) => errors.push((error as Error).message),
    log: {
      cursor: 0,
      eventsDone: 0,
      read: async (after, limit) => batches.filter(({ position }) => position > after).slice(0, limit),
      oldestBehind: async () => undefined,
      commit: async (progress) => void commits.push(progress),
      watch: (called) => {
        listener = called
        return () => {}
      },
    },
  })
  running.push(cursor)
  const flow: Flow = {
    suppress: createSuppressStage({ mayMatch: () => false, hasFurtherKeys: false, check: async () => [], position: 0 }),
    beforeLog: [],
    observe: createObserveStage({ clock, random: createSeededRandom(1) }),
    destinations: [],
  }
  const place = {
    workspaceId: 'w',
    clock,
    flow: () => flow,
    pace,
    upkeep: { everyMs: 1_000, run: upkeep },
    onError: (error: unknown) => errors.push((error as Error).message),
  }
  cursor.start((each) => observeLog(each, place))
  const append = (...names: readonly string[]): void => {
    const events = names.map((event) => ({ type: 'track', event, userId: 'u', messageId: event }))
    const position = batches.length + 1
    batches.push({
      workspaceId: 'w',
      sourceId: 's',
      writeKey: 'k',
      receivedAt: 0,
      destinationIds: [],
      events,
      position,
    })
    listener()
  }
  const observed = () =>
    commits.map(({ position, observed: delta }) => ({ position, shapes: delta?.versions.map((each) => each.count) }))
  return { cursor, append, observed, errors, flow }
}

it('an observer commits what it has learnt of several batches together', async () => {
  const clock = createManualClock()
  const { append, observed } = start(clock)
  append('A')
  await soon()
  append('A')
  await soon()
  expect(observed()).toEqual([])
  clock.advance(observerPace.msMin)
  await soon()
  expect(observed()).toEqual([{ position: 2, shapes: [2] }])
})

it('observers of many workspaces gather for longer, so that all together commit as often as a few', async () => {
  const clock = createManualClock()
  const pace = new SharedPace({ msMin: 500, msMax: 2_000, perSecondMax: 4 })
  const busy = Array.from({ length: 6 }, () => start(clock, undefined, pace))
  for (const { append } of busy) append('A')
  await soon()
  clock.advance(1_000)
  await soon()
  expect(busy.map(({ observed }) => observed().length)).toEqual([0, 0, 0, 0, 0, 0])
  clock.advance(500)
  await soon()
  expect(busy.map(({ observed }) => observed().length)).toEqual([1, 1, 1, 1, 1, 1])
  const [alone] = busy
  alone?.append('A')
  await soon()
  clock.advance(500)
  await soon()
  expect(alone?.observed().length).toBe(2)
})

it('an observer that stops keeps the values of what it has committed, for the last time they are stored', async () => {
  const { cursor, append, observed, flow } = start(createManualClock())
  append('A')
  await soon()
  await cursor.stop(1_000)
  expect(observed()).toEqual([{ position: 1, shapes: [1] }])
  const stored: string[] = []
  await flow.observe.storeValues(async ({ eventIdentifier }) => void stored.push(eventIdentifier))
  expect(stored).toEqual(['A'])
})

it('an observer commits at once when it has learnt many shapes', async () => {
  const { append, observed } = start(createManualClock())
  append(...Array.from({ length: 200 }, (_, n) => `E${n}`))
  append('Last')
  await expect.poll(observed).toEqual([{ position: 1, shapes: Array.from({ length: 200 }, () => 1) }])
})

it('an observer commits at once when its samples take much memory', async () => {
  const { append, observed } = start(createManualClock())
  append(...Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(1_500)}`))
  append('Last')
  await expect.poll(observed).toEqual([{ position: 1, shapes: Array.from({ length: 60 }, () => 1) }])
})

it('upkeep is done every so often while there is nothing to read, and its failures stop nothing', async () => {
  const clock = createManualClock()
  let times = 0
  const { cursor, append, errors } = start(clock, async () => {
    times += 1
    if (times === 1) throw new Error('upkeep failed')
  })
  await soon()
  expect(times).toBe(0)
  for (const want of [1, 2]) {
    clock.advance(1_000)
    await soon()
    expect(times).toBe(want)
  }
  append('A')
  expect(await cursor.reached(1)).toBe(true)
  expect(errors).toEqual(['upkeep failed'])
})
