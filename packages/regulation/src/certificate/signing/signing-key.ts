import { bytesOf, textOf } from '@sluice/core/bytes'
import { LedgerBrokenError } from '../../ledger/ledger-errors.ts'
import type { LedgerPlace } from '../../ledger/ledger-place.ts'

const algorithm = 'Ed25519'

// Of every platform; the types of Node name them in a module of its own.
type SignatureKey = Parameters<typeof crypto.subtle.sign>[1]
type KeyPair = { readonly privateKey: SignatureKey; readonly publicKey: SignatureKey }
type JsonKey = { readonly kty?: string; readonly crv?: string; readonly x?: string; readonly d?: string }

/** Signs certificates. The key is made once per ledger and kept with it. Source: RFC 8032, Ed25519. */
export class SigningKey {
  readonly #key: SignatureKey
  /** 32 bytes in base64. */
  readonly publicKey: string

  private constructor(key: SignatureKey, publicKey: string) {
    this.#key = key
    this.publicKey = publicKey
  }

  /** Returns the key of a ledger, which is made when there is none. @throws LedgerBrokenError when it cannot be read. */
  static async of(place: LedgerPlace): Promise<SigningKey> {
    const known = await place.kept('signingKey')
    return SigningKey.#read(place, known ?? (await place.keep('signingKey', await freshKey())))
  }

  /** Returns the public key of a ledger; undefined when it has none. @throws LedgerBrokenError when it cannot be read. */
  static async publicKeyOf(place: LedgerPlace): Promise<string | undefined> {
    const known = await place.kept('signingKey')
    return known === undefined ? undefined : (await SigningKey.#read(place, known)).publicKey
  }

  static async #read(place: LedgerPlace, text: string): Promise<SigningKey> {
    try {
      const jwk: JsonKey = JSON.parse(text)
      const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['sign'])
      return new SigningKey(key, textOf(bytesOf(jwk.x ?? '', 'base64url'), 'base64'))
    } catch {
      throw new LedgerBrokenError(`the key that signs certificates cannot be read in ${place.name}`)
    }
  }

  /** @returns the signature in base64. */
  async sign(text: string): Promise<string> {
    return textOf(await this.signBytes(bytesOf(text)), 'base64')
  }

  async signBytes(bytes: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.sign(algorithm, this.#key, bytes))
  }
}

/** Returns whether a text was signed with the key that belongs to a public key. Keys and signatures are base64. */
export async function isSignedBy(publicKey: string, text: string, signature: string): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', bytesOf(publicKey, 'base64'), algorithm, false, ['verify'])
    const isValid = await crypto.subtle.verify(algorithm, key, bytesOf(signature, 'base64'), bytesOf(text))
    // Base64 has several spellings of the same bytes. Only the usual one counts, so that no member can be changed.
    return isValid && textOf(bytesOf(signature, 'base64'), 'base64') === signature
  } catch {
    return false
  }
}

async function freshKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  // The type knows no algorithm that always makes a pair.
  const { kty, crv, x, d } = await crypto.subtle.exportKey('jwk', (pair as KeyPair).privateKey)
  return JSON.stringify({ kty, crv, x, d })
}
