import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskText } from './mask-text.ts'
import { createPiiFinder, piiKinds } from './pii-finder.ts'

const find = createPiiFinder(new Set(piiKinds))

describe('mask text', () => {
  it('replaces personal data and leaves the rest', () => {
    expect(maskText('mail a@b.test, call +1 415 555 2671', find)).toBe('mail [email], call [phone]')
    expect(maskText('nothing', find)).toBeUndefined()
    expect(maskText('/u?m=ann%40x.test', find)).toBe('/u?m=[email]')
    expect(maskText('100%40 off', find)).toBeUndefined()
  })

  it('finds personal data anywhere in a text', () => {
    const part = fc.constantFrom(
      'a@b.test',
      'a%40b.test',
      '%40',
      '1.2.3.4',
      '::1',
      'fe80::2',
      '+1 415 555 2671',
      '4111111111111111',
      ' ',
      'x',
      '-',
      '7',
      'ä',
    )
    const law = fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
      const text = parts.join('')
      expect(maskText(text, find) === undefined).toBe(find(text).length === 0)
    })
    fc.assert(law, { numRuns: 1_000 })
  })

  it('agrees with the finder on texts that are one item of personal data', () => {
    const label = fc.stringMatching(/^[a-z0-9.-]{1,8}$/)
    const email = fc.tuple(fc.stringMatching(/^[\w.+-]{1,70}$/), label, label).map(([a, b, c]) => `${a}@${b}.${c}`)
    const ip = fc
      .array(fc.integer({ min: 0, max: 300 }), { minLength: 3, maxLength: 5 })
      .map((parts) => parts.join('.'))
    const law = fc.property(fc.oneof(email, ip), (text) => {
      const masked = maskText(text, find)
      const spans = find(text)
      const isWhole = spans.length === 1 && spans[0]?.start === 0 && spans[0].end === text.length
      if (masked === '[email]' || masked === '[ip]') expect(isWhole, text).toBe(true)
      else expect(isWhole && spans[0]?.kind !== 'phone', text).toBe(false)
      expect(maskText(text, createPiiFinder(new Set()))).toBeUndefined()
    })
    fc.assert(law, { numRuns: 2_000 })
  })

  it('leaves identifiers and times alone', () => {
    for (const text of ['12345678-1234-1234-1234-123456789012', '2026-01-05T08:00:03.564Z', '2026-01-05T08:00+02:00'])
      expect(maskText(text, find)).toBeUndefined()
  })
})
