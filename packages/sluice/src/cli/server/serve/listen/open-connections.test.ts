import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listener, listen } from './listen.ts'

const connectionsMax = 20
/** Beyond these, connections are closed without an answer. */
const answeredMax = 22
const whole = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const half = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\na'

const listeners: Listener[] = []
const clients: Socket[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  for (const listener of listeners.splice(0)) await listener.close(0)
})

async function serve(answer: (request: Request) => Promise<Response>): Promise<number> {
  const listener = await listen(
    { fetch: answer },
    { host: '127.0.0.1', port: 0, flag: '--port', limits: { connectionsMax } },
  )
  listeners.push(listener)
  return listener.port
}

/** A client on Linux can choose any address of 127.0.0.0/8. */
async function open(port: number, localAddress: string, text = '') {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {})
  clients.push(socket)
  let answer = ''
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  if (text) await new Promise<void>((resolve) => socket.write(text, () => resolve()))
  return {
    socket,
    /** Reads until the status of the answer has arrived; '' when the connection was closed before. */
    status: async () => {
      socket.on('data', (bytes) => {
        answer += bytes
      })
      await Promise.race([once(socket, 'data'), closed])
      return answer.split(' ')[1] ?? ''
    },
  }
}

/** More bytes than the buffers between a server and a client on one machine hold. */
const bufferedMax = 64 * 1024 * 1024

/** Reads until the connection closes, or as much as only an open one can send. */
function bytesRead(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    let bytes = 0
    socket.on('close', () => resolve(bytes))
    socket.on('data', ({ length }) => {
      bytes += length
      if (bytes < bufferedMax) return
      socket.pause()
      resolve(bytes)
    })
  })
}

/** Gives the server time to read what clients wrote. */
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 40))

describe.skipIf(process.platform !== 'linux')('open connections', () => {
  const cases = [
    { name: 'that send nothing', text: '', count: answeredMax, own: '' },
    { name: 'that stop in their headers', text: 'GET / HTTP/1.1\r\nhost: x\r\n', count: answeredMax, own: '' },
    { name: 'that stop in their body', text: half, count: connectionsMax, own: '503' },
  ]
  for (const { name, text, count, own } of cases)
    it(`${name} from one address do not keep out another address, but do keep out their own`, async () => {
      const port = await serve(async (request) => new Response(await request.text()))
      const held = []
      for (let n = 0; n < count; n += 1) held.push(await open(port, '127.0.0.2', text))
      for (const { socket } of held) socket.resume()
      await aMoment()
      expect(held.filter(({ socket }) => socket.closed)).toEqual([])
      for (const address of ['127.0.0.3', '127.0.0.3', '127.0.0.4'])
        expect(await (await open(port, address, whole)).status()).toBe('200')
      await aMoment()
      expect(held.map(({ socket }) => socket.closed)).toEqual(held.map((_, n) => n < 3))
      expect(await (await open(port, '127.0.0.2', whole)).status()).toBe(own)
    })

  it('whose answer is being prepared are kept, and so are those of addresses with fewer', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const port = await serve(async () => released.then(() => new Response('ok')))
    const few = await open(port, '127.0.0.3')
    const working = []
    for (let n = 1; n < connectionsMax; n += 1) working.push(await open(port, '127.0.0.2', whole))
    await aMoment()
    const refused = await open(port, '127.0.0.4', whole)
    expect(await refused.status()).toBe('503')
    expect(few.socket.closed).toBe(false)
    release()
    expect(new Set(await Promise.all(working.map(({ status }) => status())))).toEqual(new Set(['200']))
  })

  it('that never read their answer do not keep out another address, and are closed after those without a request', async () => {
    const endless = { pull: (to: ReadableStreamDefaultController) => to.enqueue(new Uint8Array(65_536)) }
    const port = await serve(
      async ({ url }) => new Response(url.endsWith('/long') ? new ReadableStream(endless) : 'ok'),
    )
    const held: Awaited<ReturnType<typeof open>>[] = []
    for (let n = 1; n < connectionsMax; n += 1) held.push(await open(port, '127.0.0.2', whole.replace('/', '/long')))
    const idle = await open(port, '127.0.0.2')
    idle.socket.resume()
    await aMoment()
    expect(await (await open(port, '127.0.0.3', whole)).status()).toBe('200')
    await aMoment()
    expect(idle.socket.closed).toBe(true)
    expect(await (await open(port, '127.0.0.3', whole)).status()).toBe('200')
    const [oldest, next] = held.map(({ socket }) => socket)
    expect(oldest && (await bytesRead(oldest))).toBeLessThan(bufferedMax)
    expect(next && (await bytesRead(next))).toBeGreaterThanOrEqual(bufferedMax)
  })
})
