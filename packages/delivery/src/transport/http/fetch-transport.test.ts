import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json, query } from '@sluice/destinations/kit'
import { afterEach, describe, expect, it } from 'vitest'
import { createFetchTransport } from './fetch-transport.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

async function http(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const transport = createFetchTransport()
const live = (timeMs = 5_000) => ({ signal: new AbortController().signal, timeMs })
const get = (endpoint: string) => query({ method: 'GET', endpoint })

describe('fetch transport', () => {
  it('sends the encoded request and returns the reply, whatever its status', async () => {
    const origin = await http(async (incoming, outgoing) => {
      let text = ''
      for await (const chunk of incoming) text += chunk
      outgoing
        .writeHead(418, { 'X-Answer': 'yes' })
        .end(`${incoming.method} ${incoming.headers['content-type']} ${text}`)
    })
    const reply = await transport.send(json({ method: 'PUT', endpoint: `${origin}/in`, body: { a: 'é' } }), live())
    expect(reply).toMatchObject({ kind: 'reply', status: 418, headers: { 'x-answer': 'yes' } })
    expect(reply).toMatchObject({ body: 'PUT application/json {"a":"é"}' })
  })

  it('returns redirects instead of following them', async () => {
    const origin = await http((_, outgoing) => outgoing.writeHead(302, { location: '/elsewhere' }).end())
    expect(await transport.send(get(origin), live())).toMatchObject({ kind: 'reply', status: 302 })
  })

  it('cuts a long reply', async () => {
    const origin = await http((_, outgoing) => outgoing.end('x'.repeat(100_000)))
    const reply = await transport.send(get(origin), { ...live(), replyBytesMax: 10 })
    expect(reply).toMatchObject({ kind: 'reply', body: 'x'.repeat(10), isCut: true })
  })

  it('returns failures as values, without what the request contains', async () => {
    const origin = await http((incoming) => incoming.socket.destroy())
    const broken = await transport.send(get(`${origin}/?token=secret`), live())
    expect(broken).toMatchObject({ kind: 'network', code: 'EFETCH' })
    expect(JSON.stringify(broken)).not.toContain('secret')
    const slow = await http(() => {})
    expect(await transport.send(get(slow), live(50))).toMatchObject({ kind: 'network', code: 'ETIMEDOUT' })
    expect(await transport.send(get('action:/x'), live())).toMatchObject({
      kind: 'unsendable',
      code: 'ERR_INVALID_URL',
    })
  })

  it('rejects with the reason when it is aborted', async () => {
    const slow = await http(() => {})
    const stop = new AbortController()
    const sending = transport.send(get(slow), { signal: stop.signal, timeMs: 5_000 })
    stop.abort(new Error('enough'))
    await expect(sending).rejects.toThrow('enough')
  })
})
