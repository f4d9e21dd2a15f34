import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { EncodedRequest } from './encode-request.ts'

const gzipped = promisify(gzip)

/** Smaller bodies fit into one packet anyway. */
const bytesMin = 1_024

/** Returns the request with its body as gzip, unless the body is small or encoded already. */
export async function compressRequest(request: EncodedRequest): Promise<EncodedRequest> {
  const { headers, body } = request
  if (body === null || Buffer.byteLength(body) <= bytesMin || headers['content-encoding'] !== undefined) return request
  return { ...request, headers: { ...headers, 'content-encoding': 'gzip' }, body: await gzipped(body) }
}
