import { bytesOf, textOf } from '@sluice/core/bytes'

/** Numbers of a private key that make decryption several times as fast as the private exponent (RFC 8017, 3.2). */
export interface PrivateRsaParts {
  readonly p: bigint
  readonly q: bigint
  readonly dp: bigint
  readonly dq: bigint
  readonly qInverse: bigint
}

export interface RsaKey {
  /** Bytes of the modulus, and of everything that is encrypted with it. */
  readonly size: number
  readonly modulus: bigint
  readonly exponent: bigint
  /** Absent in a public key. */
  readonly secret?: PrivateRsaParts
}

/** A private key of 4,096 bits has 3,300 characters. */
const keyCharsMax = 5_000
/** Limits of the numbers, because the time to encrypt and decrypt grows with their third power. */
const modulusBytesMin = 64
const modulusBytesMax = 512
const exponentMax = 2n ** 33n

const tags = { integer: 0x02, bits: 0x03, octets: 0x04 }

/**
 * Reads an RSA key: PEM, or its base64 alone, in the forms SubjectPublicKeyInfo, PKCS #8 and PKCS #1 (RFC 5280, 5958 and
 * 8017). Returns undefined for anything else, and for keys of fewer than 512 or more than 4,096 bits.
 */
export function parseRsaKey(text: string): RsaKey | undefined {
  if (text.length > keyCharsMax) return undefined
  const numbers = numbersIn(bytesOf(text.replace(/-----[^-]+-----/g, ''), 'base64'), 2)
  const isPrivate = numbers.length === 9
  if (numbers.length !== 2 && !isPrivate) return undefined
  const [modulus = 0n, exponent = 0n, , p = 0n, q = 0n, dp = 0n, dq = 0n, qInverse = 0n] = isPrivate
    ? numbers.slice(1)
    : numbers
  const size = Math.ceil(modulus.toString(16).length / 2)
  if (size < modulusBytesMin || size > modulusBytesMax || exponent < 3n || exponent > exponentMax) return undefined
  if (!isPrivate) return { size, modulus, exponent }
  const isConsistent = p > 1n && q > 1n && p * q === modulus && dp < p && dq < q && qInverse < p
  return isConsistent ? { size, modulus, exponent, secret: { p, q, dp, dq, qInverse } } : undefined
}

/** Returns the numbers of a key: of the list itself, or of the list that it wraps. */
function numbersIn(der: Uint8Array<ArrayBuffer>, depthMax: number): readonly bigint[] {
  const [list] = elementsOf(der)
  const elements = list === undefined ? [] : elementsOf(list.body)
  const wrapped = elements.find(({ tag }) => tag === tags.bits || tag === tags.octets)
  if (wrapped === undefined)
    return elements.flatMap(({ tag, body }) =>
      tag === tags.integer && body.length > 0 ? [BigInt(`0x${textOf(body, 'hex')}`)] : [],
    )
  // The first byte of bits is the number of unused bits, which is none.
  return depthMax === 0 ? [] : numbersIn(wrapped.body.slice(wrapped.tag === tags.bits ? 1 : 0), depthMax - 1)
}

interface Element {
  readonly tag: number
  readonly body: Uint8Array<ArrayBuffer>
}

/** Returns the elements of DER (X.690), up to the first that is cut off. */
function elementsOf(der: Uint8Array<ArrayBuffer>): readonly Element[] {
  const elements: Element[] = []
  for (let at = 0; at + 2 <= der.length; ) {
    const tag = der[at] ?? 0
    const first = der[at + 1] ?? 0
    // Up to 127 it is the length; above, the number of bytes of the length, which are two at most in a key.
    const lengthBytes = first < 0x80 ? 0 : first - 0x80
    const start = at + 2 + lengthBytes
    const length = lengthBytes === 0 ? first : der.slice(at + 2, start).reduce((sum, byte) => sum * 256 + byte, 0)
    if (lengthBytes > 2 || start + length > der.length) break
    elements.push({ tag, body: der.slice(start, start + length) })
    at = start + length
  }
  return elements
}
