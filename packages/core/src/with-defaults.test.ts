import { expect, it } from 'vitest'
import { withDefaults } from './with-defaults.ts'

it('fills in what is left out, and what is given as undefined', () => {
  const options: { baseMs?: number; capMs?: number; name?: string } = { baseMs: undefined, capMs: 5, name: 'n' }
  expect(withDefaults({ baseMs: 1, capMs: 2 }, options)).toEqual({ baseMs: 1, capMs: 5, name: 'n' })
  expect(withDefaults({ baseMs: 1 }, undefined)).toEqual({ baseMs: 1 })
})

it('keeps null, false, 0 and an empty text', () => {
  const given = { a: null, b: false, c: 0, d: '' }
  expect(withDefaults({ a: 'x', b: 'x', c: 'x', d: 'x' }, given)).toEqual(given)
})

it('leaves the defaults as they are', () => {
  const defaults = { a: 1 }
  withDefaults(defaults, { a: 2 })
  expect(defaults).toEqual({ a: 1 })
})
