import { isIP, isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isIp, isIpv4, isIpv6 } from './is-ip.ts'

it('takes for an address exactly what Node takes for one', () => {
  const near = fc.string({
    unit: fc.constantFrom(':', '::', '.', '%', '1', '255', '256', '01', 'ffff', 'g', 'a', '0'),
    maxLength: 16,
  })
  fc.assert(
    fc.property(
      fc.oneof(
        fc.ipV4(),
        fc.ipV6(),
        near,
        fc.ipV6().map((each) => `${each}%eth0`),
      ),
      (text) => {
        expect([isIp(text), isIpv4(text), isIpv6(text)]).toEqual([isIP(text), isIPv4(text), isIPv6(text)])
      },
    ),
    { numRuns: 2_000 },
  )
})

it('knows mapped addresses, compressed ones and zones', () => {
  const texts = [
    '::',
    '::1',
    '1::',
    '::ffff:1.2.3.4',
    '64:ff9b::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    '1:2:3:4:5:6:7::',
    'fe80::1%eth0',
    'fe80::1%',
    ':::',
    '1:2',
    '::1::',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::1.2.3',
    ':1.2.3.4',
    '1.2.3.4%a',
  ]
  for (const text of texts) expect([text, isIp(text)]).toEqual([text, isIP(text)])
})
