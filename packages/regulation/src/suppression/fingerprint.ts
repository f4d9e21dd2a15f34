/** Length of the fingerprint secret, in bytes. */
export const fingerprintSecretBytes = 8

/** A 48-bit hash of a user of a workspace, in two parts. */
export interface Fingerprint {
  /** 16 bits. */
  readonly shard: number
  /** 32 bits. */
  readonly tail: number
}

/**
 * Computes the fingerprints of users. They depend on a secret: without it, an attacker can neither choose user ids with
 * equal fingerprints nor test ids against stored fingerprints. Two users may still share a fingerprint by chance, so
 * matches must be verified.
 *
 * The hash is two lanes of multiply and xor over UTF-16 code units with a final mix (the mixing steps of MurmurHash3,
 * public domain). A cryptographic hash would take longer than the rest of a look-up.
 */
export class Fingerprinter {
  readonly #seedA: number
  readonly #seedB: number

  /** @param secret `fingerprintSecretBytes` long. */
  constructor(secret: Uint8Array) {
    if (secret.length !== fingerprintSecretBytes)
      throw new RangeError(`a fingerprint secret has ${fingerprintSecretBytes} bytes, not ${secret.length}`)
    const words = new DataView(secret.buffer, secret.byteOffset, secret.length)
    this.#seedA = words.getInt32(0)
    this.#seedB = words.getInt32(4)
  }

  /** @param userId as cleaned text; see identifierText. */
  of(workspaceId: string, userId: string): Fingerprint {
    let a = this.#seedA
    let b = this.#seedB
    for (let i = 0; i < workspaceId.length; i += 1) {
      const code = workspaceId.charCodeAt(i)
      a = Math.imul(a ^ code, 0x85ebca6b)
      b = Math.imul(b ^ code, 0xc2b2ae35)
      a ^= a >>> 15
      b ^= b >>> 13
    }
    // Separates the ids, so that different pairs of ids cannot be the same text.
    a = Math.imul(a ^ 0x10000, 0x85ebca6b)
    b = Math.imul(b ^ 0x10000, 0xc2b2ae35)
    for (let i = 0; i < userId.length; i += 1) {
      const code = userId.charCodeAt(i)
      a = Math.imul(a ^ code, 0x85ebca6b)
      b = Math.imul(b ^ code, 0xc2b2ae35)
      a ^= a >>> 15
      b ^= b >>> 13
    }
    a = mixed(a ^ (b >>> 7))
    b = mixed(b ^ a)
    return { shard: a >>> 16, tail: b >>> 0 }
  }
}

function mixed(value: number): number {
  let word = value
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35)
  return word ^ (word >>> 16)
}
