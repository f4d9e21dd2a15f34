import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Clock } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import type { EncodedRequest } from '../../transport/http/encode-request.ts'
import type { HttpClient } from '../../transport/http/http-client.ts'
import type { Transport } from '../../transport/transport.ts'
import { linesOf } from '../files/lines-of.ts'
import { signedS3Call } from './signed-s3-call.ts'

interface S3SinkOptions {
  readonly client: Pick<HttpClient, 'exchange'>
  /** Time of signatures. Servers refuse those that are some minutes off. */
  readonly clock: Pick<Clock, 'now'>
}

/** Creates a sink that writes gzipped lines as one object to `s3://bucket/key`, atomically. */
export function createS3Sink({ client, clock }: S3SinkOptions): Transport {
  return {
    send: (request, options) => client.exchange(request, () => signedPut(request, clock.now()), options),
  }
}

const compress = promisify(gzip)

async function signedPut(request: DeliveryRequest, nowMs: number): Promise<EncodedRequest> {
  const { authorization: _, ...headers } = request.headers
  const call = {
    method: request.method,
    path: new URL(request.endpoint).pathname,
    headers: { ...headers, 'content-type': 'application/gzip' },
    body: await compress(linesOf(request)),
  }
  return signedS3Call(request, call, nowMs)
}
