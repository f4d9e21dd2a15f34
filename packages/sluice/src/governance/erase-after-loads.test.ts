import { createManualClock, createSeededRandom, uuidV7 } from '@sluice/core'
import { isLoadUnderWay } from '@sluice/pipeline'
import type { Eraser } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import { describe, expect, it } from 'vitest'
import { eraseAfterLoads } from './erase-after-loads.ts'

const place = { workspaceId: 'w', destinationId: 'duck' }
const consumer = 'destination/duck'
const live = new AbortController().signal

function scene() {
  const clock = createManualClock(Date.UTC(2026, 0, 1))
  const random = createSeededRandom(1)
  const { loads } = createMemoryStore({ clock, random })
  let erased = 0
  const eraser: Eraser = {
    usersMax: 3,
    erase: async (users) => {
      erased += 1
      return users.map(() => ({ status: 'complete' }))
    },
  }
  const inTurn = eraseAfterLoads(eraser, () => isLoadUnderWay(loads, place, clock), clock)
  const begin = async (lane = 0): Promise<string> => {
    const loadId = uuidV7(clock, random)
    await loads.begin('w', consumer, [{ loadId, lane, position: 1 }])
    return loadId
  }
  /** Advances the clock in steps, so that what sleeps looks again. */
  const pass = async (milliseconds: number): Promise<void> => {
    for (let step = 0; step < milliseconds; step += 100) {
      clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const end = (loadId: string) => loads.over('w', consumer, loadId)
  return { clock, pass, begin, end, erase: () => inTurn.erase([{ userId: 'u' }], live), erased: () => erased }
}

describe('a deletion in a warehouse', () => {
  it('begins at once while nothing is loaded', async () => {
    const { begin, end, erase } = scene()
    expect(await erase()).toEqual([{ status: 'complete' }])
    await end(await begin())
    expect(await erase()).toEqual([{ status: 'complete' }])
  })

  it('waits for loads of all lanes that are under way, in any process', async () => {
    const { pass, begin, end, erase, erased } = scene()
    const [first, second] = [await begin(0), await begin(1)]
    const erasing = erase()
    await pass(1_000)
    await end(first)
    await pass(1_000)
    expect(erased()).toBe(0)
    await end(second)
    await pass(1_000)
    expect(await erasing).toEqual([{ status: 'complete' }])
  })

  it('is not complete while a load continues, and is tried again later', async () => {
    const { pass, begin, end, erase, erased } = scene()
    await end(await begin())
    await begin()
    const erasing = erase()
    await pass(11_000)
    expect(await erasing).toEqual([{ status: 'accepted', reason: 'a load into the warehouse is under way' }])
    expect(erased()).toBe(0)
  })

  it('does not wait for a load whose process ended long ago without a word', async () => {
    const { clock, begin, erase } = scene()
    await begin()
    clock.advance(16 * 60_000)
    expect(await erase()).toEqual([{ status: 'complete' }])
  })
})
