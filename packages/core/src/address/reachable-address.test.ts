import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIpRange } from './ip-address.ts'
import { isReachableAddress } from './reachable-address.ts'

describe('addresses that user code must not reach', () => {
  const addresses = [
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '255.255.255.255',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.9',
    '198.18.0.1',
    '198.19.255.255',
    '192.0.0.8',
    '192.88.99.1',
    '::',
    '::1',
    '::127.0.0.1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '2001:2::1',
    '2001::1',
    '2001:10::1',
    '100::1',
    '100:0:0:1::1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '64:ff9b::a83f:8110',
    '2002:a83f:8110::1',
    '100.100.100.200',
    '192.0.0.192',
    '169.254.170.2',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '64:ff9b:1::1',
    '5f00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:0:10.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:c0a8:101::',
    '',
    'localhost',
    '1.2.3',
    '01.2.3.4',
    '0x7f.0.0.1',
    '2130706433',
    '1.2.3.4.',
    ' 1.2.3.4',
    '[::1]',
    'fe80::1%eth0',
    '1.2.3.4\n',
  ]
  for (const address of addresses) {
    it(JSON.stringify(address), () => {
      expect(isReachableAddress(address, [])).toBe(false)
    })
  }
})

describe('public addresses', () => {
  const addresses = [
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '169.253.1.1',
    '192.167.1.1',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2620:fe::fe',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ]
  for (const address of addresses) {
    it(address, () => {
      expect(isReachableAddress(address, [])).toBe(true)
    })
  }
})

it('an allowed range is reachable in every form of its addresses, and nothing else is', () => {
  const allowed = [parseIpRange('10.1.0.0/16'), parseIpRange('fd00::/64')]
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5'])
    expect(isReachableAddress(address, allowed)).toBe(true)
  for (const address of ['10.2.0.1', '127.0.0.1', 'fd00:0:0:1::1', '::ffff:10.2.0.1'])
    expect(isReachableAddress(address, allowed)).toBe(false)
})

it('an IPv4 address gets the same answer in all forms that lead to it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
      const groups = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      const plain = isReachableAddress(ip, [])
      for (const form of [
        `::ffff:${ip}`,
        `::ffff:${groups}`,
        `0:0:0:0:0:ffff:${ip}`,
        `64:ff9b::${groups}`,
        `2002:${groups}::`,
        `2002:${groups}::5`,
      ])
        expect(isReachableAddress(form, []), form).toBe(plain)
    }),
    { numRuns: 500 },
  )
})

it('refuses invalid ranges', () => {
  for (const text of [
    '',
    'x',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '::/129',
    '10.0.0/8',
    '10.0.0.0/x',
    '10.0.0.0/8/8',
  ])
    expect(() => parseIpRange(text), text).toThrow(RangeError)
})
