import { expect, it } from 'vitest'
import { deadLettersText } from './dead-letters-text.ts'

const letter = {
  id: '01900000-0000-7000-8000-000000000003',
  destinationId: 'orders-of-the-warehouse',
  messageId: '01900000-0000-7000-8000-000000000004',
  at: '2026-01-02T03:04:05.678Z',
  stage: 'deliver',
  code: 'deliver.refused',
  reason: `it answered 400: ${'no such order '.repeat(9)}\nand more`,
}

it('is a table where that fits, and otherwise two entries of at most the width of the terminal', () => {
  const wide = deadLettersText([letter], Number.POSITIVE_INFINITY).split('\n')
  expect(wide.map((line) => line.slice(0, 4))).toEqual(['id  ', '0190'])
  const narrow = deadLettersText([letter, letter], 80).split('\n')
  expect(narrow[0]).toBe('01900000-0000-7000-8000-000000000003  2026-01-02T03:04:05Z  orders-of-the-wareh…')
  expect(narrow[1]).toMatch(/^ {2}deliver: it answered 400: no such order /)
  for (const line of narrow) expect(line.length).toBeLessThanOrEqual(80)
})
