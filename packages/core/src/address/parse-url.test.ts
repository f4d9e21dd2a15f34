import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { convertedHostLength, convertedHostLengthMax, parseUrl } from './parse-url.ts'

const different = (length: number): string =>
  Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')
const long = different(convertedHostLengthMax + 1)

describe('parseUrl', () => {
  it('returns what the platform returns for any text with a short host', () => {
    const part = fc.constantFrom(
      'http:',
      'HTTPS:',
      'a:',
      '/',
      '\\',
      '//',
      '@',
      ':80',
      '?',
      '#',
      ' ',
      '\t',
      'ü',
      '%41',
      '.',
      'b',
      'xn--',
    )
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.option(text, { nil: undefined }), (url, base) => {
        expect(parseUrl(url, base)?.href).toBe(URL.canParse(url, base) ? new URL(url, base).href : undefined)
      }),
    )
  })

  const refused = [
    ['characters beyond ASCII', `http://${long}/`],
    ['percent signs', `http://${'%C3%BC'.repeat(50)}/`],
    ['Punycode', `http://a.XN--${'a'.repeat(300)}/`],
    ['no slashes', `https:${long}`],
    ['backslashes', `wss:\\\\\\${long}`],
    ['a user', `ftp://u:p@${long}:21/`],
    ['line breaks', `\n ht\ntp:/\t/${long}`],
  ] as const
  for (const [name, url] of refused) it(`refuses a long host with ${name}`, () => expect(parseUrl(url)).toBeUndefined())

  it('refuses a long host after two slashes, and one of the base', () => {
    expect(parseUrl(`//${long}/a`, 'http://b')).toBeUndefined()
    expect(parseUrl('/a', `http://${long}`)).toBeUndefined()
  })

  const taken = [
    ['a host of plain ASCII', `http://${'a.'.repeat(1_000)}`],
    ['a path', `http://a/${long}`],
    ['a query', `http://a?${long}`],
    ['a user', `http://${'ü'.repeat(300)}@a/`],
    ['a host that is not converted', `redis://${long}`],
    ['what has no host', `data:text/plain,${long}`],
  ] as const
  for (const [name, url] of taken)
    it(`takes a URL that is long because of ${name}`, () =>
      expect(URL.canParse(url) && parseUrl(url)).toBeInstanceOf(URL))
})

it('finds every host that the platform would convert', () => {
  const text = fc.array(fc.constantFrom('http:', 'file:', '/', '\\', '@', ' ', '\t', '\n', 'ü', '%C3', 'b', '?', '#'), {
    maxLength: 9,
  })
  fc.assert(
    fc.property(text, fc.constantFrom(undefined, 'http://b'), (parts, base) => {
      const url = URL.canParse(parts.join(''), base) ? new URL(parts.join(''), base) : undefined
      if (url?.hostname.includes('xn--')) expect(convertedHostLength(parts.join(''))).toBeGreaterThan(0)
    }),
    { numRuns: 2_000 },
  )
})
