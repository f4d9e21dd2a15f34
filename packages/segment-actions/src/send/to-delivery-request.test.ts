import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { DeliveryRequest } from '@sluice/destinations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SegmentRequest, SegmentRequestOptions } from '../peer/segment-definition.ts'
import { mergeOptions } from './merge-options.ts'
import { toDeliveryRequest } from './to-delivery-request.ts'

const { createRequestClient } = loadUnreplaced()

/** Loads Segment's own client again: other tests replace it, as the family does. */
function loadUnreplaced() {
  const require = createRequire(createRequire(import.meta.url).resolve('@segment/actions-core'))
  const file = require.resolve('./create-request-client.js')
  const known = require.cache[file]
  delete require.cache[file]
  const module = require(file) as { default(...options: readonly SegmentRequestOptions[]): SegmentRequest }
  if (known) require.cache[file] = known
  return { createRequestClient: module.default }
}

const make = (options: SegmentRequestOptions, address = 'https://api.test/v1?q=1') =>
  toDeliveryRequest(address, mergeOptions(options))

/** A request as a server sees it. Only headers that options decide. */
interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

let seen: Seen
const decided = ['content-type', 'authorization', 'x-key']
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const headers = decided.flatMap((name) => (name in request.headers ? [[name, String(request.headers[name])]] : []))
  const body = Buffer.concat(chunks).toString('latin1')
  seen = { method: request.method ?? '', path: request.url ?? '', headers: Object.fromEntries(headers), body }
  response.end()
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function seenFromSegment(options: SegmentRequestOptions): Promise<Seen> {
  await createRequestClient()(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1?q=1`, options)
  return seen
}

function asSeen({ method, endpoint, headers, body }: DeliveryRequest): Seen {
  const { pathname, search } = new URL(endpoint)
  return { method, path: pathname + search, headers, body: bytesOf(body).toString('latin1') }
}

function bytesOf({ JSON: object, RAW }: DeliveryRequest['body']): Buffer {
  if (RAW === undefined) return Buffer.from(Object.keys(object).length === 0 ? '' : JSON.stringify(object))
  return 'text' in RAW ? Buffer.from(RAW.text) : Buffer.from(RAW.base64, 'base64')
}

describe('a request of an action', () => {
  const cases: readonly { readonly name: string; readonly options: SegmentRequestOptions }[] = [
    { name: 'without options', options: {} },
    { name: 'with a JSON object', options: { method: 'post', json: { a: [1, 'ü'], none: undefined } } },
    { name: 'with an empty JSON object', options: { method: 'post', json: {} } },
    { name: 'with a JSON list', options: { method: 'put', json: [{ a: 1 }] } },
    { name: 'with JSON that is null', options: { method: 'post', json: null } },
    {
      name: 'with JSON and another content type',
      options: { method: 'post', json: { a: 1 }, headers: { 'content-type': 'text/csv' } },
    },
    { name: 'with a text', options: { method: 'post', body: 'a ü' } },
    { name: 'with an empty text', options: { method: 'post', body: '' } },
    {
      name: 'with a text that has a content type',
      options: { method: 'patch', body: '<a/>', headers: { 'Content-Type': 'application/xml' } },
    },
    { name: 'with a form', options: { method: 'post', body: new URLSearchParams({ a: 'b c&d', e: 'ü' }) } },
    { name: 'with bytes', options: { method: 'post', body: Buffer.from([0, 255, 10, 128]) } },
    { name: 'with parameters', options: { searchParams: { a: 'b c', n: 1 } } },
    {
      name: 'with parameters as an instance',
      options: {
        searchParams: new URLSearchParams([
          ['a', '1'],
          ['a', '2'],
        ]),
      },
    },
    { name: 'with parameters that are an empty text', options: { searchParams: '' } },
    { name: 'with parameters that are null', options: { searchParams: null } },
    { name: 'with a user and a password', options: { username: 'me', password: 'p:w' } },
    { name: 'with a user whose name has other letters', options: { username: 'mü', password: '☃' } },
    { name: 'with a password only', options: { password: 'pw' } },
    {
      name: 'with a password and a header of its own',
      options: { username: 'me', password: 'pw', headers: { Authorization: 'Bearer t' } },
    },
    { name: 'with a method in lower case', options: { method: 'delete', headers: { 'x-key': 'k' } } },
  ]
  for (const { name, options } of cases)
    it(`${name} is the one that Segment's request client sends`, async () => {
      expect(asSeen(await make(options))).toEqual({ ...(await seenFromSegment(options)) })
    })

  it('has its JSON as an object, which records can show', async () => {
    const { body } = await make({ method: 'post', json: { a: new Date(0), b: { c: [1] } } })
    expect(body.JSON).toEqual({ a: '1970-01-01T00:00:00.000Z', b: { c: [1] } })
    expect(body).not.toHaveProperty('RAW')
  })

  it('has texts and forms as text, and bytes as Base64', async () => {
    expect((await make({ method: 'post', body: 'a' })).body.RAW).toEqual({ text: 'a' })
    expect((await make({ method: 'post', body: new URLSearchParams({ a: '1' }) })).body.RAW).toEqual({ text: 'a=1' })
    expect((await make({ method: 'post', body: Buffer.from([255]) })).body.RAW).toEqual({ base64: '/w==' })
  })

  it('has the bytes of a blob, with its content type', async () => {
    const { headers, body } = await make({ method: 'post', body: new Blob(['a,b'], { type: 'text/csv' }) })
    expect(headers).toEqual({ 'content-type': 'text/csv' })
    expect(bytesOf(body).toString()).toBe('a,b')
  })

  it('has the parts of a form with files, with the boundary that its content type names', async () => {
    const body = new FormData()
    body.set('name', 'Ada')
    body.set('list', new Blob(['a,b'], { type: 'text/csv' }), 'list.csv')
    const request = await make({ method: 'post', body })
    const [, boundary = ''] = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers['content-type'] ?? '') ?? []
    const text = bytesOf(request.body).toString()
    expect(boundary).not.toBe('')
    expect(text.split(`--${boundary}`)).toHaveLength(4)
    expect(text).toContain('filename="list.csv"')
    expect(text).toContain('a,b')
  })

  it('has at most 16 MiB, counted in bytes', async () => {
    const refusal = /at most 16777216 are sent/
    const long = 'a'.repeat(16 * 1024 * 1024)
    await expect(make({ method: 'post', body: `${long}a` })).rejects.toThrow(refusal)
    await expect(make({ method: 'post', body: Buffer.from(`${long}a`) })).rejects.toThrow(refusal)
    await expect(make({ method: 'post', json: [long] })).rejects.toThrow(refusal)
    await expect(make({ method: 'post', body: 'ü'.repeat(long.length / 2 + 1) })).rejects.toThrow(refusal)
    expect((await make({ method: 'post', body: long })).body.RAW).toBeDefined()
  })

  it('is refused when its address or a header cannot be sent', async () => {
    await expect(make({}, 'no address')).rejects.toThrow(TypeError)
    await expect(async () => make({ headers: { 'x-key': 'a\nb' } })).rejects.toThrow(TypeError)
  })
})
