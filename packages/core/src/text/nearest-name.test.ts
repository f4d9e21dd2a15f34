import { describe, expect, it } from 'vitest'
import { nearestName } from './nearest-name.ts'

describe('the nearest name', () => {
  const known = ['name', 'description', 'publish', 'destinationIds', 'sourceIds']
  const cases = [
    ['publsh', 'publish'],
    ['destinationID', 'destinationIds'],
    ['SOURCEIDS', 'sourceIds'],
    ['sourceid', 'sourceIds'],
    ['nmae', 'name'],
    ['anme', 'name'],
    ['nmxe', undefined],
    ['colour', undefined],
    ['', undefined],
    ['x'.repeat(1_000_000), undefined],
  ] as const
  for (const [given, want] of cases)
    it(`to '${given.slice(0, 20)}' is ${want}`, () => expect(nearestName(given, known)).toBe(want))

  it('is the first of several equally near ones', () => expect(nearestName('ab', ['ac', 'ad'])).toBe('ac'))
})
