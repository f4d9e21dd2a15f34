import { createHash } from 'node:crypto'
import type { DeliveryRequest } from '@sluice/destinations'
import { AwsV4Signer } from '#inlined/aws4fetch'
import type { EncodedRequest } from '../../transport/http/encode-request.ts'
import { basicCredentials } from '../basic-credentials.ts'

export interface S3Call {
  readonly method: string
  /** Encoded path of the key, and the query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

/**
 * Returns a signed call to the bucket of a SINK request, with its credentials. The signature covers the body, so that
 * damage on the way is detected. Source: Signature Version 4 of the S3 API.
 *
 * @throws TypeError when the request names no bucket.
 */
export async function signedS3Call(request: DeliveryRequest, call: S3Call, nowMs: number): Promise<EncodedRequest> {
  const { method, path, headers = {}, body } = call
  const [accessKeyId = '', secretAccessKey = ''] = basicCredentials(request.headers['authorization']) ?? []
  const signed = await new AwsV4Signer({
    method,
    url: `${originOf(request)}${path}`,
    headers: {
      ...headers,
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    },
    accessKeyId,
    secretAccessKey,
    service: 's3',
    region: String(request.params['region']),
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return { method: signed.method, url: signed.url, headers: Object.fromEntries(signed.headers), body: body ?? null }
}

/** Returns the URL of the bucket, without a slash at the end. */
function originOf({ endpoint, params }: DeliveryRequest): string {
  const { host: bucket } = new URL(endpoint)
  const origin = new URL(String(params['origin']))
  return params['pathStyle'] === true ? `${origin.origin}/${bucket}` : `${origin.protocol}//${bucket}.${origin.host}`
}
