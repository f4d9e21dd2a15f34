import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'

/** Decodes a body that its sender compressed. */
export interface ContentDecoder {
  readonly name: 'gzip' | 'deflate' | 'br'
  create(): Transform
}

const options = { chunkSize: 64 * 1_024 }
const gzip: ContentDecoder = { name: 'gzip', create: () => createGunzip(options) }
const br: ContentDecoder = { name: 'br', create: () => createBrotliDecompress(options) }
const deflate: ContentDecoder = { name: 'deflate', create: () => createInflate(options) }
const rawDeflate: ContentDecoder = { name: 'deflate', create: () => createInflateRaw(options) }

/** Returns the decoder of a body: gzip by its first bytes, others by the header. Undefined when there is none. */
export function decoderOf(bytes: Buffer, contentEncoding: string | null): ContentDecoder | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gzip
  if (contentEncoding === null) return undefined
  const name = contentEncoding.trim().toLowerCase()
  if (name === 'br') return br
  if (name === 'deflate') return hasZlibHeader(bytes) ? deflate : rawDeflate
  return undefined
}

/** Some senders leave out the header that RFC 9110 requires of deflate. Source: RFC 1950, section 2.2. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0
}
