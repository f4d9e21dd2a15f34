import { bytesOf } from '@sluice/core/bytes'

/** Tags of the types that a certificate is made of. Source: ITU-T X.690. */
export const derTags = {
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8Text: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** Returns a value with its tag and length, as the Distinguished Encoding Rules write it. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = joined(parts)
  return joined([Uint8Array.of(tag), lengthOf(content.length), content])
}

/** Returns a text with a tag. */
export function derText(tag: number, text: string): Uint8Array {
  return der(tag, bytesOf(text))
}

/** Returns an object identifier, such as `1.3.101.112`. */
export function derObjectId(id: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number)
  return der(derTags.objectId, Uint8Array.from([first * 40 + second, ...rest.flatMap(baseOf128)]))
}

/** @param unused bits at the end that do not count. */
export function derBits(bytes: Uint8Array, unused = 0): Uint8Array {
  return der(derTags.bitString, Uint8Array.of(unused), bytes)
}

/** Groups of seven bits, each but the last with the highest bit set. */
function baseOf128(value: number): readonly number[] {
  const groups = [value & 0x7f]
  for (let rest = value >> 7; rest > 0; rest >>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}

function lengthOf(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  return length < 0x100 ? Uint8Array.of(0x81, length) : Uint8Array.of(0x82, length >> 8, length & 0xff)
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
