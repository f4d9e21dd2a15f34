import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { AwsV4Signer } from 'aws4fetch'
import type { EncodedRequest } from '../encode-request.ts'
import type { HttpClient } from '../http-client.ts'
import type { Transport } from '../transport.ts'
import { basicCredentials } from './basic-credentials.ts'
import { linesOf } from './lines-of.ts'

export interface S3SinkOptions {
  readonly client: HttpClient
  /** Servers refuse signatures that are some minutes off. */
  readonly clock: Pick<Clock, 'now'>
}

/** Puts gzipped lines as one object where `s3://bucket/key` says: whole or not at all. */
export function createS3Sink({ client, clock }: S3SinkOptions): Transport {
  return {
    send: (request, options) => client.exchange(request, () => signedPut(request, clock.now()), options),
  }
}

const compress = promisify(gzip)

/** Source: Signature Version 4 of the S3 API. The signature covers the body, so that it cannot be damaged on the way. */
async function signedPut(request: DeliveryRequest, nowMs: number): Promise<EncodedRequest> {
  const { authorization, ...headers } = request.headers
  const [accessKeyId = '', secretAccessKey = ''] = basicCredentials(authorization) ?? []
  const body = await compress(linesOf(request))
  const signed = await new AwsV4Signer({
    method: request.method,
    url: urlOf(request),
    headers: {
      ...headers,
      'content-type': 'application/gzip',
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    },
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: String(request.params['region']),
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return { method: signed.method, url: signed.url, headers: Object.fromEntries(signed.headers), body }
}

/** @throws TypeError when it is none. */
function urlOf({ endpoint, params }: DeliveryRequest): string {
  const { host: bucket, pathname } = new URL(endpoint)
  const origin = new URL(String(params['origin']))
  if (params['pathStyle'] === true) return `${origin.origin}/${bucket}${pathname}`
  return `${origin.protocol}//${bucket}.${origin.host}${pathname}`
}
