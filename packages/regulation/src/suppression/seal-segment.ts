import { areSame, bytesOf } from '@sluice/core/bytes'
import { hashBytes } from '@sluice/core/hash'

/** Length of a digest, in bytes. */
const digestBytes = 32

/**
 * Returns a digest of how far the stored index is complete. It binds the secret, without which no fingerprint is found
 * again, and the position, up to which no change is applied again, to each other.
 */
export function stateDigest(secret: Uint8Array, position: number): Uint8Array {
  return hashBytes('sha256', Uint8Array.of(...bytesOf('state'), ...secret, ...bytesOf(String(position))))
}

/** Returns the bytes of a segment with a digest behind them, for the store. */
export function sealSegment(secret: Uint8Array, number: number, position: number, bytes: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(bytes.length + digestBytes)
  sealed.set(bytes)
  sealed.set(segmentDigest(secret, number, position, bytes), bytes.length)
  return sealed
}

/** Returns the bytes of a stored segment; undefined when they are not what was sealed with this secret. */
export function openSegment(
  secret: Uint8Array,
  {
    number,
    position,
    bytes: sealed,
  }: { readonly number: number; readonly position: number; readonly bytes: Uint8Array },
): Uint8Array | undefined {
  const bytes = sealed.subarray(0, Math.max(0, sealed.length - digestBytes))
  const digest = sealed.subarray(bytes.length)
  return sameBytes(digest, segmentDigest(secret, number, position, bytes)) ? bytes : undefined
}

/** Not for secrets: it takes as long as the bytes agree. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && areSame(a, 0, b, 0, a.length)
}

function segmentDigest(secret: Uint8Array, number: number, position: number, bytes: Uint8Array): Uint8Array {
  const head = bytesOf(`segment ${number} ${position} `)
  const all = new Uint8Array(head.length + secret.length + bytes.length)
  all.set(head)
  all.set(secret, head.length)
  all.set(bytes, head.length + secret.length)
  return hashBytes('sha256', all)
}
