import { createManualClock, createSeededRandom, type Workspace } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createObservers } from './observers.ts'

const workspace = (id: string): Workspace => ({
  id,
  name: id,
  sources: [],
  destinations: [],
  connections: [],
  accessTokens: [],
})
const events = (workspaceId: string, count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => ({
    workspaceId,
    sourceId: 's',
    writeKey: workspaceId,
    event: { type: 'track', event: 'E', properties: { value: `${prefix} ${n}` } },
  }))
const live = new AbortController().signal

describe('the memory of value counters', () => {
  it('reserves a part for each workspace, so that none uses up the part of another', async () => {
    const limits = { valueMemoryBytesMax: 200_000 }
    const observers = createObservers({ clock: createManualClock(), random: createSeededRandom(1), limits })
    const a = observers.of(workspace('a'))
    const b = observers.of(workspace('b'))
    // Fewer than lossy counting would prune.
    for (let i = 0; i < 50; i += 1)
      await a.run(
        events('a', 900, `flood ${i}`).map((item) => ({ ...item, event: { ...item.event, event: `E${i}` } })),
        live,
      )
    expect(a.take().bounds).toContainEqual({ writeKey: 'a', bound: 'valuesMissed', count: expect.any(Number) })
    expect(observers.memory('a').held).toBeLessThanOrEqual(150_500)
    await b.run(events('b', 300, 'value'), live)
    expect(b.take().bounds).toEqual([])
    expect(observers.memory('b')).toEqual({ held: expect.any(Number), reserved: 50_000, limit: 200_000 })
  })

  it('belongs entirely to a single workspace', async () => {
    const limits = { valueMemoryBytesMax: 200_000 }
    const observers = createObservers({ clock: createManualClock(), random: createSeededRandom(1), limits })
    const a = observers.of(workspace('a'))
    for (let i = 0; i < 50; i += 1)
      await a.run(
        events('a', 900, `flood ${i}`).map((item) => ({ ...item, event: { ...item.event, event: `E${i}` } })),
        live,
      )
    expect(observers.memory('a').held).toBeGreaterThan(199_000)
  })
})
