import {
  createManualClock,
  createSeededRandom,
  type Event,
  InvariantError,
  pass,
  type SourcedEvent,
} from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createObserveStage } from './observe-stage.ts'

const live = new AbortController().signal
const from = (event: Event, workspaceId = 'w1'): SourcedEvent => ({
  workspaceId,
  sourceId: 's1',
  writeKey: 'k1',
  event,
})

describe('observe stage', () => {
  it('passes every event unchanged, whether or not it belongs to a model', async () => {
    const batch = [from({ type: 'track', event: 'Bought' }), from({ type: 'track' }), from({})]
    const outcomes = await createObserveStage({ clock: createManualClock(), random: createSeededRandom(1) }).run(
      batch,
      live,
    )
    expect(outcomes).toEqual(batch.map((item) => pass(item)))
  })

  it('counts events of one shape together, with when they were first and last seen', async () => {
    const clock = createManualClock(1_000)
    const stage = createObserveStage({ clock, random: createSeededRandom(1) })
    const bought = (price: number) => from({ type: 'track', event: 'Bought', properties: { price } })
    await stage.run([bought(1), bought(2)], live)
    clock.advance(500)
    await stage.run([bought(3), from({ type: 'page', name: 'Home' })], live)
    const [track, page, ...others] = stage.take().versions
    expect(others).toEqual([])
    expect(track).toMatchObject({ eventIdentifier: 'Bought', count: 3, firstSeen: 1_000, lastSeen: 1_500 })
    expect(track?.schema).toEqual({ type: 'string', event: 'string', 'properties.price': 'float64' })
    expect(page).toMatchObject({ eventType: 'page', eventIdentifier: '', count: 1, firstSeen: 1_500 })
  })

  it('returns what was seen only once', async () => {
    const stage = createObserveStage({ clock: createManualClock(), random: createSeededRandom(1) })
    await stage.run([from({ type: 'page' })], live)
    expect(stage.take().versions).toHaveLength(1)
    expect(stage.take().versions).toEqual([])
  })

  it('refuses to count two workspaces into one delta, and counts nothing of that batch', async () => {
    const stage = createObserveStage({ clock: createManualClock(), random: createSeededRandom(1) })
    await expect(stage.run([from({ type: 'page' }), from({ type: 'page' }, 'w2')], live)).rejects.toThrow(
      InvariantError,
    )
    expect(stage.take().versions).toEqual([])
    await stage.run([from({ type: 'page' }, 'w2')], live)
    expect(stage.take().versions).toHaveLength(1)
  })
})
