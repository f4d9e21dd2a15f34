import { expect, it } from 'vitest'
import { cutName, wrapLine } from './wrap.ts'

it('breaks lines between words, indents what follows, and leaves long words whole', () => {
  expect(wrapLine('one two three four', 9, 2)).toBe('one two\n  three\n  four')
  expect(wrapLine('  a-very-long-word b', 8, 4)).toBe('  a-very-long-word\n    b')
  expect(wrapLine('  unbreakable', 5, 4)).toBe('  unbreakable')
  expect(wrapLine('fits', 4, 2)).toBe('fits')
})

it('shortens names', () => {
  expect(['Orders', 'Orders of shops'].map((name) => cutName(name, 8))).toEqual(['Orders', 'Orders …'])
})
