import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Listener, listen } from './listen.ts'

const listeners: Listener[] = []
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close(0)
})

interface Limits {
  readonly silenceTimeoutMs: number
  readonly answerTimeoutMs: number
}

/** @returns the status, undefined when the connection was cut before there was one. */
async function ask(answer: Promise<Response>, limits: Limits): Promise<number | undefined> {
  const fetch = () => answer
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

/** Longer than a silent connection may be. */
const silence = () => new Promise((resolve) => setTimeout(resolve, 600))

describe('a listener', () => {
  it('keeps a silent connection open while a long answer such as a backup is prepared', async () => {
    let respond = (_: Response): void => {}
    const answer = new Promise<Response>((resolve) => {
      respond = resolve
    })
    const status = ask(answer, { silenceTimeoutMs: 500, answerTimeoutMs: 3_600_000 })
    await silence()
    await silence()
    respond(new Response('ok'))
    expect(await status).toBe(200)
  })

  it('closes a connection whose request is never answered', async () => {
    const never = new Promise<Response>(() => {})
    expect(await ask(never, { silenceTimeoutMs: 100, answerTimeoutMs: 150 })).toBeUndefined()
  })
})
