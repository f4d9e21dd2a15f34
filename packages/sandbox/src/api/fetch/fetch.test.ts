import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { JsonValue } from '@sluice/core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import type { BareGuest } from '../bare-guest.ts'
import { urlPart } from '../globals/url.ts'
import { joinParts } from '../guest-api-part.ts'
import { fetchPart } from './fetch.ts'
import type { FetchOptions } from './fetch-rules.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const servers: Server[] = []
  const guests: BareGuest[] = []
  let base = ''
  let other = ''
  const requests: IncomingMessage[] = []
  let underWay = 0
  let mostUnderWay = 0
  const held: (() => void)[] = []

  /** Made before the test, whose memory is measured. */
  const bomb = gzipSync(Buffer.alloc(50_000_000))

  const routes: Readonly<Record<string, RequestListener>> = {
    '/json': (_, reply) => reply.setHeader('content-type', 'application/json').end('{"a":[1,"é"],"__proto__":{"b":1}}'),
    '/text': (_, reply) => reply.setHeader('x-Kind', 'plain').end('hello'),
    '/null': (_, reply) => reply.end('null'),
    '/empty': (_, reply) => reply.writeHead(204).end(),
    '/missing': (_, reply) => reply.writeHead(404).end('{"error":"missing"}'),
    '/deep': (_, reply) => reply.end('['.repeat(100_000) + ']'.repeat(100_000)),
    '/cookies': (_, reply) => reply.setHeader('set-cookie', ['a=1', 'b=2']).end('{}'),
    '/echo': (request, reply) => {
      let body = ''
      request
        .on('data', (chunk) => (body += chunk))
        .on('end', () => {
          reply.end(JSON.stringify({ method: request.method, headers: request.headers, body }))
        })
    },
    '/large': (_, reply) => reply.end('x'.repeat(3_000)),
    '/endless': (_, reply) => {
      const timer = setInterval(() => reply.write('x'.repeat(500)), 1)
      reply.on('close', () => clearInterval(timer))
    },
    '/bomb': (_, reply) => reply.setHeader('content-encoding', 'gzip').end(bomb),
    '/broken-gzip': (_, reply) => reply.setHeader('content-encoding', 'gzip').end('no gzip'),
    '/silent': () => {},
    '/trickle': (_, reply) => {
      const timer = setInterval(() => reply.write(' '), 20)
      reply.on('close', () => clearInterval(timer))
    },
    '/reset': (request) => request.socket.destroy(),
    '/slow': (_, reply) => {
      underWay += 1
      mostUnderWay = Math.max(mostUnderWay, underWay)
      held.push(() => {
        underWay -= 1
        reply.end('1')
      })
      // The first three wait for each other: a busy machine may take longer to bring the second than to answer the first.
      if (mostUnderWay >= 3) setTimeout(() => held.splice(0).forEach((answer) => void answer()), 10)
    },
    '/loop': (_, reply) => reply.writeHead(302, { location: '/loop' }).end(),
  }

  function listen(): Promise<string> {
    const server = createServer((request, reply) => {
      requests.push(request)
      const url = new URL(request.url ?? '', 'http://x')
      const status = Number(url.searchParams.get('status') ?? 302)
      if (url.pathname === '/to') reply.writeHead(status, { location: url.searchParams.get('url') ?? '' }).end()
      else (routes[url.pathname] ?? ((_, answer) => answer.writeHead(500).end()))(request, reply)
    })
    servers.push(server)
    return new Promise((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
    })
  }
  beforeAll(async () => {
    base = await listen()
    other = await listen()
  })
  afterEach(() => {
    for (const guest of guests.splice(0)) guest.close()
  })
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections()
  })

  const local: FetchOptions = { allow: 'public', allowAddresses: ['127.0.0.1'], timeMs: 2_000 }
  async function run(code: string, options: FetchOptions | undefined = local): Promise<JsonValue | undefined> {
    const guest = await openGuest(engine, joinParts([urlPart(), fetchPart(options)]))
    guests.push(guest)
    return guest.run(code)
  }
  const v2 = (args: string, options?: FetchOptions) =>
    run(`globalThis.answer = await fetchV2(${args}).catch((e) => [e instanceof Error, e.message])`, options)
  const v1 = (args: string, options?: FetchOptions) => run(`globalThis.answer = await fetch(${args})`, options)
  const to = (target: string, status = 302) => `${base}/to?status=${status}&url=${encodeURIComponent(target)}`

  describe('switched off', () => {
    it('fetch resolves to ERROR, fetchV2 rejects, and nothing is sent', async () => {
      const guest = await openGuest(engine, joinParts([fetchPart(undefined)]))
      guests.push(guest)
      const code = `globalThis.answer = [await fetch('${base}/json'), await fetchV2('${base}/json').catch((e) => e.message)]`
      expect(await guest.run(code)).toEqual(['ERROR', 'fetch is not allowed here; the operator has not enabled it'])
      expect(requests).toEqual([])
    })
  })

  describe('fetchV2', () => {
    it('returns url, status, headers and the parsed body', async () => {
      expect(await v2(`'${base}/json'`)).toMatchObject({
        url: `${base}/json`,
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: { a: [1, 'é'] },
      })
    })
    const bodies = [
      ['/text', 200, 'hello'],
      ['/null', 200, null],
      ['/empty', 204, ''],
      ['/missing', 404, { error: 'missing' }],
      ['/deep', 200, '['.repeat(100_000) + ']'.repeat(100_000)],
    ] as const
    for (const [path, status, body] of bodies) {
      it(`the body of ${path} is ${JSON.stringify(body).slice(0, 30)}`, async () => {
        expect(await v2(`'${base}${path}'`)).toMatchObject({ status, body })
      })
    }
    it('joins several cookies', async () => {
      expect(await v2(`'${base}/cookies'`)).toMatchObject({ headers: { 'set-cookie': 'a=1, b=2' } })
    })
    it('sends method, headers and body; headers of the connection are the host’s', async () => {
      const options =
        "{ method: 'put', headers: { 'X-A': 1, Host: 'evil', 'Content-Length': '3', 'Transfer-Encoding': 'chunked' }, body: 'héllo' }"
      const { body } = (await v2(`'${base}/echo', ${options}`)) as {
        body: { method: string; headers: Record<string, string>; body: string }
      }
      expect(body).toMatchObject({
        method: 'PUT',
        body: 'héllo',
        headers: { 'x-a': '1', 'content-length': '6', host: base.slice(7) },
      })
    })
    it('sends objects as JSON and URLSearchParams as a form', async () => {
      expect(await v2(`'${base}/echo', { method: 'POST', body: { a: 1 } }`)).toMatchObject({
        body: { body: '{"a":1}', headers: { 'content-type': 'application/json' } },
      })
      expect(
        await v2(`new URL('${base}/echo'), { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }`),
      ).toMatchObject({
        body: { body: 'a=b+c', headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } },
      })
    })

    const refused = [
      ['', 'fetch url is required'],
      ['null', 'fetch url is required'],
      ["''", 'fetch url is required'],
      ["'/relative'", 'invalid url, Invalid URL'],
      ["'file:///etc/passwd'", 'invalid protocol, only http and https are supported'],
      ["'data:text/plain,x'", 'invalid protocol, only http and https are supported'],
      ["'http://user:pass@example.com/'", 'invalid url, credentials in the url are not allowed'],
      ["'http://10.0.0.1/'", 'blocked request to non-public address: 10.0.0.1'],
      ["'http://2130706434/'", 'blocked request to non-public address: 127.0.0.2'],
      ["'http://0x7f.2/'", 'blocked request to non-public address: 127.0.0.2'],
      ["'http://[::1]/'", 'blocked request to non-public address: ::1'],
      ["'http://[::ffff:169.254.169.254]/'", 'blocked request to non-public address: ::ffff:a9fe:a9fe'],
      ["'http://[64:ff9b::10.0.0.1]/'", 'blocked request to non-public address: 64:ff9b::a00:1'],
      ["'http://169.254.169.254./'", 'blocked request to non-public address: 169.254.169.254'],
      [`'http://a/' + 'x'.repeat(20000)`, 'invalid url, it has more than 16384 characters'],
      [
        "'http://1.1.1.1', { method: 'CONNECT' }",
        'invalid method, it must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
      ],
      ["'http://1.1.1.1', { body: 'x' }", 'Request with GET/HEAD method cannot have body'],
      ["'http://1.1.1.1', { headers: { 'a b': 'c' } }", 'invalid header name'],
      ["'http://1.1.1.1', { headers: { a: 'b\\r\\nHost: c' } }", 'invalid value of header a'],
      ["'http://1.1.1.1', { redirect: 'maybe' }", 'invalid redirect, it must be one of follow, manual, error'],
      ["'http://1.1.1.1', { method: 'POST', body: 'x'.repeat(1100000) }", 'request body has more than 1048576 bytes'],
    ] as const
    for (const [args, message] of refused) {
      it(`fetchV2(${args.slice(0, 60)}) rejects with an Error: ${message}`, async () => {
        expect(await v2(args)).toEqual([true, message])
      })
    }
  })

  describe('fetch', () => {
    it('returns parsed JSON for any status', async () => {
      expect(await v1(`'${base}/json'`)).toMatchObject({ a: [1, 'é'] })
      expect(await v1(`'${base}/missing'`)).toEqual({ error: 'missing' })
      expect(await v1(`'${base}/null'`)).toBe(null)
    })
    for (const args of ['', "'http://10.0.0.1/'", 'Symbol()', '{ toString() { throw 1 } }'])
      it(`never rejects: fetch(${args}) gives ERROR`, async () => {
        expect(await v1(args)).toBe('ERROR')
      })
    it('resolves to ERROR for a body that is not JSON', async () => {
      expect(await v1(`'${base}/text'`)).toBe('ERROR')
    })
  })

  describe('names', () => {
    const withNames = (
      answers: Readonly<Record<string, readonly string[]>>,
      more: Partial<FetchOptions> = {},
    ): FetchOptions => ({
      ...local,
      resolve: async (name) => {
        const found = answers[name]
        if (found === undefined) throw new Error('/etc/resolv.conf knows nothing')
        return found
      },
      ...more,
    })
    const named = () => base.replace('127.0.0.1', 'api.test')

    it('are connected to the checked address', async () => {
      expect(await v2(`'${named()}/text'`, withNames({ 'api.test': ['127.0.0.1'] }))).toMatchObject({
        status: 200,
        body: 'hello',
      })
    })
    it('that resolve to non-public addresses are refused', async () => {
      const url = named()
      expect(await v2(`'${url}/text'`, withNames({ 'api.test': ['127.0.0.1'] }, { allowAddresses: [] }))).toEqual([
        true,
        `request to ${url}/text failed, reason: cannot use 127.0.0.1 as IP address for api.test`,
      ])
      expect(await v2(`'${url}/text'`, withNames({ 'api.test': ['::ffff:10.0.0.1'] }))).toEqual([
        true,
        `request to ${url}/text failed, reason: cannot use ::ffff:10.0.0.1 as IP address for api.test`,
      ])
    })
    it('with some reachable addresses use only those', async () => {
      expect(await v2(`'${named()}/text'`, withNames({ 'api.test': ['10.0.0.1', '127.0.0.1'] }))).toMatchObject({
        body: 'hello',
      })
    })
    it('that change their address after the first look-up are checked again', async () => {
      let calls = 0
      const resolve = async () => (++calls === 1 ? ['127.0.0.1'] : ['10.0.0.1'])
      const code = `globalThis.answer = []
      for (const path of ['/reset', '/text']) answer.push(await fetchV2('${named()}' + path).catch((e) => e.message))`
      const answers = (await run(code, { ...local, resolve })) as string[]
      expect(answers[0]).toContain('failed, reason: UND_ERR_SOCKET')
      expect(answers[1]).toContain('cannot use 10.0.0.1 as IP address for api.test')
      expect(calls).toBe(2)
    })
    it('that are unknown are reported without details of the host system', async () => {
      expect(await v2(`'${named()}/text'`, withNames({}))).toEqual([
        true,
        `request to ${named()}/text failed, reason: unable to resolve IP address for api.test`,
      ])
    })
  })

  describe('the list of allowed hosts', () => {
    const cases = [
      [['127.0.0.1'], '', true],
      [['127.0.0.2'], '', false],
      [[], '', false],
      [['api.test'], 'api.test', true],
      [['API.test'], 'Api.Test.', true],
      [['*.test'], 'api.test', true],
      [['*.api.test'], 'api.test', false],
      [['*.test'], 'test', false],
      [['api.test'], 'api.test.evil', false],
      [['*.api.test'], 'evilapi.test', false],
    ] as const
    for (const [allow, host, allowed] of cases) {
      it(`${JSON.stringify(allow)} ${allowed ? 'lets' : 'does not let'} ${host || 'the address'} through`, async () => {
        const url = host === '' ? base : base.replace('127.0.0.1', host)
        const answer = await v2(`'${url}/text'`, { ...local, allow, resolve: async () => ['127.0.0.1'] })
        if (allowed) expect(answer).toMatchObject({ body: 'hello' })
        else expect(answer).toEqual([true, 'invalid url, blocked host requests are not allowed'])
      })
    }
    it('refuses invalid patterns and ranges', () => {
      for (const allow of ['', 'http://a', 'a/b', 'a:80', '*', '*.', 'a b', '*.*', '*.0.0.1'])
        expect(() => fetchPart({ allow: [allow] }), allow).toThrow(RangeError)
      expect(() => fetchPart({ allow: 'public', allowAddresses: ['10.0.0.0/99'] })).toThrow(RangeError)
    })
  })

  describe('redirects', () => {
    it('are followed, and the last url is returned', async () => {
      expect(await v2(`'${to('/text')}'`)).toMatchObject({ url: `${base}/text`, status: 200, body: 'hello' })
    })
    const refused = [
      ['http://169.254.169.254/latest/meta-data', 'blocked request to non-public address: 169.254.169.254'],
      ['http://[::ffff:10.0.0.1]/', 'blocked request to non-public address: ::ffff:a00:1'],
      ['file:///etc/passwd', 'invalid protocol, only http and https are supported'],
      ['http://u:p@127.0.0.1/', 'invalid url, credentials in the url are not allowed'],
    ] as const
    for (const [target, message] of refused) {
      it(`to ${target} are refused, at the first hop and at the second`, async () => {
        expect(await v2(`'${to(target)}'`)).toEqual([true, message])
        expect(await v2(`'${to(to(target))}'`)).toEqual([true, message])
      })
    }
    it('to names that are not allowed, or resolve to private addresses, are refused', async () => {
      const target = 'http://inside.test/'
      expect(await v2(`'${to(target)}'`, { ...local, allow: ['127.0.0.1'] })).toEqual([
        true,
        'invalid url, blocked host requests are not allowed',
      ])
      expect(await v2(`'${to(target)}'`, { ...local, resolve: async () => ['10.0.0.1'] })).toEqual([
        true,
        'request to http://inside.test/ failed, reason: cannot use 10.0.0.1 as IP address for inside.test',
      ])
    })
    it('drop secret headers when they lead to another origin, and keep them within one', async () => {
      const headers = "{ Authorization: 'a', Cookie: 'b', 'X-Api-Key': 'c', 'X-Plain': 'd' }"
      const sent = async (target: string) =>
        ((await v2(`'${to(target)}', { headers: ${headers} }`)) as { body: { headers: object } }).body.headers
      const kept = { authorization: 'a', cookie: 'b', 'x-api-key': 'c', 'x-plain': 'd' }
      expect(await sent(`${base}/echo`)).toMatchObject(kept)
      const abroad = await sent(`${other}/echo`)
      expect(abroad).toMatchObject({ 'x-plain': 'd' })
      for (const name of ['authorization', 'cookie', 'x-api-key']) expect(abroad).not.toHaveProperty(name)
    })
    it('turn POST into GET without a body for 301, 302 and 303, and keep method and body for 307 and 308', async () => {
      for (const [status, method, body] of [
        [301, 'GET', ''],
        [302, 'GET', ''],
        [303, 'GET', ''],
        [307, 'POST', 'x'],
        [308, 'POST', 'x'],
      ] as const)
        expect(await v2(`'${to('/echo', status)}', { method: 'POST', body: 'x' }`)).toMatchObject({
          body: { method, body },
        })
    })
    it('stop after the allowed number', async () => {
      expect(await v2(`'${base}/loop'`, { ...local, redirectsMax: 3 })).toEqual([
        true,
        `request to ${base}/loop failed, reason: maximum redirect reached at: ${base}/loop`,
      ])
    })
    it('are returned or refused when the options say so', async () => {
      expect(await v2(`'${to('/text')}', { redirect: 'manual' }`)).toMatchObject({
        status: 302,
        headers: { location: '/text' },
      })
      expect(await v2(`'${to('/text')}', { redirect: 'error' }`)).toEqual([
        true,
        `request to ${to('/text')} failed, reason: uri requested responds with a redirect`,
      ])
    })
  })

  describe('limits', () => {
    for (const path of ['/large', '/endless', '/bomb']) {
      it(`${path} is not read beyond the size limit`, async () => {
        const before = process.memoryUsage.rss()
        const answer = await v2(`'${base}${path}'`, { ...local, responseBytesMax: 2_000 })
        expect(answer).toEqual([
          true,
          `request to ${base}${path} failed, reason: response body has more than 2000 bytes`,
        ])
        expect(process.memoryUsage.rss() - before).toBeLessThan(40_000_000)
      })
    }
    for (const path of ['/silent', '/trickle', '/loop']) {
      it(`${path} fails after the time limit`, async () => {
        const answer = await v2(`'${base}${path}'`, { ...local, timeMs: 150, redirectsMax: 1_000_000 })
        expect(answer).toMatchObject([true, expect.stringContaining('failed, reason: no answer within 150 ms')])
      })
    }
    it('the concurrent and total calls of a batch are limited', async () => {
      const all = `globalThis.answer = await Promise.all(Array.from({ length: 12 }, () => fetchV2('${base}/slow').then((r) => r.body, (e) => e.message)))`
      const answers = await run(all, { ...local, concurrency: 3, callsPerBatchMax: 10 })
      const tooMany = 'fetch was called more than 10 times in one batch'
      expect(answers).toEqual([...Array.from({ length: 10 }, () => 1), tooMany, tooMany])
      expect(mostUnderWay).toBe(3)
    })
    it('the end of a batch aborts its calls', async () => {
      const over = new AbortController()
      const call = fetchPart(local).asyncCalls?.['fetchV2']?.([`${base}/silent`], { signal: over.signal })
      setTimeout(() => over.abort(), 20)
      await expect(call).rejects.toThrow(`request to ${base}/silent failed, reason:`)
    })
    it('network failures report a code, and no details of the host system', async () => {
      const closed = await listen()
      await new Promise((resolve) => servers.pop()?.close(resolve))
      for (const [url, code] of [
        [`${closed}/`, 'ECONNREFUSED'],
        [`${base}/reset`, 'UND_ERR_SOCKET'],
        [`${base}/broken-gzip`, 'Z_DATA_ERROR'],
      ]) {
        const [isError, message] = (await v2(`'${url}'`)) as [boolean, string]
        expect(isError).toBe(true)
        expect(message).toBe(`request to ${url} failed, reason: ${code}`)
      }
      expect(await run(`globalThis.answer = await fetchV2('${closed}').catch((e) => String(e.stack))`)).not.toMatch(
        /node_modules|\.ts/,
      )
    })
  })
})
