import { createRequire } from 'node:module'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isDateLike } from './is-date-like.ts'

const { validateSchema } = createRequire(import.meta.url)('@segment/actions-core/schema-validation') as {
  validateSchema(payload: object, schema: object, options: object): boolean
}
const schema = { type: 'object', properties: { at: { type: 'string', format: 'date-like' } } }
const theirs = (at: string): boolean => validateSchema({ at }, schema, { throwIfInvalid: false })

describe('a text that is like a date', () => {
  const cases = [
    { text: '2024-03-05T10:20:30.000Z', isLike: true },
    { text: '2024-03-05T10:20:30+02:00', isLike: true },
    { text: '2024-03-05', isLike: true },
    { text: 'March 5, 2024', isLike: true },
    { text: '1709634030', isLike: true },
    { text: '1709634030000', isLike: true },
    { text: '99999999999999', isLike: false },
    { text: '2024-13-05T10:20:30Z', isLike: false },
    { text: 'AZ', isLike: false },
    { text: 'soon', isLike: false },
    { text: '', isLike: false },
  ]
  for (const { text, isLike } of cases) {
    it(`${isLike ? 'is' : 'is not'} ${JSON.stringify(text)}, as at Segment`, () => {
      expect(isDateLike(text)).toBe(isLike)
      expect(theirs(text)).toBe(isLike)
    })
  }

  it('is what Segment takes for one', () => {
    const part = fc.constantFrom(
      '2024',
      '-',
      '/',
      '03',
      '05',
      'T',
      ' ',
      '10:20',
      ':30',
      '.5',
      'Z',
      'z',
      '+02:00',
      'x',
      '13',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(part, { maxLength: 9 }).map((parts) => parts.join('')),
          fc.integer().map(String),
        ),
        (text) => {
          expect(isDateLike(text)).toBe(theirs(text))
        },
      ),
    )
  })
})
