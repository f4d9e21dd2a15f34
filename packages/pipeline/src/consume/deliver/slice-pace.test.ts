import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SlicePace } from './slice-pace.ts'

it('waits a tenth of a second while nothing is known of a destination', () => {
  expect(new SlicePace().patienceMs).toBe(100)
})

it('waits between 2 and 100 ms, whatever slices took', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true })), (took) => {
      const pace = new SlicePace()
      for (const milliseconds of took) pace.took(milliseconds)
      expect(pace.patienceMs).toBeGreaterThanOrEqual(2)
      expect(pace.patienceMs).toBeLessThanOrEqual(100)
    }),
  )
})

it('waits for about twice as long as most slices take, though one in four takes 30 s', () => {
  const pace = new SlicePace()
  for (let n = 0; n < 400; n += 1) pace.took(n % 4 === 3 ? 30_000 : 5)
  expect(pace.patienceMs).toBeGreaterThan(8)
  expect(pace.patienceMs).toBeLessThan(16)
})
