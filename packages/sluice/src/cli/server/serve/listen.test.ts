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
  it('keeps a silent connection open while a long answer such as a backup is prepared', async () => {
    expect(await ask(500)).toBe(200)
  })

  it('closes a connection whose request is never answered', async () => {
    const askedAt = performance.now()
    expect(await ask(60_000)).toBeUndefined()
    expect(performance.now() - askedAt).toBeGreaterThan(900)
  })
})
