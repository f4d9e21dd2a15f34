import { gunzipSync } from 'node:zlib'
import { createManualClock } from '@sluice/core'
import { sink } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import type { EncodedRequest } from '../../transport/http/encode-request.ts'
import type { HttpClient } from '../../transport/http/http-client.ts'
import { createS3Sink } from './s3-sink.ts'

const live = { signal: new AbortController().signal, timeMs: 1_000 }
const clock = createManualClock(Date.UTC(2026, 0, 2, 3, 4, 5, 678))

/** Returns the HTTP request that the sink would send. */
async function encoded(params: { readonly [name: string]: string | boolean }, headers = {}): Promise<EncodedRequest> {
  const all: EncodedRequest[] = []
  const client: Pick<HttpClient, 'exchange'> = {
    async exchange(_request, encode) {
      all.push(await encode())
      return { kind: 'reply', status: 200, headers: {}, body: '' }
    },
  }
  const request = sink({
    method: 'PUT',
    endpoint: 's3://bucket/a/b%20c.json.gz',
    headers: { authorization: `Basic ${Buffer.from('id:se:cret').toString('base64')}`, ...headers },
    params: { region: 'eu-west-1', ...params },
    body: { lines: [{ n: 1 }, { n: 2 }] },
  })
  await createS3Sink({ client, clock }).send(request, live)
  return all[0] as EncodedRequest
}

describe('S3 sink', () => {
  it('puts the bucket in the host or in the path', async () => {
    const origin = 'https://s3.eu-west-1.amazonaws.com'
    expect((await encoded({ origin, pathStyle: false })).url.href).toBe(
      'https://bucket.s3.eu-west-1.amazonaws.com/a/b%20c.json.gz',
    )
    expect((await encoded({ origin: 'http://minio.test:9000', pathStyle: true })).url.href).toBe(
      'http://minio.test:9000/bucket/a/b%20c.json.gz',
    )
  })

  it('signs with the time of its clock and the region, keeps other headers, and sends no secret', async () => {
    const { method, headers, body } = await encoded(
      { origin: 'https://s3.test', pathStyle: true },
      { 'x-amz-server-side-encryption': 'AES256' },
    )
    expect(method).toBe('PUT')
    expect(headers).toMatchObject({
      'x-amz-date': '20260102T030405Z',
      'x-amz-server-side-encryption': 'AES256',
      'content-type': 'application/gzip',
    })
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=id\/20260102\/eu-west-1\/s3\/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-server-side-encryption, Signature=[0-9a-f]{64}$/,
    )
    expect(JSON.stringify(headers)).not.toContain('se:cret')
    expect(gunzipSync(body as Uint8Array).toString()).toBe('{"n":1}\n{"n":2}\n')
  })
})
