import type { Random } from '@sluice/core'
import { bytesOf, textOf } from '@sluice/core/bytes'
import type { PrivateRsaParts, RsaKey } from './rsa-key.ts'

/** Fewest random bytes of the padding, and its bytes besides: 0, 2, and 0 at the end. */
const paddingMin = 8
const paddingMarks = 3

/**
 * Encrypts the UTF-8 of a text with RSAES-PKCS1-v1_5 (RFC 8017, 7.2), and returns base64. Returns undefined for a text that
 * is longer than the key allows: 245 bytes for a key of 2,048 bits. On every platform with the same arithmetic.
 */
export function rsaEncrypt(key: RsaKey, text: string, random: Random): string | undefined {
  const message = bytesOf(text)
  const paddingLength = key.size - message.length - paddingMarks
  if (paddingLength < paddingMin) return undefined
  const block = Uint8Array.of(0, 2, ...withoutZeros(paddingLength, random), 0, ...message)
  return textOf(toBytes(power(toNumber(block), key.exponent, key.modulus), key.size), 'base64')
}

/** Decrypts what `rsaEncrypt` returns. Returns undefined for anything else, and without a private key. */
export function rsaDecrypt({ size, modulus, secret }: RsaKey, base64: string): string | undefined {
  const given = bytesOf(base64, 'base64')
  if (secret === undefined || given.length !== size) return undefined
  const number = toNumber(given)
  if (number >= modulus) return undefined
  const block = toBytes(privatePower(number, secret), size)
  const end = block.indexOf(0, 2)
  if (block[0] !== 0 || block[1] !== 2 || end < paddingMin + 2) return undefined
  return textOf(block.slice(end + 1))
}

/** Returns random bytes, none of them zero. */
function withoutZeros(length: number, random: Random): Uint8Array {
  const bytes = random.fill(new Uint8Array(length))
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at))
    bytes[at] = random.fill(new Uint8Array(1))[0] ?? 0
  return bytes
}

/** Two powers of half the length, joined by the Chinese remainder theorem (RFC 8017, 5.1.2). */
function privatePower(base: bigint, { p, q, dp, dq, qInverse }: PrivateRsaParts): bigint {
  const ofP = power(base, dp, p)
  const ofQ = power(base, dq, q)
  const difference = (((ofP - ofQ) % p) + p) % p
  return ofQ + ((difference * qInverse) % p) * q
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${textOf(bytes, 'hex')}`)

const toBytes = (number: bigint, size: number): Uint8Array<ArrayBuffer> =>
  bytesOf(number.toString(16).padStart(size * 2, '0'), 'hex')
