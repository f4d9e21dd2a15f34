import { describe, expect, it } from 'vitest'
import { networkOf } from './ip-address.ts'

describe('the network of an address', () => {
  const cases = [
    { address: '192.0.2.1', network: '192.0.2.1' },
    { address: '::ffff:192.0.2.1', network: '192.0.2.1' },
    { address: '2001:db8:1:2::1', network: '20010db800010002::/64' },
    { address: '2001:db8:1:2:ffff::', network: '20010db800010002::/64' },
    { address: '2001:db8:1:3::1', network: '20010db800010003::/64' },
    { address: '', network: '' },
  ]
  for (const { address, network } of cases)
    it(`of '${address}' is '${network}'`, () => {
      expect(networkOf(address)).toBe(network)
    })
})
