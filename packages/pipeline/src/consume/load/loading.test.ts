import { createManualClock, createSeededRandom, type Event, type SourcedEvent } from '@sluice/core'
import type { Loader } from '@sluice/destinations/kit'
import { createSuppressStage } from '@sluice/regulation'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LogBatch } from '../../ports/event-log.ts'
import type { LoadMark, LoadStore } from '../../ports/stores/load-store.ts'
import { isLoadUnderWay } from './is-load-under-way.ts'
import { Loading } from './loading.ts'

const place = { workspaceId: 'w', destinationId: 'd' }
const lanes = [0, 1]
/** Batches of each lane; each has one event. */
const batchesMax = 4

const batchAt = (lane: number, position: number): LogBatch => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  receivedAt: 1,
  destinationIds: ['d'],
  position,
  stored: { lane, position, skipped: 0 },
  events: [{ type: 'track', event: 'E', userId: 'u', messageId: `${lane}-${position}` }],
})

/** Without regulations. */
const flow = {
  suppress: createSuppressStage({ mayMatch: () => false, hasFurtherKeys: false, check: async () => [], position: 0 }),
}

/** What processes share: the cursors of the lanes of a log, the marks of loads, and a warehouse that only appends. */
function createWorld() {
  let marks: readonly LoadMark[] = []
  const loads: LoadStore = {
    async begin(_workspaceId, _consumer, begun, passed = []) {
      const isPassed = (mark: LoadMark): boolean =>
        passed.some(({ loadId, lane }) => loadId === mark.loadId && lane === mark.lane)
      marks = [...marks.filter((mark) => !isPassed(mark)), ...begun.map((load) => ({ ...load, isOver: false }))]
    },
    async over(_workspaceId, _consumer, loadId) {
      marks = marks.map((mark) => (mark.loadId === loadId ? { ...mark, isOver: true } : mark))
    },
    begun: async () => marks,
    ended: async () => {},
    attempts: async () => [],
    forget: async () => {},
  }
  return {
    clock: createManualClock(Date.UTC(2026, 0, 1)),
    random: createSeededRandom(1),
    loads,
    marksKept: () => marks.length,
    /** The last batch of each lane that is done. */
    cursors: new Map<number, number>(),
    /** Loads that have happened, or never will. */
    settled: new Map<string, 'loaded' | 'void'>(),
    rows: [] as string[],
  }
}

type World = ReturnType<typeof createWorld>

/**
 * A process that loads. @param dieAt the step at which it ends: each effect has one before and one behind it.
 * @param untilLoaded is awaited in the middle of each load.
 */
