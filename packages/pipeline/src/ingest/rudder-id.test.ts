import { expect, it } from 'vitest'
import { rudderId } from './rudder-id.ts'

it('the same user has the same identity, and another user another one', () => {
  expect(rudderId('u1', 'a1')).toBe(rudderId('u1', 'a1'))
  const all = [rudderId('u1', 'a1'), rudderId('u1', ''), rudderId('', 'u1'), rudderId('u2', 'a1')]
  expect(new Set(all).size).toBe(4)
})

it('an identity is a UUID of version 4', () => {
  for (const userId of ['u1', '', 7, '😀'])
    expect(rudderId(userId, undefined)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

it('identifiers count by their cleaned text, and missing ones as empty', () => {
  expect(rudderId(' u\u200b1 ', null)).toBe(rudderId('u1', undefined))
  expect(rudderId(7, '')).toBe(rudderId('7', ''))
})
