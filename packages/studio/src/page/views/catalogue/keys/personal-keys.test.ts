import { describe, expect, it } from 'vitest'
import { isMasked, personalKeys } from './personal-keys.ts'

const kindsIn = (values: Parameters<typeof personalKeys>[0]) => Object.fromEntries(personalKeys(values))

describe('personal data by key', () => {
  it('is what was masked in samples, in lists, too', () => {
    const samples = [{ context: { ip: '[ip]' }, properties: { mails: ['[email]', 'x'], note: '[later]' } }]
    expect(kindsIn({ samples, frequentValues: {} })).toEqual({
      'context.ip': 'IP address',
      'properties.mails': 'e-mail',
    })
  })

  it('is what was masked in values of events that are in no sample, every kind of a key once', () => {
    const values = ['[email]', 'call [phone] or [email]', 'blue'].map((value) => ({ value, share: 0.1 }))
    const frequentValues = { 'properties.items.0.note': values, 'properties.colour': [{ value: 'blue', share: 1 }] }
    expect(kindsIn({ samples: [], frequentValues })).toEqual({ 'properties.items.note': 'e-mail, phone' })
  })

  it('is a whole value, or only a part of one, which is shown', () => {
    expect(['[email]', '[email] [phone]', 'call [phone]', ''].map(isMasked)).toEqual([true, true, false, false])
  })
})
