import { type Clock, createManualClock } from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import { MainTurns } from '../flow/main-turns.ts'
import type { LogBatch, Progress } from '../ports/event-log.ts'
import { readBatchesMax } from '../ports/event-log.ts'
import { Consumer, type ConsumerOptions, type ConsumerWork } from './consumer.ts'

const running: Consumer[] = []
afterEach(async () => {
  for (const consumer of running.splice(0)) await consumer.stop(0)
})

const batchAt = (position: number): LogBatch => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  receivedAt: 0,
  destinationIds: [],
  events: [{ type: 'track', event: `E${position}` }],
  position,
})

/** The port, kept by hand: what the suites of the stores promise. */
function logOf(length: number) {
  const batches = Array.from({ length }, (_, n) => batchAt(n + 1))
  const commits: Omit<Progress, 'workspaceId' | 'consumer'>[] = []
  const failures: string[] = []
  let listener = (): void => {}
  const log: ConsumerOptions['log'] = {
    cursor: 0,
    eventsDone: 0,
    read: async (after, limit) => batches.filter(({ position }) => position > after).slice(0, limit),
    oldestBehind: async () => undefined,
    commit: async (progress) => {
      const failure = failures.shift()
      if (failure !== undefined) throw new Error(failure)
      commits.push(progress)
    },
    watch: (called) => {
      listener = called
      return () => {
        listener = () => {}
      }
    },
  }
  const append = (): void => {
    batches.push(batchAt(batches.length + 1))
    listener()
  }
  return { log, commits, failures, append }
}

const counter = { workspaceId: 'w', sourceId: 's', destinationId: 'd', kind: 'delivered', reason: '' } as const

/** Work that counts each event, and its results as one count per commit. */
function countingWork(
  process: (...given: Parameters<ConsumerWork['process']>) => Promise<number> = async (batches) => batches.length,
) {
  const processed: number[] = []
  let count = 0
  const work: ConsumerWork = {
    process: async (batches, signal, eventsDone) => {
      const done = await process(batches, signal, eventsDone)
      processed.push(...batches.slice(0, done).map(({ position }) => position))
      count += done
      return done
    },
    take: () => {
      const results = { counts: [{ ...counter, count }], receipts: [] }
      count = 0
      return results
    },
    discard: () => {
      count = 0
    },
  }
  return { work, processed }
}

/** Time passes as soon as something waits for it. */
function hastyClock(): Clock & { readonly slept: number[] } {
  let now = 0
  const slept: number[] = []
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
      now += milliseconds
      await new Promise(setImmediate)
    },
  }
}

function start(
  length: number,
  more: Partial<ConsumerOptions> & { readonly cursor?: number; readonly pace?: ConsumerWork['pace'] } = {},
) {
  const store = logOf(length)
  const errors: string[] = []
  const counting = countingWork()
  const { cursor = 0, pace, work = counting.work, ...options } = more
  const consumer = new Consumer({
    workspaceId: 'w',
    log: { ...store.log, cursor },
    clock: hastyClock(),
    turns: new MainTurns(),
    work: pace ? Object.assign(work, { pace }) : work,
    onError: (error) => errors.push((error as Error).message),
    ...options,
  })
  running.push(consumer)
  consumer.start()
  return { consumer, errors, ...store, processed: counting.processed }
}

