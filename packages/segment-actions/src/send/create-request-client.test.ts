import { createRequire } from 'node:module'
import type { ActionReply, DeliveryRequest } from '@sluice/destinations'
import { describe, expect, it } from 'vitest'
import { loadSegmentCore } from '../peer/load-segment-core.ts'
import type { SegmentRequestOptions } from '../peer/segment-definition.ts'
import type { ActionResponse } from './action-response.ts'
import { createRequestClient } from './create-request-client.ts'

const core = loadSegmentCore(createRequire(import.meta.url))

const replied = (status: number, body = '{}', headers: Readonly<Record<string, string>> = {}): ActionReply => ({
  kind: 'reply',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body,
})
const movedTo = (status: number, location: string) => replied(status, '', { location })

/** A client over a delivery that answers in turn, and repeats the last answer. */
function clientOver(answers: readonly ActionReply[], shared: SegmentRequestOptions = {}) {
  const sent: { readonly request: DeliveryRequest; readonly timeMs: number | undefined }[] = []
  const client = createRequestClient({
    core,
    shared,
    async send(request, timeMs) {
      sent.push({ request, timeMs })
      return answers[Math.min(sent.length, answers.length) - 1] as ActionReply
    },
  })
  const ask = (options?: SegmentRequestOptions, address = 'https://api.test/v1') =>
    client(address, options) as Promise<ActionResponse>
  return { ask, client, sent }
}

describe('the request client of actions', () => {
  it('sends options of the destination with every request', async () => {
    const { ask, sent } = clientOver([replied(200)], { headers: { 'x-key': 'k' }, username: 'me' })
    await ask({ method: 'post', json: { a: 1 } })
    expect(sent[0]?.request).toMatchObject({
      method: 'POST',
      endpoint: 'https://api.test/v1',
      headers: { 'x-key': 'k', authorization: `Basic ${btoa('me:')}` },
      body: { JSON: { a: 1 } },
    })
  })

  it('gives a request ten seconds, the time of its option, or with false all the time that is left', async () => {
    const { ask, sent } = clientOver([replied(200)])
    await ask()
    await ask({ timeout: 1_500 })
    await ask({ timeout: false })
    expect(sent.map(({ timeMs }) => timeMs)).toEqual([10_000, 1_500, undefined])
  })

  it("throws Segment's HTTPError for a reply without success, with the reply", async () => {
    const { ask } = clientOver([replied(404, '{"reason":"gone"}')])
    const error: unknown = await ask().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(core.HTTPError)
    expect(error).toMatchObject({
      name: 'HTTPError',
      message: 'Not Found',
      response: { status: 404, statusText: 'Not Found', data: { reason: 'gone' } },
    })
  })

  it('returns such a reply when throwHttpErrors is false', async () => {
    const { ask } = clientOver([replied(500, '{"a":1}')])
    expect(await ask({ throwHttpErrors: false })).toMatchObject({ ok: false, status: 500, data: { a: 1 } })
  })

  it('throws an error with the code when there is no reply, which says whether to try again', async () => {
    const failed = (kind: 'network' | 'unsendable', code: string) =>
      clientOver([{ kind, code, message: 'no reply' }]).ask()
    await expect(failed('network', 'ECONNRESET')).rejects.toMatchObject({ code: 'ECONNRESET', isTemporary: true })
    await expect(failed('network', 'ENOTFOUND')).rejects.toMatchObject({ code: 'ENOTFOUND', isTemporary: false })
    await expect(failed('unsendable', 'ERR_X')).rejects.toMatchObject({ code: 'ERR_X', isTemporary: false })
  })

  it('refuses a reply that was cut', async () => {
    const cut = { ...replied(200), isCut: true } as ActionReply
    await expect(clientOver([cut]).ask()).rejects.toThrow('longer than the limit of 4 MiB')
  })

  it('does not stop the process when an action does not wait for a request that fails', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    const { client } = clientOver([replied(500)])
    void client('https://api.test/v1')
    await new Promise((resolve) => setTimeout(resolve, 20))
    process.off('unhandledRejection', note)
    expect(unhandled).toEqual([])
  })
})

