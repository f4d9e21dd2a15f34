import type { TextBuffer, TextBufferPort } from './text-buffer.ts'

export const allocateTextBuffer: TextBufferPort['allocateTextBuffer'] = (length) =>
  Buffer.from(new ArrayBuffer(length)) as Uint8Array as TextBuffer

export const toTextBuffer: TextBufferPort['toTextBuffer'] = (bytes) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as Uint8Array as TextBuffer

/** Finds a byte thirty times as fast as `indexOf` of typed arrays. */
export const indexOfByte: TextBufferPort['indexOfByte'] = Buffer.prototype.indexOf
