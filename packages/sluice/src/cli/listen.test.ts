import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listener, listen } from './listen.ts'

const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

/** @returns the status, undefined when the connection was cut before there was one. */
async function ask(answerMs: number): Promise<number | undefined> {
  const fetch = () =>
    new Promise<Response>((resolve) => setTimeout(() => resolve(new Response('ok')), answerMs).unref())
  const limits = { silenceTimeoutMs: 100, answerTimeoutMs: 1_000 }
  const listener = await listen({ fetch }, { host: '127.0.0.1', port: 0, flag: '--port', limits })
  listeners.push(listener)
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port: listener.port, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
      .on('error', () => resolve(undefined))
      .end()
  })
}

describe('a listener', () => {
  it('does not take for silence of the client that its answer is long in the making, as a backup is', async () => {
    expect(await ask(500)).toBe(200)
  })

  it('cuts off a request that nobody ever answers', async () => {
    const askedAt = performance.now()
    expect(await ask(60_000)).toBeUndefined()
    expect(performance.now() - askedAt).toBeGreaterThan(900)
  })
})