describe('a redirect', () => {
  const body = { method: 'post', json: { a: 1 }, headers: { 'x-key': 'k' } }
  const methods = [
    { status: 301, method: 'post', becomes: 'GET' },
    { status: 302, method: 'post', becomes: 'GET' },
    { status: 303, method: 'post', becomes: 'GET' },
    { status: 307, method: 'post', becomes: 'POST' },
    { status: 308, method: 'post', becomes: 'POST' },
    { status: 301, method: 'put', becomes: 'PUT' },
    { status: 302, method: 'delete', becomes: 'DELETE' },
    { status: 303, method: 'put', becomes: 'GET' },
    { status: 303, method: 'head', becomes: 'HEAD' },
  ]
  for (const { status, method, becomes } of methods)
    it(`with status ${status} makes ${method} ${becomes}, ${becomes === 'GET' ? 'without' : 'with'} the body`, async () => {
      const { ask, sent } = clientOver([movedTo(status, '/v2'), replied(200)])
      expect(await ask({ ...body, method })).toMatchObject({ status: 200, url: 'https://api.test/v2' })
      const hasBody = becomes !== 'GET'
      expect(sent[1]?.request).toMatchObject({
        method: becomes,
        endpoint: 'https://api.test/v2',
        body: { JSON: hasBody ? { a: 1 } : {} },
      })
      expect('content-type' in (sent[1]?.request.headers ?? {})).toBe(hasBody)
      expect(sent[1]?.request.headers['x-key']).toBe('k')
    })

  it('keeps all headers at the same origin, and only those without secrets elsewhere', async () => {
    const { ask, sent } = clientOver([movedTo(302, '/v2'), movedTo(302, 'https://else.test/'), replied(200)])
    const kept = { accept: 'a/b', 'accept-encoding': 'gzip', 'accept-language': 'en', 'user-agent': 'me' }
    const secret = { cookie: 'c', 'X-Api-Key': 'k', 'api-token': 't' }
    await ask({ username: 'me', headers: { ...kept, ...secret } })
    const all = { ...kept, cookie: 'c', 'x-api-key': 'k', 'api-token': 't', authorization: `Basic ${btoa('me:')}` }
    expect(sent[1]?.request.headers).toMatchObject(all)
    expect(sent[2]?.request.headers).toEqual(kept)
  })

  it('to another origin is the reply when the body would be sent again', async () => {
    for (const { status, method } of [
      { status: 307, method: 'post' },
      { status: 308, method: 'post' },
      { status: 301, method: 'put' },
    ]) {
      const { ask, sent } = clientOver([movedTo(status, 'https://else.test/'), replied(200)])
      await expect(ask({ ...body, method })).rejects.toMatchObject({ name: 'HTTPError', response: { status } })
      expect(sent).toHaveLength(1)
    }
  })

  it('to another origin is followed when there is no body to send', async () => {
    for (const options of [{ method: 'get' }, { ...body, method: 'post' }]) {
      const { ask, sent } = clientOver([
        movedTo(options.method === 'get' ? 307 : 302, 'https://else.test/'),
        replied(200),
      ])
      expect(await ask(options)).toMatchObject({ status: 200, url: 'https://else.test/' })
      expect(sent[1]?.request).toMatchObject({ method: 'GET', body: { JSON: {} } })
    }
  })

  it('is followed at most five times; then its reply counts as a refusal', async () => {
    const { ask, sent } = clientOver([movedTo(302, '/again')])
    await expect(ask()).rejects.toMatchObject({ response: { status: 302 } })
    expect(sent).toHaveLength(6)
  })

  it('without an address, or with one that is none, is the reply', async () => {
    for (const reply of [replied(302, ''), movedTo(302, 'http://['), replied(304, '')]) {
      const { ask, sent } = clientOver([reply])
      expect(await ask({ throwHttpErrors: false })).toMatchObject({ ok: false })
      expect(sent).toHaveLength(1)
    }
  })
})
