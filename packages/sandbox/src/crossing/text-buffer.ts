/**
 * A Buffer with the methods that `toString` and `write` are made of. They are not in its documentation but in every version
 * of Node.js; called directly they cost half as much for the short strings that events are full of.
 */
export interface TextBuffer extends Buffer<ArrayBuffer> {
  latin1Slice(start: number, end: number): string
  ucs2Slice(start: number, end: number): string
  latin1Write(text: string, offset: number, length: number): number
  ucs2Write(text: string, offset: number, length: number): number
}

/** A buffer of `length` zero bytes. */
export function allocateTextBuffer(length: number): TextBuffer {
  return Buffer.from(new ArrayBuffer(length)) as TextBuffer
}

/** The same bytes. */
export function toTextBuffer(bytes: Uint8Array): TextBuffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) as TextBuffer
}
