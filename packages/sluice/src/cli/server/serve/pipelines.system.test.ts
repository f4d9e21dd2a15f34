import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Listener, listen } from './listen/listen.ts'

let listener: Listener
const handled: string[] = []
const clients: Socket[] = []

beforeEach(async () => {
  handled.length = 0
  const fetch = async (request: Request) => {
    // As long as a store takes: whatever else has arrived is read meanwhile.
    await new Promise((resolve) => setImmediate(resolve))
    handled.push(((await request.json()) as { batch: [{ messageId: string }] }).batch[0].messageId)
    return new Response('ok')
  }
  listener = await listen({ fetch }, { host: '127.0.0.1', port: 0, flag: '--port' })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await listener.close(0)
})

async function open(): Promise<Socket> {
  const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  clients.push(socket)
  await once(socket, 'connect')
  return socket
}

const batchOf = (messageId: string, padding = ''): string => {
  const body = JSON.stringify({
    batch: [{ type: 'track', event: 'E', userId: 'u', messageId, properties: { padding } }],
  })
  const head = ['POST /v1/batch HTTP/1.1', 'host: x', `content-length: ${body.length}`]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
const ids = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)
// What does not arrive within this time counts as lost; a request takes some milliseconds.
const eventually = <T>(read: () => T) => expect.poll(read, { interval: 10, timeout: 10_000 })
const arrived = () => [...handled]

// A reset connection may lose what has not been read of it: large bodies are tested with an orderly end.
const sizes = [
  { size: 'small', padding: '', leaves: ['destroy', 'end'] as const },
  { size: 'larger than what Node reads ahead', padding: 'x'.repeat(100_000), leaves: ['end'] as const },
]

describe('requests on one connection, sent without waiting for answers', () => {
  for (const { size, padding, leaves } of sizes)
    for (const leave of leaves)
      it(`are all handled in order when the client then leaves (${leave}), with bodies that are ${size}`, async () => {
        const socket = await open()
        const sent = ids(20)
        await new Promise<void>((resolve) => {
          socket.write(sent.map((id) => batchOf(id, padding)).join(''), () => resolve())
        })
        socket[leave]()
        await eventually(arrived).toEqual(sent)
      })

  it('are handled while the connection stays, also when a body comes in parts before and after its turn', async () => {
    const socket = await open()
    let answers = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text
    })
    const last = batchOf('m2', 'x'.repeat(300_000))
    socket.write(batchOf('m0') + batchOf('m1') + last.slice(0, 200_000))
    await eventually(arrived).toEqual(['m0', 'm1'])
    socket.write(last.slice(200_000))
    await eventually(arrived).toEqual(ids(3))
    await eventually(() => answers.split('HTTP/1.1 200').length - 1).toBe(3)
  })

  it('are all answered when the client ended its side after the last, and then the connection closes', async () => {
    const socket = await open()
    let answers = ''
    socket.setEncoding('latin1').on('data', (text: string) => {
      answers += text
    })
    const closed = once(socket, 'end')
    socket.end(
      ids(3)
        .map((id) => batchOf(id))
        .join(''),
    )
    await closed
    expect(answers.split('HTTP/1.1 200').length - 1).toBe(3)
    await eventually(arrived).toEqual(ids(3))
  })

  it('send no event that did not arrive whole', async () => {
    const socket = await open()
    socket.write(batchOf('m0') + batchOf('m1') + batchOf('m2').slice(0, -1))
    socket.end()
    await eventually(arrived).toEqual(['m0', 'm1'])
    await listener.close(0)
    expect(arrived()).toEqual(['m0', 'm1'])
  })
})
