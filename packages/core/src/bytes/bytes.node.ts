import type { BytesPort } from './bytes-port.ts'

const buffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const bytesOf: BytesPort['bytesOf'] = (text, encoding = 'utf8') => {
  // Small buffers share memory with others, which the callers must not see.
  const made = Buffer.from(text, encoding)
  return made.byteLength === made.buffer.byteLength ? made : Uint8Array.from(made)
}

export const textOf: BytesPort['textOf'] = (bytes, encoding = 'utf8') => buffer(bytes).toString(encoding)

export const utf8Length: BytesPort['utf8Length'] = (text) => Buffer.byteLength(text)

const compare = Buffer.prototype.compare

export const areSame: BytesPort['areSame'] = (a, aStart, b, bStart, length) =>
  compare.call(a, b, bStart, bStart + length, aStart, aStart + length) === 0

export const indexOfBytes: BytesPort['indexOfBytes'] = (bytes, part, from = 0) => buffer(bytes).indexOf(part, from)
