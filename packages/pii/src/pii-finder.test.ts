import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPiiFinder, type PiiKind, piiKinds } from './pii-finder.ts'

const findAll = createPiiFinder(new Set(piiKinds))
const marked = (text: string): string => {
  let out = ''
  let done = 0
  for (const { kind, start, end } of findAll(text)) {
    out += `${text.slice(done, start)}<${kind}>`
    done = end
  }
  return out + text.slice(done)
}

describe('detected', () => {
  const cases = [
    ['Contact omar.muller205@mail.test or +96-661-824-1920 about alpha', 'Contact <email> or <phone> about alpha'],
    ['a@b.co', '<email>'],
    ['Mail (first.last+tag@sub.example.com).', 'Mail (<email>).'],
    ['müller@exämple.de, x', '<email>, x'],
    ['a@b@c.de', 'a@<email>'],
    ['mailto:x_y%z@example.org?subject=1', 'mailto:<email>?subject=1'],
    ['/u?mail=ann.b%40x.test&n=1', '/u?mail=<email>&n=1'],
    ['a%40b@c.de, d@e%40f.de', '<email>, d@<email>'],
    ['+49 171 1234567', '<phone>'],
    ['tel:+4917112345678!', 'tel:<phone>!'],
    ['(415) 555-2671, 415.555.2671, 1-415-555-2671', '<phone>, <phone>, <phone>'],
    ['0049 171 1234567 and 030 12 34 56 78 and 0171/1234567', '<phone> and <phone> and <phone>'],
    ['+1 (415) 555-2671x12', '<phone>x12'],
    ['4111 1111 1111 1111', '<card>'],
    ['4111-1111-1111-1111,5500005555555559', '<card>,<card>'],
    ['3782 822463 10005 / 378282246310005', '<card> / <card>'],
    ['paid with 6011111111111117.', 'paid with <card>.'],
    ['+49 171 1234567 4111 1111 1111 1111', '<phone> <card>'],
    ['root@10.0.0.1', 'root@<ipv4>'],
    ['from 10.0.0.1 to 255.255.255.255.', 'from <ipv4> to <ipv4>.'],
    ['http://192.168.0.1:8080/x', 'http://<ipv4>:8080/x'],
    ['2001:db8::1, ::1 [fe80::1%eth0] ::ffff:10.0.0.1', '<ipv6>, <ipv6> [<ipv6>%eth0] <ipv6>'],
    ['at 2001:0db8:85a3:0000:0000:8a2e:0370:7334: yes', 'at <ipv6>: yes'],
  ] as const
  for (const [text, want] of cases) {
    it(text, () => {
      expect(marked(text)).toBe(want)
    })
  }
})

describe('not detected', () => {
  const texts = [
    '',
    '@',
    'a@b',
    'a@b.c',
    '@handle and x@ y',
    'a@.de',
    'a%40b',
    '100%40.5',
    'a@b..de',
    'b6c3148f-a706-49a3-bdbf-53dca898c12f',
    '2026-01-05T08:00:03.564Z',
    '01.02.2026 10:30',
    '05/01/2026',
    '1767600003564',
    'order 4111111111111112',
    'INV4111111111111111X',
    '0.4111111111111111',
    'Mozilla/5.0 (Linux; Android 14) Chrome/126.0.0.0 Safari/537.36',
    'v1.2.3.4',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '08:00:03',
    'aa:bb:cc:dd:ee:ff',
    'std::abs',
    'a::b',
    '390 100 3000',
    '12345678901234567890123',
    '3.14159265358979',
    'user-229',
    '59337',
  ]
  for (const text of texts) {
    it(JSON.stringify(text), () => {
      expect(marked(text)).toBe(text)
    })
  }
})

it('detects only the requested kinds', () => {
  const text = 'a@b.de +49 171 1234567 4111111111111111 10.0.0.1 ::1'
  for (const kind of piiKinds) expect(createPiiFinder(new Set([kind]))(text).map((span) => span.kind)).toEqual([kind])
  expect(createPiiFinder(new Set<PiiKind>())(text)).toEqual([])
})

it('spans are inside the text, ordered and without overlap, for any text', () => {
  const piece = fc.constantFrom(
    '@',
    '.',
    ':',
    '::',
    '+',
    '(',
    ')',
    ' ',
    '-',
    '/',
    '1',
    '12',
    '4111',
    '1111',
    'a',
    'b.de',
    'x@y.org',
    '10.0.0.1',
    '+49 171 ',
    'é',
    '😀',
    '\n',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('')
      let before = 0
      for (const { start, end } of findAll(text)) {
        expect(start).toBeGreaterThanOrEqual(before)
        expect(end).toBeGreaterThan(start)
        expect(end).toBeLessThanOrEqual(text.length)
        before = end
      }
    }),
    { numRuns: 2_000 },
  )
})

describe('takes linear, not quadratic time on hostile texts', () => {
  const pieces = [
    'a',
    '@',
    'a@',
    'a%40',
    '%40a.',
    '@a.',
    'a.',
    '.',
    '1',
    '1 ',
    '12 ',
    '123 ',
    '1234 ',
    '0123 ',
    '4111 ',
    '+',
    '+1',
    '+1 ',
    '(',
    '(1',
    ':',
    '::',
    'a:',
    '1:',
    '1.',
    '1.1.1.',
    '-',
    ' 4111111111111112',
    ' 123 456 789',
    'a@b.',
    'é',
    '@é',
    '+123 (',
  ]
  for (const piece of pieces) {
    it(JSON.stringify(piece), () => {
      const text = piece.repeat(Math.ceil(200_000 / piece.length))
      // 200,000 characters: a quadratic search takes minutes.
      expect(() => findAll(text)).toCostAtMost(1_500)
    })
  }
})
