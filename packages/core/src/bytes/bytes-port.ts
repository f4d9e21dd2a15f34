/** How bytes are written as text. Each character of `latin1` is one byte. */
export type BytesEncoding = 'utf8' | 'latin1' | 'hex' | 'base64' | 'base64url'

/**
 * What this repository does with bytes and text, in two versions with the same results: `bytes.node.ts` uses Buffer,
 * which is several times as fast, `bytes.portable.ts` only what every JavaScript platform has. The condition in
 * package.json chooses.
 */
export interface BytesPort {
  /**
   * Returns the bytes of a text. A lone surrogate becomes U+FFFD in UTF-8. What is not hex ends the bytes, what is not
   * base64 is skipped, as in Buffer; characters beyond Latin-1 in base64 give other bytes on other platforms.
   */
  bytesOf(text: string, encoding?: BytesEncoding): Uint8Array<ArrayBuffer>
  /** Returns bytes as text. Malformed UTF-8 becomes U+FFFD; a byte order mark stays. */
  textOf(bytes: Uint8Array, encoding?: BytesEncoding): string
  /** Returns the length of a text in UTF-8, in bytes. */
  utf8Length(text: string): number
  /**
   * Returns whether `length` bytes are the same, from `aStart` and `bStart` on, which both arrays must have. Takes longer
   * the longer they are the same, so it is not for secrets.
   */
  areSame(a: Uint8Array, aStart: number, b: Uint8Array, bStart: number, length: number): boolean
  /** Returns where `part`, which is not empty, first occurs at `from` or later; -1 when it does not. */
  indexOfBytes(bytes: Uint8Array, part: Uint8Array, from?: number): number
}
