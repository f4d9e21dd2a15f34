/**
 * Bytes with the methods that a Buffer uses internally in `toString` and `write`. They are undocumented but exist in
 * every version of Node.js. For short strings, which are frequent in events, calling them directly takes half the time.
 * Other platforms have the same methods in JavaScript; the condition `#text-buffer` in package.json chooses.
 */
export interface TextBuffer extends Uint8Array<ArrayBuffer> {
  /** Returns a text with one character per byte. */
  latin1Slice(start: number, end: number): string
  /** Returns a text of UTF-16 units, little-endian. Lone surrogates stay. */
  ucs2Slice(start: number, end: number): string
  /** Writes the low byte of each character. @returns the number of bytes. */
  latin1Write(text: string, offset: number, length: number): number
  /** Writes UTF-16 units, little-endian, in `length` bytes. @returns the number of bytes. */
  ucs2Write(text: string, offset: number, length: number): number
}

/** What a platform has to provide. */
export interface TextBufferPort {
  /** Allocates a buffer of `length` zero bytes. */
  allocateTextBuffer(length: number): TextBuffer
  /** Returns a view of the same bytes. */
  toTextBuffer(bytes: Uint8Array): TextBuffer
  /** Returns the position of the first such byte, -1 without one. */
  readonly indexOfByte: (this: Uint8Array, byte: number) => number
}
