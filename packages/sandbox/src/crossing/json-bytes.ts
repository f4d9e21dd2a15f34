import { utf8Length } from '@sluice/core/bytes'

/** UTF-8 length of each Latin-1 character in a JSON string, escapes included. */
const latin1 = Uint8Array.from({ length: 256 }, (_, code) => utf8Length(JSON.stringify(String.fromCharCode(code))) - 2)
/** Length of an escaped lone surrogate. */
const escapedBytes = 6

/** Returns the length of a Latin-1 string as JSON text, in bytes without quotes. */
export function latin1JsonBytes(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i += 1) sum += latin1[bytes[i] ?? 0] ?? 0
  return sum
}

/** Returns the same for a string of UTF-16 units, little-endian. */
export function wideJsonBytes(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i += 2) {
    const high = bytes[i + 1] ?? 0
    if (high === 0) sum += latin1[bytes[i] ?? 0] ?? 0
    else if (high < 0x08) sum += 2
    else if (high < 0xd8 || high > 0xdf) sum += 3
    else if (high < 0xdc && i + 2 < end && isLowSurrogate(bytes[i + 3] ?? 0)) {
      sum += 4
      i += 2
    } else sum += escapedBytes
  }
  return sum
}

/** Returns the length of a number as JSON text. A non-finite number counts as null. */
export function jsonNumberLength(value: number): number {
  if ((value | 0) === value) {
    let length = value < 0 ? 2 : 1
    for (let rest = Math.abs(value); rest >= 10; rest = Math.floor(rest / 10)) length += 1
    return length
  }
  return Number.isFinite(value) ? String(value).length : 4
}

const isLowSurrogate = (high: number): boolean => high >= 0xdc && high <= 0xdf
