import type { JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { urlPart } from './url.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, joinParts([urlPart()]))
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`import { parse } from '@sluice/url'; globalThis.answer = ${code}`)

  /** Runs an expression here. The guest must agree with Node's own classes. */
  const here = (code: string): unknown => {
    const value: unknown = new Function(`return ${code}`)()
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
  }
  const parts = [
    'href',
    'origin',
    'protocol',
    'username',
    'password',
    'host',
    'hostname',
    'port',
    'pathname',
    'search',
    'hash',
  ]
  const all = (url: string) =>
    `((u) => [${parts.map((part) => `u.${part}`)}, String(u), JSON.stringify({ u })])(${url})`

  describe('URL', () => {
    const cases = [
      all("new URL('https://u:p@Example.com:8080/a/../b c?q=1&q=2#h')"),
      all("new URL('../x?y#z', 'http://a.example/b/c/d')"),
      all("new URL('http://0x7f.1/')"),
      all("new URL('HTTP://münchen.example:80')"),
      all("new URL('mailto:a@b.example')"),
      all("new URL(new URL('http://a/b'))"),
      "[URL.canParse('http://a'), URL.canParse('a'), URL.canParse('a', 'http://b')]",
      "[URL.parse('a'), URL.parse('/a?b', 'http://b').href]",
      "Object.prototype.toString.call(new URL('http://a'))",
      ...parts
        .filter((part) => part !== 'origin')
        .flatMap((part) =>
          ['', 'x', 'https:', '8443', 'b.example:99', '/p q', '?s=ü', '#f', 'http://z.example/?k=v'].map(
            (value) =>
              `((u) => { try { u.${part} = ${JSON.stringify(value)} } catch (e) { return e.name } return [u.href, [...u.searchParams]] })(new URL('http://u@a.example:81/p?q=1#h'))`,
          ),
        ),
      `((u) => { const p = u.searchParams; p.append('b', 'ü &'); const one = u.href; p.delete('a'); const two = u.search; p.delete('b'); return [one, two, u.href, p === u.searchParams] })(new URL('http://a/?a=1#h'))`,
      `((u) => { const p = u.searchParams; u.search = '?x=1&y'; return [p.toString(), [...p]] })(new URL('http://a/?a=1'))`,
      `((u) => { const p = u.searchParams; p.set('a', 2); u.hash = 'k'; u.pathname = '/n'; return [u.href, p.size] })(new URL('http://a/?a=1'))`,
      `((u) => { const p = u.searchParams; u.href = 'http://b/?z=9'; return [p.get('z'), p.get('a')] })(new URL('http://a/?a=1'))`,
    ]
    for (const code of cases) {
      it(`agrees with Node: ${code.slice(0, 150)}`, async () => {
        expect(await run(code)).toEqual(here(code))
      })
    }
    for (const code of ["new URL('a')", 'new URL()', "new URL('http://a').href = 'b'", "URL('http://a')"]) {
      it(`${code} throws a TypeError`, async () => {
        const caught = `(() => { try { ${code} } catch (e) { return [e instanceof TypeError, e.message] } })()`
        const [isTypeError, message] = (await run(caught)) as [boolean, string]
        expect(isTypeError).toBe(true)
        if (!code.startsWith('URL(') && code !== 'new URL()') expect(message).toBe('Invalid URL')
      })
    }
  })

  describe('URLSearchParams', () => {
    const p = "new URLSearchParams('?b=2&a=1&b=3&e=%C3%A9+x&broken=%E9%&=&&c')"
    const cases = [
      `[...${p}]`,
      `String(${p})`,
      `[${p}.get('b'), ${p}.get('z'), ${p}.getAll('b'), ${p}.has('a'), ${p}.has('a', 2), ${p}.has('b', '3'), ${p}.size]`,
      `((p) => { p.set('b', 'x'); p.set('n', 5); p.append('a', null); p.delete('e'); p.delete('c', 'no'); return [...p] })(${p})`,
      `((p) => { p.sort(); return p.toString() })(${p})`,
      `((p) => { const seen = []; p.forEach(function (v, k, q) { seen.push([v, k, q === p, this.t]) }, { t: 1 }); return seen })(${p})`,
      `[[...${p}.keys()], [...${p}.values()], [...${p}.entries()]]`,
      "String(new URLSearchParams({ a: 1, b: [2, 3], 'c d': 'é&=' }))",
      "String(new URLSearchParams([['a', 1], ['a', 2]]))",
      "String(new URLSearchParams(new Map([['m', 1]])))",
      "String(new URLSearchParams([new Set(['a', 1]), 'bc'.split('')]))",
      "String(new URLSearchParams(Object.defineProperty({ a: 1 }, 'hidden', { value: 2 })))",
      "((p) => { const q = new URLSearchParams(p); q.append('z', 1); return [p.size, q.size] })(new URLSearchParams('a=1'))",
      "[String(new URLSearchParams()), String(new URLSearchParams('')), String(new URLSearchParams(undefined)), String(new URLSearchParams('??a'))]",
      "String(new URLSearchParams('a=~*-._!()\\'\\ud800'))",
      'String(new URLSearchParams(JSON.parse(\'{"__proto__": "x"}\')))',
      'Object.prototype.toString.call(new URLSearchParams())',
      'JSON.stringify(new URLSearchParams("a=1"))',
    ]
    for (const code of cases) {
      it(`agrees with Node: ${code.slice(0, 150)}`, async () => {
        expect(await run(code)).toEqual(here(code))
      })
    }
    for (const code of [
      "new URLSearchParams([['a']])",
      'new URLSearchParams([1])',
      'new URLSearchParams().append("a")',
      'new URLSearchParams(Symbol())',
      'new URLSearchParams().get()',
      'new URLSearchParams().forEach(1)',
    ]) {
      it(`${code} throws a TypeError`, async () => {
        expect(await run(`(() => { try { ${code} } catch (e) { return e instanceof TypeError } })()`)).toBe(true)
      })
    }
    it('treats null as text, like the standard and browsers', async () => {
      expect(await run('String(new URLSearchParams(null))')).toBe('null=')
    })
    it('parses and serializes any text as Node does', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.string({ maxLength: 20 }),
          fc.array(fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })), { maxLength: 4 }),
          async (text, pairs) => {
            const code = `[[...new URLSearchParams(${JSON.stringify(text)})], String(new URLSearchParams(${JSON.stringify(pairs)}))]`
            expect(await run(code)).toEqual([[...new URLSearchParams(text)], String(new URLSearchParams(pairs))])
          },
        ),
        { numRuns: 100 },
      )
    })
  })

  describe('@sluice/url', () => {
    it('parses one or many, parameters grouped by name', async () => {
      expect(await run("parse('http://a.example/p?x=1&y=2&x=3&__proto__=4#h')")).toMatchObject({
        hostname: 'a.example',
        pathname: '/p',
        hash: '#h',
      })
      expect(await run("Object.entries(parse('http://a/?x=1&y=2&x=3&__proto__=4').params)")).toEqual([
        ['x', ['1', '3']],
        ['y', '2'],
        ['__proto__', '4'],
      ])
      expect(await run("parse(['nonsense', '/a'], 'http://b').map((u) => u.href)")).toEqual([
        'http://b/nonsense',
        'http://b/a',
      ])
      expect(await run("parse('nonsense')")).toBe(null)
    })
    it('is the same class as the global', async () => {
      expect(await guest.run("import { URL as U } from '@sluice/url'; globalThis.answer = U === URL")).toBe(true)
    })
  })

  it('user code that overwrites built-ins does not break them', async () => {
    const spoilt = await openGuest(engine, joinParts([urlPart()]))
    await spoilt.run(`String.prototype.slice = String.prototype.toWellFormed = Array.prototype.push = Array.prototype.sort = Reflect.apply = Array.isArray = () => { throw 1 }
    globalThis.String = globalThis.WeakMap = globalThis.TypeError = undefined
    URLSearchParams.prototype.append = URLSearchParams.prototype.toString = () => 'spoilt'`)
    const code =
      "((u) => { u.searchParams.set('b', 1); u.searchParams.sort(); return u.href })(new URL('http://a/?c=3'))"
    expect(await spoilt.run(`globalThis.answer = ${code}`)).toBe('http://a/?b=1&c=3')
    spoilt.close()
  })

  describe('the host', () => {
    const calls = urlPart().syncCalls ?? {}
    const call = (name: string, ...args: JsonValue[]): JsonValue => calls[name]?.(args, {}) ?? null
    const names = 'a&'.repeat(100_000)

    it('searches each character of a query a few times at most', () => {
      for (const [name, ...args] of [
        ['paramsRead', names],
        ['paramsRead', `${names}a=1`],
        ['urlRecords', `http://a/?${names}`],
        ['urlParts', `http://a/?${names}`],
        ['urlSet', 'http://a/', 'search', names],
        ['urlSetParams', 'http://a/', names.split('&')],
      ] as const)
        expect(
          charactersSearched(() => call(name, ...args)),
          name,
        ).toBeLessThan(4 * names.length)
    })

    const long = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')

    it('does not convert long hosts to ASCII, because that takes quadratic time', () => {
      expect(call('urlParts', `http://${long}/`)).toBe(null)
      expect(call('urlParts', '/a', `http://${long}/`)).toBe(null)
      expect(call('urlParts', `//${long}/`, 'http://a/')).toBe(null)
      for (const key of ['host', 'hostname'])
        expect(call('urlSet', 'http://a/', key, long)).toMatchObject({ host: 'a' })
      expect(() => call('urlSet', 'http://a/', 'href', `http://${long}`)).toThrow('Invalid URL')
      expect(call('urlRecords', [`http://${long}/`, 'http://b/'])).toMatchObject([null, { host: 'b' }])
    })

    it('refuses lists that would keep it busy for long', () => {
      const host = `http://${long.slice(0, 250)}/`
      expect(() => call('urlRecords', Array(1_000).fill(host))).toThrow('too many long hosts')
      expect(() => call('urlRecords', Array(1_000).fill('/a'), host)).toThrow('too many long hosts')
      expect(() => call('urlRecords', Array(1_000).fill('a'), `http://a/${'b'.repeat(10_000)}`)).toThrow('characters')
      expect(call('urlRecords', Array(20_000).fill('http://münchen.example/'))).toHaveLength(20_000)
    })

    it('parses long and odd texts', () => {
      for (const text of [
        `http://${'a.'.repeat(50_000)}`,
        `http://a/${'../'.repeat(300_000)}`,
        `http://a/${'%'.repeat(500_000)}`,
        `http://${'[:'.repeat(50_000)}`,
      ])
        expect(() => call('urlRecords', text)).not.toThrow()
    })
  })

  /** Counts the characters that `indexOf` passes, in our code and in the platform's own parsers. */
  function charactersSearched(run: () => void): number {
    const { indexOf } = String.prototype
    let searched = 0
    String.prototype.indexOf = function (this: string, text, from = 0) {
      const found = indexOf.call(this, text, from)
      searched += (found === -1 ? this.length : found) - from
      return found
    }
    try {
      run()
    } finally {
      String.prototype.indexOf = indexOf
    }
    return searched
  }
})
