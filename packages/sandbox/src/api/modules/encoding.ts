import { withoutTrailing } from '@sluice/core'
import { bytesOf, textOf, utf8Length } from '@sluice/core/bytes'
import { encodingModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { forTexts } from '../text-arguments.ts'

type Coder = (text: string) => string | number

// Refuses text that the host's decoders would silently truncate or skip. Each pattern needs one pass, without
// backtracking.
const base64Text = /^[A-Za-z0-9+/]*={0,2}$/
const base64UrlText = /^[A-Za-z0-9_-]*={0,2}$/
const hexText = /^[0-9A-Fa-f]*$/

const coders: Readonly<Record<string, Coder>> = {
  base64Encode: (text) => textOf(bytesOf(text), 'base64'),
  base64Decode: (text) => decoded('base64Decode', text, 'base64', base64Text.test(text) && hasWholeBytes(text)),
  base64UrlEncode: (text) => textOf(bytesOf(text), 'base64url'),
  base64UrlDecode: (text) =>
    decoded('base64UrlDecode', text, 'base64url', base64UrlText.test(text) && hasWholeBytes(text)),
  hexEncode: (text) => textOf(bytesOf(text), 'hex'),
  hexDecode: (text) => decoded('hexDecode', text, 'hex', text.length % 2 === 0 && hexText.test(text)),
  utf8Length: (text) => utf8Length(text),
}

/** `@sluice/encoding`: converts the UTF-8 bytes of texts to base64, base64url and hex, and back. */
export function encodingPart(): GuestApiPart {
  return {
    modules: { '@sluice/encoding': encodingModule },
    syncCalls: Object.fromEntries(
      Object.entries(coders).map(([name, coder]) => [name, ([value]) => forTexts(name, value, coder)]),
    ),
  }
}

function decoded(what: string, text: string, encoding: 'base64' | 'base64url' | 'hex', valid: boolean): string {
  if (!valid) throw new TypeError(`${what}: the text is not ${encoding}`)
  return textOf(bytesOf(text, encoding))
}

// Padding is optional. A single character beyond a group of four does not encode a whole byte.
function hasWholeBytes(text: string): boolean {
  const bare = withoutTrailing(text, '=').length
  return bare % 4 !== 1 && (bare === text.length || text.length % 4 === 0)
}
