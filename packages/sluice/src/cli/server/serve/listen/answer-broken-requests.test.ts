import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listener, listen } from './listen.ts'

const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

/**
 * Sends bytes to a server whose answers begin at once and never end.
 *
 * @param next is sent once an answer has begun.
 * @returns all that is answered until the server disconnects.
 */
async function exchange(text: string, next = ''): Promise<string> {
  const fetch = () => {
    const begun = new ReadableStream<Uint8Array>({ start: (out) => out.enqueue(new TextEncoder().encode('begun')) })
    return new Response(begun)
  }
  const limits = { headersTimeoutMs: 100, requestTimeoutMs: 100 }
  const listener = await listen({ fetch }, { host: '127.0.0.1', port: 0, flag: '--port', limits })
  listeners.push(listener)
  return new Promise((resolve, reject) => {
    const socket = connect(listener.port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setTimeout(5_000, () => socket.destroy(new Error('no end')))
    socket.on('data', (chunk) => {
      if (answer === '') socket.write(next)
      answer += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

describe('a request that no handler sees', () => {
  for (const [what, text, status, code] of [
    ['is not HTTP', 'HELLO\r\n\r\n', '400 Bad Request', 'requestInvalid'],
    ['names no host', 'GET / HTTP/1.1\r\n\r\n', '400 Bad Request', 'requestInvalid'],
    ['names two hosts', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', '400 Bad Request', 'requestInvalid'],
    [
      'has too many headers',
      `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'headersTooLarge',
    ],
    [
      'expects the impossible',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: a\r\n\r\n',
      '417 Expectation Failed',
      'expectationFailed',
    ],
    ['does not end', 'GET / HTTP/1.1\r\nHo', '408 Request Timeout', 'requestTooSlow'],
  ] as const)
    it(`because it ${what} is answered in the shape of other errors, and its connection is closed`, async () => {
      const [head = '', body = ''] = (await exchange(text)).split('\r\n\r\n')
      expect(head.split('\r\n')[0]).toBe(`HTTP/1.1 ${status}`)
      expect(head).toMatch(/cache-control: no-store/i)
      expect(head).toMatch(/x-content-type-options: nosniff/i)
      expect(head).toMatch(/content-type: application\/json/i)
      const message = expect.stringMatching(/./)
      expect(JSON.parse(body)).toEqual({ message, error: message, code, docs: `/docs/errors/${code}` })
    })

  it('is not answered in the middle of the answer to another', async () => {
    const answer = await exchange('GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'HELLO\r\n\r\n')
    expect(answer).not.toContain('requestInvalid')
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  })
})