function createProcess(world: World, dieAt = Number.POSITIVE_INFINITY, untilLoaded = Promise.resolve()) {
  const { clock, random, loads, cursors, settled, rows } = world
  const dying = new AbortController()
  let steps = 0
  const step = (): void => {
    steps += 1
    if (steps >= dieAt) dying.abort(new Error('the process has ended'))
    dying.signal.throwIfAborted()
  }
  const inSteps = async <T>(effect: () => T): Promise<Awaited<T>> => {
    step()
    const result = await effect()
    step()
    return result
  }
  let collected: string[] = []
  const loader: Loader = {
    pace: { ms: 1_000, eventsMax: 10 },
    isFull: false,
    add: (event: Event) => void collected.push(String(event.messageId)),
    load: (loadId) =>
      inSteps(async () => {
        await untilLoaded
        if (settled.has(loadId)) throw new Error('it was settled before')
        settled.set(loadId, 'loaded')
        rows.push(...collected)
        return { loadId, tables: [] }
      }),
    plan: async () => [],
    settle: (loadId) =>
      inSteps(() => {
        if (!settled.has(loadId)) settled.set(loadId, 'void')
        return settled.get(loadId) === 'loaded'
      }),
    discard: () => {
      collected = []
    },
  }
  const loading = new Loading(loader, {
    ...place,
    consumer: 'destination/d',
    loads: {
      ...loads,
      begin: (...given) => inSteps(() => loads.begin(...given)),
      over: (...given) => inSteps(() => loads.over(...given)),
    },
    clock,
    random,
    current: () => ({ flow, path: { loader } }),
    onError: () => {},
  })

  /** Collects batches, or finds that they are loaded. */
  async function read(batches: readonly LogBatch[]): Promise<void> {
    for (let done = 0; done < batches.length; ) {
      const { count, state } = await loading.plan(batches.slice(done), dying.signal)
      for (const { events, sourceId, writeKey } of batches.slice(done, done + count))
        for (const event of state === 'collect' ? events : []) {
          const source: SourcedEvent = { workspaceId: 'w', sourceId, writeKey, event: { ...event } }
          loading.add({ event: source.event, requests: [], userKey: 'u', messageId: '', source, output: source })
        }
      done += count
    }
  }

  /** Loads the next batches of lanes, and stores their cursors. @returns whether there were any. */
  async function round(held: readonly number[], batchesPerLane: number): Promise<boolean> {
    const batches = held.flatMap((lane) => {
      const first = (cursors.get(lane) ?? 0) + 1
      const count = Math.max(0, Math.min(batchesPerLane, batchesMax - first + 1))
      return Array.from({ length: count }, (_, n) => batchAt(lane, first + n))
    })
    await read(batches)
    if (!(await loading.load(dying.signal, () => true))) return true
    await inSteps(() => {
      for (const { stored } of batches) if (stored) cursors.set(stored.lane, stored.position)
    })
    loading.committed()
    return batches.length > 0
  }

  return {
    read,
    round,
    load: () => loading.load(dying.signal, () => true),
    /** Works until it ends, or all is loaded. */
    async run(held: readonly number[], batchesPerLane: number): Promise<void> {
      try {
        while (await round(held, batchesPerLane));
      } catch (error) {
        if (!dying.signal.aborted) throw error
      }
    },
  }
}

const everyEvent = lanes.flatMap((lane) => Array.from({ length: batchesMax }, (_, n) => `${lane}-${n + 1}`))

describe('loads into a warehouse', () => {
  it('have every event once, whenever processes end, with whatever lanes', async () => {
    const process = fc.record({
      dieAt: fc.nat({ max: 24 }),
      held: fc.constantFrom([0], [1], lanes),
      batchesPerLane: fc.nat({ max: 2 }).map((n) => n + 1),
    })
    // A load has happened, its cursor is not stored, and the next load begins with batches of both.
    const twice = [
      { dieAt: 7, held: [0], batchesPerLane: 1 },
      { dieAt: 5, held: [0], batchesPerLane: 2 },
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(process, { maxLength: 6 }), async (processes) => {
        const world = createWorld()
        for (const { dieAt, held, batchesPerLane } of processes)
          await createProcess(world, dieAt).run(held, batchesPerLane)
        await createProcess(world).run(lanes, 1)
        expect(world.rows.toSorted()).toEqual(everyEvent)
      }),
      { examples: [[twice]] },
    )
  })

  it('keep few marks', async () => {
    const world = createWorld()
    await createProcess(world).run(lanes, 1)
    expect(world.marksKept()).toBe(lanes.length)
  })

  it('are under way until their own process is done with them, though another one has their lanes', async () => {
    const world = createWorld()
    let release = (): void => {}
    const slow = createProcess(world, undefined, new Promise((resolve) => (release = resolve)))
    const next = createProcess(world)
    await slow.read([batchAt(0, 1)])
    const loadingSlowly = slow.load()
    await new Promise<void>((resolve) => setImmediate(resolve))
    await next.run([0], 1)
    expect(world.rows).toEqual(['0-1', '0-2', '0-3', '0-4'])
    expect(await isLoadUnderWay(world.loads, place, world.clock)).toBe(true)
    release()
    expect(await loadingSlowly).toBe(false)
    expect(await isLoadUnderWay(world.loads, place, world.clock)).toBe(false)
    expect(world.rows).toHaveLength(4)
  })

  it('are ended when they take too long', async () => {
    const world = createWorld()
    const slow = createProcess(world, undefined, new Promise(() => {}))
    await slow.read([batchAt(0, 1)])
    void slow.load()
    await new Promise<void>((resolve) => setImmediate(resolve))
    world.clock.advance(15 * 60_000 + 1)
    expect(await isLoadUnderWay(world.loads, place, world.clock)).toBe(false)
  })
})
