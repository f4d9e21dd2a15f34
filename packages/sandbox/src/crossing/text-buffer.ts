/**
 * A Buffer with the methods that `toString` and `write` use internally. They are undocumented but exist in every
 * version of Node.js. For short strings, which are frequent in events, calling them directly takes half the time.
 */
export interface TextBuffer extends Buffer<ArrayBuffer> {
  latin1Slice(start: number, end: number): string
  ucs2Slice(start: number, end: number): string
  latin1Write(text: string, offset: number, length: number): number
  ucs2Write(text: string, offset: number, length: number): number
}

/** Allocates a buffer of `length` zero bytes. */
export function allocateTextBuffer(length: number): TextBuffer {
  return Buffer.from(new ArrayBuffer(length)) as TextBuffer
}

/** Returns a view of the same bytes. */
export function toTextBuffer(bytes: Uint8Array): TextBuffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as TextBuffer
}
