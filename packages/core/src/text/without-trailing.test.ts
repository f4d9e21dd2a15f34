import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutTrailing } from './without-trailing.ts'

it('removes exactly what a regular expression would', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[/.\-a]{0,12}$/), (text) => {
      expect(withoutTrailing(text, '/')).toBe(text.replace(/\/+$/, ''))
      expect(withoutTrailing(text, '.-')).toBe(text.replace(/[.-]+$/, ''))
    }),
  )
})
