import { describe, expect, it } from 'vitest'
import { mendingPlaceOf } from './letter-groups.ts'

describe('where failed events are mended', () => {
  const places: readonly (readonly [code: string, place: string])[] = [
    ['transform.threw', 'code'],
    ['stage.broken', 'code'],
    ['destination.event', 'sender'],
    ['plan.violated', 'sender'],
    ['deliver.refused', 'destination'],
    ['destination.gone', 'destination'],
  ]
  for (const [code, place] of places) it(`${code}: ${place}`, () => expect(mendingPlaceOf(code)).toBe(place))
})
