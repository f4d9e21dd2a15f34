import { describe, expect, it } from 'vitest'
import { createSchemaAccumulator } from './schema-accumulator.ts'
import type { VersionDelta } from './schema-delta.ts'

const seen = (schemaHash: string, at: number, more: Partial<VersionDelta> = {}): VersionDelta => ({
  writeKey: 'k1',
  eventType: 'track',
  eventIdentifier: 'Bought',
  schemaHash,
  schema: { [schemaHash]: 'string' },
  count: 1,
  firstSeen: at,
  lastSeen: at,
  ...more,
})

describe('schema accumulator', () => {
  it('sums what belongs to one model and hash, and widens when it was seen', () => {
    const seenShapes = createSchemaAccumulator()
    for (const version of [seen('a', 5), seen('a', 3, { count: 2 }), seen('a', 9)]) seenShapes.add(version)
    expect(seenShapes.take()).toEqual({ versions: [{ ...seen('a', 3), count: 4, lastSeen: 9 }] })
  })

  it('keeps models apart that share a hash', () => {
    const seenShapes = createSchemaAccumulator()
    const versions = [seen('a', 1), seen('a', 1, { writeKey: 'k2' }), seen('a', 1, { eventIdentifier: 'Sold' })]
    for (const version of versions) seenShapes.add(version)
    expect(seenShapes.take()).toEqual({ versions })
  })

  it('forgets what was taken', () => {
    const seenShapes = createSchemaAccumulator()
    seenShapes.add(seen('a', 1))
    seenShapes.take()
    expect(seenShapes.take()).toEqual({ versions: [] })
  })

  it('leaves what it was given as it was', () => {
    const seenShapes = createSchemaAccumulator()
    const first = Object.freeze(seen('a', 1))
    seenShapes.add(first)
    seenShapes.add(first)
    expect(seenShapes.take().versions[0]?.count).toBe(2)
    expect(first.count).toBe(1)
  })
})
