import { gunzipSync } from 'node:zlib'
import { json } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { compressRequest } from './compress-request.ts'
import { encodeRequest } from './encode-request.ts'

const encoded = (length: number, headers: Readonly<Record<string, string>> = {}) =>
  encodeRequest(json({ method: 'POST', endpoint: 'https://a.test/', headers, body: { text: 'a'.repeat(length) } }))

describe('a compressed request', () => {
  it('has its body as gzip, and says so', async () => {
    const plain = encoded(2_000)
    const { headers, body } = await compressRequest(plain)
    expect(headers).toEqual({ ...plain.headers, 'content-encoding': 'gzip' })
    expect(Buffer.byteLength(body ?? '')).toBeLessThan(200)
    expect(gunzipSync(body as Uint8Array).toString()).toBe(plain.body)
  })

  it('stays as it is when its body is small, or encoded by its definition', async () => {
    for (const request of [encoded(100), encoded(2_000, { 'Content-Encoding': 'br' })])
      expect(await compressRequest(request)).toBe(request)
  })
})
