import type { JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../convert/hash.ts'
import { isHashed } from './hashed.ts'
import { e164, each, genderLetter, gmailWithoutDots, plusAndDigits } from './normalise.ts'
import { type PersonalField, personalData } from './personal-data.ts'

const cases: readonly {
  readonly platform: keyof typeof personalData
  readonly field: PersonalField
  readonly from: JsonValue
  readonly to: JsonValue | undefined
}[] = [
  { platform: 'meta', field: 'email', from: ' Ada@Example.COM ', to: 'ada@example.com' },
  { platform: 'meta', field: 'gender', from: 'Female', to: 'f' },
  { platform: 'meta', field: 'phone', from: '+1 (650) 555-1212', to: '16505551212' },
  { platform: 'meta', field: 'phone', from: '0041 79 123 45 67', to: '41791234567' },
  { platform: 'meta', field: 'phone', from: '+44 (0)20 7946 0018', to: '442079460018' },
  { platform: 'meta', field: 'phone', from: 'none', to: undefined },
  { platform: 'meta', field: 'city', from: 'New York', to: 'newyork' },
  { platform: 'meta', field: 'city', from: 'St. Gallen', to: 'stgallen' },
  { platform: 'meta', field: 'state', from: 'New Jersey', to: 'nj' },
  { platform: 'meta', field: 'state', from: 'CA', to: 'ca' },
  { platform: 'meta', field: 'state', from: 'Nordrhein-Westfalen', to: 'nordrheinwestfalen' },
  { platform: 'meta', field: 'zip', from: 'M1 1AE', to: 'm11ae' },
  { platform: 'meta', field: 'zip', from: '94035-1234', to: '94035' },
  { platform: 'meta', field: 'birthday', from: '1990-02-03', to: '19900203' },
  { platform: 'meta', field: 'birthday', from: '1990-2-3T00:00:00Z', to: '19900203' },
  { platform: 'meta', field: 'lastName', from: " O'Brien ", to: 'obrien' },
  { platform: 'meta', field: 'firstName', from: 'Mary  Ann', to: 'mary ann' },
  { platform: 'tiktok', field: 'zip', from: 'US - 1234', to: 'US1234' },
  { platform: 'tiktok', field: 'phone', from: ' +1 (650) 555-1212', to: '+16505551212' },
  { platform: 'pinterest', field: 'phone', from: '+49 (155) 50', to: '4915550' },
  { platform: 'pinterest', field: 'city', from: 'São Paulo', to: 'sãopaulo' },
  { platform: 'pinterest', field: 'birthday', from: '1990-02-03', to: '19900203' },
  { platform: 'snapchat', field: 'phone', from: '0049-155', to: '49155' },
  { platform: 'snapchat', field: 'firstName', from: ' Ada ', to: 'ada' },
  { platform: 'reddit', field: 'email', from: ' Ada@Example.com ', to: 'ada@example.com' },
  { platform: 'linkedin', field: 'email', from: 'ADA@example.com', to: 'ada@example.com' },
  { platform: 'google', field: 'email', from: ' A.da+News@Gmail.com', to: 'ada@gmail.com' },
  { platform: 'google', field: 'email', from: 'A.da+News@Example.com', to: 'a.da+news@example.com' },
  { platform: 'google', field: 'phone', from: '+44 (0)20 7946 0018', to: '+442079460018' },
  { platform: 'google', field: 'phone', from: '12', to: '+12' },
  { platform: 'google', field: 'phone', from: 'none', to: undefined },
]

describe('personal data as platforms want it', () => {
  for (const { platform, field, from, to } of cases)
    it(`${field} of ${platform}: ${JSON.stringify(from)} becomes ${JSON.stringify(to)}`, () => {
      expect(personalData[platform][field](from)).toBe(to)
    })

  it('is read from values of any kind without an error', () => {
    for (const platform of Object.values(personalData))
      for (const convert of Object.values(platform))
        for (const value of [0, true, '', 'x', [1], { a: 1 }] as const) expect(() => convert(value)).not.toThrow()
  })
})

describe('hashing', () => {
  const hash = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'

  it('recognises values that are hashes already', () => {
    expect([isHashed(hash), isHashed(hash.toUpperCase()), isHashed(hash.slice(1)), isHashed(7)]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('applies to each element of a list that has a value', () => {
    expect(each(sha256)(['abc', '', null])).toEqual([hash])
    expect(each(genderLetter)(['male', 'other'])).toEqual(['m'])
  })
})

describe('normalised values', () => {
  it('have Gmail names without dots and tags, at both of its domains', () => {
    expect(gmailWithoutDots('a.b+c@googlemail.com')).toBe('ab@googlemail.com')
    expect(gmailWithoutDots('no address')).toBe('noaddress')
  })

  it('have phone numbers with a country code', () => {
    expect(e164('49 1512 3456789')).toBe('+4915123456789')
    expect(e164('12')).toBeUndefined()
    expect(plusAndDigits('()')).toBeUndefined()
  })
})
