import { describe, expect, it } from 'vitest'
import { regionHosts } from './region-hosts.ts'

describe('regions of a product', () => {
  const words = { title: 'Region', description: 'Region of the account.', default: 'us' } as const
  const { setting, hostOf } = regionHosts(
    { us: ['United States', 'https://api.a.test'], eu: ['Europe', 'https://api.eu.a.test'] },
    words,
  )

  it('are a setting with words for forms', () => {
    expect(setting).toMatchObject({ ...words, enum: ['us', 'eu'], choices: { us: 'United States', eu: 'Europe' } })
  })

  it('have a host each', () => {
    expect(hostOf('us')).toBe('https://api.a.test')
    expect(hostOf('eu')).toBe('https://api.eu.a.test')
  })

  it('never lead to a host that is not in the table', () => {
    for (const wrong of [undefined, null, 'EU', 'evil.test', 'constructor', '__proto__', {}])
      expect(hostOf(wrong)).toBe('https://api.a.test')
  })
})
