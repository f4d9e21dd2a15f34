import { type Clock, createManualClock } from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import { MainTurns } from '../../flow/main-turns.ts'
import type { LogBatch, Progress } from '../../ports/event-log.ts'
import { readBatchesMax } from '../../ports/event-log.ts'
import { LogCursor, type LogCursorOptions, type Pace } from './log-cursor.ts'

const running: LogCursor[] = []
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
  const log: LogCursorOptions['log'] = {
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

/** Processes batches that were read. @returns how many of them are done. */
type Process = (batches: readonly LogBatch[], signal: AbortSignal) => Promise<number>

interface LoopOptions {
  readonly process?: Process
  readonly pace?: Pace
}

/** The smallest loop of a consumer: it counts events, and commits one count. */
function countingLoop({ process = async (batches) => batches.length, pace = { ms: 0, eventsMax: 1 } }: LoopOptions) {
  const processed: number[] = []
  const loop = async (cursor: LogCursor): Promise<void> => {
    let count = 0
    while (cursor.isOpen) {
      const batches = await cursor.read()
      if (batches.length > 0) {
        const done = await process(batches, cursor.signal)
        cursor.signal.throwIfAborted()
        processed.push(...batches.slice(0, done).map(({ position }) => position))
        count += done
        cursor.passed({ batches: done, events: 0 })
        cursor.leaveRest()
      }
      if (cursor.isDue(pace)) {
        await cursor.commit({ counts: [{ ...counter, count }], receipts: [] })
        count = 0
      } else if (batches.length === 0) await cursor.more(cursor.untilDue(pace))
    }
  }
  return { loop, processed }
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

function start(length: number, more: Partial<LogCursorOptions> & LoopOptions & { readonly cursor?: number } = {}) {
  const store = logOf(length)
  const errors: string[] = []
  const { cursor = 0, pace, process, ...options } = more
  const { loop, processed } = countingLoop({ pace, process })
  const consumer = new LogCursor({
    workspaceId: 'w',
    log: { ...store.log, cursor },
    clock: hastyClock(),
    turns: new MainTurns(),
    onError: (error) => errors.push((error as Error).message),
    ...options,
  })
  running.push(consumer)
  consumer.start(loop)
  return { consumer, errors, ...store, processed }
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
    expect(consumer.position).toBe(readBatchesMax + 4)
  })

  it('waits at the end of the log, and continues when something is appended', async () => {
    const { consumer, append, processed } = start(0)
    await soon()
    append()
    expect(await consumer.reached(1)).toBe(true)
    expect(processed).toEqual([1])
  })

  it('reads batches again that were left out', async () => {
    const { consumer, commits, processed } = start(3, { process: async () => 1 })
    await consumer.reached(3)
    expect(processed).toEqual([1, 2, 3])
    expect(countsOf(commits).map(({ position }) => position)).toEqual([1, 2, 3])
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

  it('are committed at once when there are enough events, and when a caller waits', async () => {
    const clock = createManualClock()
    const many = start(3, { clock, pace: { ...pace, eventsMax: 3 } })
    const awaited = start(1, { clock, pace })
    expect(await awaited.consumer.reached(1)).toBe(true)
    await soon()
    expect(countsOf(many.commits)).toEqual([{ position: 3, count: 3 }])
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
    const process: Process = async (batches) => {
      if (isBroken && batches[0]?.position === 2) throw new Error('no connection')
      return 1
    }
    const clock = createManualClock()
    const { consumer, commits, errors, processed } = start(2, { process, clock, pace })
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
    const process: Process = async (batches) => {
      if (failures-- > 0) throw new Error('no connection')
      return batches.length
    }
    const clock = hastyClock()
    const { consumer } = start(1, { process, clock })
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
    const process: Process = async (batches, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return batches.length
    }
    const { consumer, commits, errors } = start(1, { process })
    await soon()
    await consumer.stop(10)
    expect([commits, errors, consumer.position]).toEqual([[], [], 0])
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
    expect(consumer.position).toBe(2)
  })

  it('also continues when they are to be processed again', async () => {
    const clock = createManualClock()
    const process: Process = async (batches) => {
      await soon()
      if (batches[0]?.position === 2) throw new Error('no connection')
      return 1
    }
    const { consumer } = start(2, { process, clock, pace: { ms: 500, eventsMax: 100 } })
    await soon()
    await consumer.stepped()
    expect(consumer.position).toBe(0)
  })
})
