import { describe, expect, it } from 'vitest'
import { createMentions } from './mentions.ts'
import { userDigest } from './user-digest.ts'

describe('an identifier', () => {
  const found = [
    ['user-42', 'user-42'],
    ['user-42', 'Hello user-42, welcome'],
    ['user-42', 'USER-421'],
    ['Ana@Mail.test', 'mailto:ana@mail.test?subject=x'],
    ['user-42', ' us\u200ber-42 '],
    ['4711', 94711],
    ['7', 7],
    ['7', 'user 7'],
    ['7', '17, 7'],
    ['a-1', '(a-1)'],
    ['true', true],
  ] as const
  for (const [identifier, value] of found)
    it(`${identifier} is in ${JSON.stringify(value)}`, () =>
      expect(createMentions(['other', identifier, '']).isIn(value)).toBe(true))

  const absent = [
    ['user-42', 'user-4'],
    ['user-42', ''],
    ['7', 'user 17'],
    ['7', 1975],
    ['a-1', 'a-12'],
    ['\u00fc', 'm\u00fcller'],
    ['', 'anything'],
    [' ', ' '],
  ] as const
  for (const [identifier, value] of absent)
    it(`${JSON.stringify(identifier)} is not in ${JSON.stringify(value)}`, () =>
      expect(createMentions([identifier]).isIn(value)).toBe(false))

  it('is found where a value was cut, if at least four of its characters are left', () => {
    const { isIn } = createMentions(['a-very-long-user-id'], 10)
    expect(['a-very-lon', 'xx  a-very', '........a-', 'a-very'].map(isIn)).toEqual([true, true, false, false])
  })

  it('is recognised by its digest', () => {
    const { isOf } = createMentions(['u1'])
    expect([userDigest(' u1 '), userDigest('u2'), ''].map(isOf)).toEqual([true, false, false])
  })
})

it('thousands of identifiers cost little per value', () => {
  const { isIn } = createMentions(Array.from({ length: 2_000 }, (_, index) => `user-${index}-of-the-shop`))
  let found = 0
  expect(() => {
    for (let index = 0; index < 20_000; index += 1) if (isIn(`order ${index} of user-${index}`)) found += 1
  }).toCostAtMost(2_000)
  expect(found).toBe(0)
})
