/** Bytes of the secret that fingerprints depend on. */
export const fingerprintSecretBytes = 8

/** 48 bits that stand for a user of a workspace, in two parts. */
export interface Fingerprint {
  /** 16 bits. */
  readonly shard: number
  /** 32 bits. */
  readonly tail: number
}

/**
 * Computes the fingerprints of users. With another secret they are others, so nobody can choose user ids that share one,
 * and who sees fingerprints without the secret cannot try ids on them. Two users may share one nevertheless: what is
 * found by it must be verified.
 *
 * The hash is two lanes of multiply and xor over UTF-16 code units with a final mix (the mixing steps are those of
 * MurmurHash3, public domain): no cryptographic one, which would take longer than the rest of a look-up.
 */
export class Fingerprinter {
  readonly #seedA: number
  readonly #seedB: number

  /** @param secret of `fingerprintSecretBytes`. */
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
    // No workspace id may run over into a user id.
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
