import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isLargerThan } from './is-larger-than.ts'

it('says whether the JSON text of a value is longer, within a factor of a few', () => {
  const law = fc.property(fc.jsonValue(), (value) => {
    const { length } = JSON.stringify(value)
    expect(isLargerThan(value, 5 * length + 8)).toBe(false)
    if (length > 1) expect(isLargerThan(value, length / 8)).toBe(true)
  })
  fc.assert(law)
})

it('looks at no more of a value than it has to', () => {
  let looks = 0
  const item = {
    get text() {
      looks += 1
      return 'x'.repeat(100)
    },
  }
  expect(isLargerThan({ a: item, b: item, c: item, d: item }, 150)).toBe(true)
  expect(looks).toBeLessThanOrEqual(2)
})
