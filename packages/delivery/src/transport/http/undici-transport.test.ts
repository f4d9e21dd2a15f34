import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createGunzip } from 'node:zlib'
import { type DeliveryRequest, json, query } from '@sluice/destinations/kit'
import { afterEach, describe, expect, it } from 'vitest'
import { createUndiciTransport, type UndiciTransportOptions } from './undici-transport.ts'

const cleanups: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const http = (listener: RequestListener): Promise<string> => listen(createServer(listener))

/** A server that sends bytes instead of HTTP. */
const tcp = (onData: (socket: Socket) => void): Promise<string> =>
  listen(createTcpServer((socket) => socket.on('error', () => undefined).once('data', () => onData(socket))))

function transportOf(options?: UndiciTransportOptions) {
  const transport = createUndiciTransport({ allowAddresses: ['localhost'], ...options })
  cleanups.push(() => transport.close())
  return transport
}

const live = (timeMs = 2_000) => ({ signal: new AbortController().signal, timeMs })
const get = (endpoint: string) => query({ method: 'GET', endpoint })

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of incoming) text += chunk
  return text
}

describe('undici transport', () => {
  it('holds back a request that may no longer leave when its connection is free, as if it had broken', async () => {
    let isAllowed = true
    let release = (): void => {}
    const received: string[] = []
    const origin = await http((incoming, outgoing) => {
      received.push(incoming.url ?? '')
      release = () => outgoing.end()
    })
    const transport = transportOf({ connectionsPerOriginMax: 1, mayLeave: () => isAllowed })
    const first = transport.send(get(`${origin}/first`), live(10_000))
    await expect.poll(() => received).toEqual(['/first'])
    const waiting = transport.send(get(`${origin}/waiting`), live(10_000))
    isAllowed = false
    release()
    expect(await first).toMatchObject({ kind: 'reply', status: 200 })
    expect(await waiting).toMatchObject({ kind: 'network', code: 'EHELDBACK' })
    isAllowed = true
    const last = transport.send(get(`${origin}/last`), live(10_000))
    await expect.poll(() => received).toEqual(['/first', '/last'])
    release()
    expect(await last).toMatchObject({ status: 200 })
  })

  it('sends a body compressed when the request says so', async () => {
    const origin = await http((incoming, outgoing) => {
      outgoing.setHeader('x-encoding', String(incoming.headers['content-encoding']))
      incoming.pipe(createGunzip()).pipe(outgoing)
    })
    const request = json({ method: 'POST', endpoint: origin, body: { text: 'a'.repeat(5_000) } })
    const reply = await transportOf().send({ ...request, compression: 'gzip' }, live())
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'x-encoding': 'gzip' },
      body: JSON.stringify(request.body.JSON),
    })
  })

  it('sends method, path, parameters, headers and body, and returns the reply', async () => {
    const origin = await http(async (incoming, outgoing) => {
      const { method, url, headers } = incoming
      outgoing.setHeader('X-Many', ['a', 'b']).writeHead(201)
      outgoing.end(
        JSON.stringify({
          method,
          url,
          team: headers['x-team'],
          type: headers['content-type'],
          body: await textOf(incoming),
        }),
      )
    })
    const request = json({
      method: 'PUT',
      endpoint: `${origin}/in?a=1`,
      headers: { 'X-Team': 'growth' },
      params: { b: 'ö' },
      body: { type: 'track', name: 'Ümit' },
    })
    const result = await transportOf().send(request, live())
    expect(result).toMatchObject({ kind: 'reply', status: 201, headers: { 'x-many': 'a, b' } })
    expect(result.kind === 'reply' && JSON.parse(result.body)).toEqual({
      method: 'PUT',
      url: '/in?a=1&b=%C3%B6',
      team: 'growth',
      type: 'application/json',
      body: '{"type":"track","name":"Ümit"}',
    })
  })

  it('does not follow redirects', async () => {
    let asked = 0
    const origin = await http((_, outgoing) => {
      asked += 1
      outgoing.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect(await transportOf().send(get(origin), live())).toMatchObject({ status: 302 })
    expect(asked).toBe(1)
  })

  it('reads the beginning of an endless reply', async () => {
    const origin = await http((_, outgoing) => {
      const more = (): void => {
        while (!outgoing.destroyed && outgoing.write('x'.repeat(65_536)));
        outgoing.once('drain', more)
      }
      more()
    })
    const result = await transportOf({ replyBytesMax: 100_000 }).send(get(origin), live())
    expect(result).toMatchObject({ kind: 'reply', status: 200 })
    expect(result.kind === 'reply' && result.body.length).toBe(100_000)
  })

  it('reads a reply that is not UTF-8', async () => {
    const origin = await http((_, outgoing) => outgoing.end(Buffer.from([0x61, 0xff, 0x62])))
    expect(await transportOf().send(get(origin), live())).toMatchObject({ body: 'a\ufffdb' })
  })

  const hangs: { name: string; origin: () => Promise<string> }[] = [
    { name: 'sends nothing', origin: () => http(() => undefined) },
    {
      name: 'stops in the middle of the reply',
      origin: () => http((_, outgoing) => outgoing.writeHead(200).write('half')),
    },
    {
      name: 'stops in the middle of the headers',
      origin: () => tcp((socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: ')),
    },
  ]
  for (const { name, origin } of hangs) {
    it(`gives up in time on a server that ${name}`, async () => {
      const result = await transportOf().send(get(await origin()), live(100))
      expect(result).toMatchObject({ kind: 'network', code: 'ETIMEDOUT', message: expect.stringContaining('100 ms') })
    })
  }

  const breaks: { name: string; origin: () => Promise<string> }[] = [
    { name: 'resets', origin: () => tcp((socket) => socket.resetAndDestroy()) },
    { name: 'closes without a reply', origin: () => tcp((socket) => socket.end()) },
    { name: 'answers garbage', origin: () => tcp((socket) => socket.end('\u0000\u0001 no http at all\r\n\r\n')) },
    {
      name: 'disconnects in the middle of the reply',
      origin: () => tcp((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf')),
    },
    {
      name: 'answers endless headers',
      origin: () => tcp((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'x'.repeat(100_000)}\r\n`)),
    },
  ]
  for (const { name, origin } of breaks) {
    it(`reports a network failure when the server ${name}`, async () => {
      const result = await transportOf().send(get(await origin()), live())
      expect(result).toMatchObject({
        kind: 'network',
        code: expect.stringMatching(/^(ECONN|UND_ERR|HPE|HTTPParserError)/),
      })
    })
  }

  it('reports a refused connection with the host but without the path', async () => {
    const server = createTcpServer()
    const origin = await listen(server)
    await cleanups.pop()?.()
    const result = await transportOf().send(get(`${origin}/pw?key=pw`), live())
    expect(result).toMatchObject({ kind: 'network', code: 'ECONNREFUSED' })
    expect(JSON.stringify(result)).toContain(new URL(origin).host)
    expect(JSON.stringify(result)).not.toContain('pw')
  })

  const unsendable: readonly { readonly name: string; readonly change: Partial<DeliveryRequest> }[] = [
    { name: 'a header value with a line break', change: { headers: { 'x-key': 'pw\r\nx-evil: 1' } } },
    { name: 'a header value that is not Latin-1', change: { headers: { 'x-key': 'pw😀' } } },
    { name: 'a header name with a blank', change: { headers: { 'x key': 'pw' } } },
    { name: 'a method that is not a word', change: { method: 'GET /pw' } },
    { name: 'an address that is not a URL', change: { endpoint: 'pw' } },
    { name: 'an address of another protocol', change: { endpoint: 'ftp://127.0.0.1/pw' } },
  ]
  for (const { name, change } of unsendable) {
    it(`sends nothing for ${name}, and reports it without quoting it`, async () => {
      let asked = 0
      const origin = await http((_, outgoing) => {
        asked += 1
        outgoing.end()
      })
      const request = { ...json({ method: 'POST', endpoint: origin, body: { a: 1 } }), ...change }
      const result = await transportOf().send(request, live())
      expect(result).toMatchObject({ kind: 'unsendable' })
      expect(JSON.stringify(result)).not.toContain('pw')
      expect(asked).toBe(0)
    })
  }

  it('sets host, length and encoding itself, whatever headers a request has', async () => {
    const asked: unknown[] = []
    const origin = await http((incoming, outgoing) => {
      asked.push([incoming.headers.host, incoming.headers['content-length'], incoming.headers['transfer-encoding']])
      outgoing.end()
    })
    const headers = {
      Host: 'other.test',
      'Content-Length': '99',
      'transfer-encoding': 'chunked',
      expect: '100-continue',
    }
    const request = { ...json({ method: 'POST', endpoint: origin, body: { a: 1 } }), headers }
    expect(await transportOf().send(request, live())).toMatchObject({ kind: 'reply', status: 200 })
    expect(asked).toEqual([[new URL(origin).host, '7', undefined]])
  })

  it('rejects with the reason as soon as the signal aborts', async () => {
    const stop = new AbortController()
    const origin = await http(() => stop.abort(new Error('stopping')))
    const sent = transportOf().send(get(origin), { signal: stop.signal, timeMs: 10_000 })
    await expect(sent).rejects.toThrow('stopping')
  })

  it('opens at most the allowed number of connections to an origin', async () => {
    let open = 0
    let most = 0
    const origin = await http((_, outgoing) => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        outgoing.end()
      }, 10)
    })
    const transport = transportOf({ connectionsPerOriginMax: 2 })
    await Promise.all(Array.from({ length: 8 }, () => transport.send(get(origin), live())))
    expect(most).toBe(2)
  })

  it('can be closed twice, and fails later requests', async () => {
    const origin = await http((_, outgoing) => outgoing.end('taken'))
    const unused = createUndiciTransport({ allowAddresses: ['localhost'] })
    const used = createUndiciTransport({ allowAddresses: ['localhost'] })
    expect(await used.send(get(origin), live())).toMatchObject({ kind: 'reply' })
    for (const transport of [unused, used]) {
      await Promise.all([transport.close(), transport.close()])
      expect(await transport.send(get(origin), live())).toMatchObject({ kind: 'network' })
    }
  })
})

describe('owners', () => {
  it('share no connections: hanging requests of one owner do not block another owner at the same origin', async () => {
    const origin = await listen(
      createServer((request, response) => {
        if (request.url !== '/hang') response.end('done')
      }),
    )
    const transport = createUndiciTransport({ allowAddresses: ['localhost'], connectionsPerOriginMax: 2 })
    cleanups.push(() => transport.close())
    const stopping = new AbortController()
    const to = (path: string) => json({ method: 'POST', endpoint: `${origin}${path}`, body: {} })
    const options = { signal: stopping.signal, timeMs: 20_000 }
    const hanging = Array.from({ length: 10 }, () => transport.send(to('/hang'), { ...options, owner: 'a' }))
    expect(await transport.send(to('/'), { ...options, timeMs: 5_000, owner: 'b' })).toMatchObject({ status: 200 })
    stopping.abort(new Error('enough'))
    await Promise.allSettled(hanging)
  })
})
