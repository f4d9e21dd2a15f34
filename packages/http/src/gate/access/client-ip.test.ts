import { describe, expect, it } from 'vitest'
import { clientIpFromHeader } from './client-ip.ts'

const env = { incoming: { socket: { remoteAddress: '::ffff:10.0.0.1' } } }
const clientIp = clientIpFromHeader('X-Forwarded-For')
const addressOf = (entries: string) =>
  clientIp(new Request('http://a.test/', { headers: { 'x-forwarded-for': entries } }), env)

describe('the address of a client, read from a header', () => {
  const cases = [
    ['203.0.113.7', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['10.9.9.9,203.0.113.7 ', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['203.0.113.7, unknown', '10.0.0.1'],
    ['203.0.113.7,', '10.0.0.1'],
    ['', '10.0.0.1'],
  ]
  for (const [entries = '', want] of cases)
    it(`is ${want} for '${entries}'`, () => {
      expect(addressOf(entries)).toBe(want)
    })

  it('is the peer when the header is missing, and empty when the peer is unknown', () => {
    expect(clientIp(new Request('http://a.test/'), env)).toBe('10.0.0.1')
    expect(clientIp(new Request('http://a.test/'), undefined)).toBe('')
  })
})
