export type HashName = 'sha256' | 'sha512' | 'sha1' | 'md5'
export type HashOutput = 'hex' | 'base64' | 'base64url'

/**
 * Hashes, computed synchronously, in two versions with the same results: `hash.node.ts` uses node:crypto,
 * `hash.portable.ts` JavaScript, because the Web Crypto API is asynchronous. The `node` condition in
 * package.json chooses between them.
 */
export interface HashPort {
  /** Returns the hash of bytes, or of a text in UTF-8. */
  hashBytes(name: HashName, data: string | Uint8Array): Uint8Array
  /** Returns the same hash as text; in hex by default. */
  hashText(name: HashName, data: string | Uint8Array, output?: HashOutput): string
  /** Returns the HMAC of bytes, or of a text in UTF-8, as text; in hex by default. */
  hmacText(name: HashName, key: string | Uint8Array, data: string | Uint8Array, output?: HashOutput): string
}