const countsOf = (commits: readonly Pick<Progress, 'position' | 'counts'>[]) => {
  return commits.map(({ position, counts }) => ({ position, count: counts[0]?.count }))
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('a consumer', () => {
  it('processes the log in order behind its cursor, and commits each read together with its results', async () => {
    const { consumer, commits, processed } = start(readBatchesMax + 4, { cursor: 2 })
    expect(await consumer.reached(readBatchesMax + 4)).toBe(true)
    expect(processed).toEqual(Array.from({ length: readBatchesMax + 2 }, (_, n) => n + 3))
    expect(countsOf(commits)).toEqual([
      { position: readBatchesMax + 2, count: readBatchesMax },
      { position: readBatchesMax + 4, count: 2 },
    ])
    expect(consumer.cursor).toBe(readBatchesMax + 4)
  })

  it('waits at the end of the log, and continues when something is appended', async () => {
    const { consumer, append, processed } = start(0)
    await soon()
    append()
    expect(await consumer.reached(1)).toBe(true)
    expect(processed).toEqual([1])
  })

  it('reads batches again that the work left out', async () => {
    const { work, processed } = countingWork(async () => 1)
    const { consumer, commits } = start(3, { work })
    await consumer.reached(3)
    expect(processed).toEqual([1, 2, 3])
    expect(countsOf(commits).map(({ position }) => position)).toEqual([1, 2, 3])
  })

  it('reads nothing while it is paused, and discards what it has collected for a load', async () => {
    const { work, processed } = countingWork()
    const pausable = Object.assign(work, { isPaused: false })
    const { consumer, commits } = start(2, {
      work: pausable,
      pace: { ms: 3_600_000, eventsMax: 100 },
      clock: createManualClock(),
    })
    await expect.poll(() => processed).toEqual([1, 2])
    pausable.isPaused = true
    consumer.wake()
    await consumer.stepped()
    await soon()
    expect([processed, commits]).toEqual([[1, 2], []])
    pausable.isPaused = false
    expect(await consumer.reached(2)).toBe(true)
    expect(processed).toEqual([1, 2, 1, 2])
    expect(countsOf(commits)).toEqual([{ position: 2, count: 2 }])
  })

  it('reads as many batches at a time as the work wants', async () => {
    const reads: number[] = []
    const { work } = countingWork(async (batches) => reads.push(batches.length) && batches.length)
    const { consumer } = start(5, { work: { ...work, readMax: () => 2 } })
    await consumer.reached(5)
    expect(reads).toEqual([2, 2, 1])
  })
})

describe('results of a consumer', () => {
  const pace = { ms: 500, eventsMax: 100 }

  it('wait for each other as long as the pace allows, and share one commit', async () => {
    const clock = createManualClock()
    const { append, commits } = start(1, { clock, pace })
    await soon()
    append()
    await soon()
    expect(commits).toEqual([])
    clock.advance(pace.ms)
    await soon()
    expect(countsOf(commits)).toEqual([{ position: 2, count: 2 }])
  })

  it('are committed at once when there are enough events, when the work is full, and when a caller waits', async () => {
    const clock = createManualClock()
    const many = start(3, { clock, pace: { ...pace, eventsMax: 3 } })
    const { work } = countingWork()
    const full = start(1, { clock, pace, work: Object.assign(work, { isFull: true }) })
    const awaited = start(1, { clock, pace })
    expect(await awaited.consumer.reached(1)).toBe(true)
    await soon()
    expect([many, full].map(({ commits }) => countsOf(commits))).toEqual([
      [{ position: 3, count: 3 }],
      [{ position: 1, count: 1 }],
    ])
  })

  it('are committed again when their commit failed: their batches are not processed again', async () => {
    const store = logOf(2)
    store.failures.push('the disk is full', 'the disk is full')
    const { consumer, errors, processed } = start(0, { log: store.log })
    await consumer.reached(2)
    expect(errors).toEqual(['the disk is full', 'the disk is full'])
    expect(processed).toEqual([1, 2])
    expect(countsOf(store.commits)).toEqual([{ position: 2, count: 2 }])
  })

  it('are forgotten when a later batch cannot be processed: everything behind the cursor is processed again', async () => {
    let isBroken = true
    const { work, processed } = countingWork(async (batches) => {
      if (isBroken && batches[0]?.position === 2) throw new Error('no connection')
      return 1
    })
    const clock = createManualClock()
    const { consumer, commits, errors } = start(2, { work, clock, pace })
    await soon()
    // The first batch was processed but is not committed yet, so it is part of what is processed again.
    expect([processed, errors]).toEqual([[1], ['no connection']])
    isBroken = false
    clock.advance(100)
    await consumer.reached(2)
    expect(processed).toEqual([1, 1, 2])
    expect(countsOf(commits)).toEqual([{ position: 2, count: 2 }])
  })

  it('that keep failing are tried after growing waits', async () => {
    let failures = 4
    const { work } = countingWork(async (batches) => {
      if (failures-- > 0) throw new Error('no connection')
      return batches.length
    })
    const clock = hastyClock()
    const { consumer } = start(1, { work, clock })
    await consumer.reached(1)
    expect(clock.slept).toEqual([100, 200, 400, 800])
  })
})

describe('stopping a consumer', () => {
  it('commits what is processed, whatever its pace', async () => {
    const { consumer, commits } = start(1, { clock: createManualClock(), pace: { ms: 500, eventsMax: 100 } })
    await soon()
    expect(commits).toEqual([])
    await consumer.stop(1_000)
    expect(countsOf(commits)).toEqual([{ position: 1, count: 1 }])
  })

  it('aborts work that takes longer than the deadline, and commits nothing of it', async () => {
    const { work } = countingWork(async (batches, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return batches.length
    })
    const { consumer, commits, errors } = start(1, { work })
    await soon()
    await consumer.stop(10)
    expect([commits, errors, consumer.cursor]).toEqual([[], [], 0])
  })

  it('ends the waits of callers, who learn that their position was not reached', async () => {
    const { consumer } = start(0)
    const reached = consumer.reached(1)
    await consumer.stop(1_000)
    expect(await reached).toBe(false)
    expect(await consumer.reached(1)).toBe(false)
  })
})

describe('a caller who waits for the current step', () => {
  it('continues when its batches are committed', async () => {
    const { consumer } = start(2, { clock: createManualClock(), pace: { ms: 500, eventsMax: 100 } })
    await soon()
    await consumer.stepped()
    expect(consumer.cursor).toBe(2)
  })

  it('also continues when they are to be processed again', async () => {
    const clock = createManualClock()
    const { work } = countingWork(async (batches) => {
      await soon()
      if (batches[0]?.position === 2) throw new Error('no connection')
      return 1
    })
    const { consumer } = start(2, { work, clock, pace: { ms: 500, eventsMax: 100 } })
    await soon()
    await consumer.stepped()
    expect(consumer.cursor).toBe(0)
  })
})

describe('upkeep of a consumer', () => {
  it('is done every so often while there is nothing to read, and its failures stop nothing', async () => {
    const clock = createManualClock()
    let times = 0
    const upkeep = {
      everyMs: 1_000,
      run: async () => {
        times += 1
        if (times === 1) throw new Error('upkeep failed')
      },
    }
    const { consumer, append, errors, processed } = start(0, { clock, upkeep })
    await soon()
    expect(times).toBe(0)
    for (const want of [1, 2]) {
      clock.advance(1_000)
      await soon()
      expect(times).toBe(want)
    }
    append()
    await consumer.reached(1)
    expect([errors, processed]).toEqual([['upkeep failed'], [1]])
  })
})
