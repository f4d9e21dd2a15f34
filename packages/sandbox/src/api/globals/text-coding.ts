import { bytesOf, textOf } from '@sluice/core/bytes'
import { textCodingGlobals } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { textArgument } from '../text-arguments.ts'

/** Most bytes in one call. As a list of numbers they take sixteen times as much in the guest. */
const bytesMax = 1024 * 1024

/**
 * The globals TextEncoder, TextDecoder (UTF-8 only), atob and btoa. Bytes enter the guest as a list of numbers, from
 * which it creates a typed array natively, and leave it as a text with one character per byte. A loop over characters
 * in the guest would take 0.3 µs per character.
 */
export function textCodingPart(): GuestApiPart {
  return {
    globals: textCodingGlobals,
    syncCalls: {
      utf8Encode: ([text]) => {
        const bytes = bytesOf(textArgument('TextEncoder', text))
        checkLength('TextEncoder', bytes.length)
        return [...bytes]
      },
      // Returns the text, and the trailing bytes that need more input.
      utf8Decode: ([text, fatal, stream]) => {
        const bytes = bytesOf(textArgument('TextDecoder', text), 'latin1')
        checkLength('TextDecoder', bytes.length)
        const whole = stream === true ? wholeLength(bytes) : bytes.length
        return [decodeUtf8(bytes.subarray(0, whole), fatal === true), textOf(bytes.subarray(whole), 'latin1')]
      },
      base64Read: ([text]) => decodeBase64(textArgument('atob', text)),
      base64Write: ([text]) => encodeBase64(textArgument('btoa', text)),
    },
  }
}

function checkLength(what: string, length: number): void {
  if (length > bytesMax) throw new RangeError(`${what} takes at most ${bytesMax} bytes in one call`)
}

function decodeUtf8(bytes: Uint8Array, fatal: boolean): string {
  try {
    return new TextDecoder('utf-8', { fatal, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new TypeError('The encoded data was not valid for encoding utf-8')
  }
}

/** Returns the length without an incomplete sequence at the end that more bytes could complete. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0x80 && byte < 0xc0) continue
    const expected = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return expected > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    throw invalidCharacter('The string to be decoded is not correctly encoded.')
  }
}

function encodeBase64(text: string): string {
  try {
    return btoa(text)
  } catch {
    throw invalidCharacter('The string to be encoded contains characters outside of the Latin1 range.')
  }
}

function invalidCharacter(message: string): Error {
  const error = new Error(message)
  error.name = 'InvalidCharacterError'
  return error
}
