import type { BytesPort } from './bytes-port.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const bytesOf: BytesPort['bytesOf'] = (text, encoding = 'utf8') => {
  switch (encoding) {
    case 'utf8':
      return encoder.encode(text)
    case 'latin1':
      return Uint8Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    case 'hex':
      return fromHex(text)
    default:
      return fromBase64(text)
  }
}

export const textOf: BytesPort['textOf'] = (bytes, encoding = 'utf8') => {
  switch (encoding) {
    case 'utf8':
      return decoder.decode(bytes)
    case 'latin1':
      return latin1Text(bytes)
    case 'hex':
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    case 'base64':
      return btoa(latin1Text(bytes))
    case 'base64url':
      return btoa(latin1Text(bytes)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_')
  }
}

export const utf8Length: BytesPort['utf8Length'] = (text) => {
  let length = 0
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) length += 1
    else if (unit < 0x800) length += 2
    else if (unit >= 0xd800 && unit < 0xdc00 && isLow(text.charCodeAt(i + 1))) {
      length += 4
      i += 1
    } else length += 3
  }
  return length
}

export const areSame: BytesPort['areSame'] = (a, aStart, b, bStart, length) => {
  let done = 0
  const isAligned = (a.byteOffset + aStart) % 4 === 0 && (b.byteOffset + bStart) % 4 === 0
  if (isAligned) {
    const words = length >>> 2
    const aWords = new Int32Array(a.buffer, a.byteOffset + aStart, words)
    const bWords = new Int32Array(b.buffer, b.byteOffset + bStart, words)
    for (let i = 0; i < words; i += 1) if (aWords[i] !== bWords[i]) return false
    done = words * 4
  }
  for (; done < length; done += 1) if (a[aStart + done] !== b[bStart + done]) return false
  return true
}

export const indexOfBytes: BytesPort['indexOfBytes'] = (bytes, part, from = 0) => {
  const [first = 0] = part
  for (let at = bytes.indexOf(first, from); at !== -1; at = bytes.indexOf(first, at + 1)) {
    if (at + part.length > bytes.length) return -1
    if (areSame(bytes, at, part, 0, part.length)) return at
  }
  return -1
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000

/** Bytes that one call makes a text of, because its arguments lie on the stack. */
const pieceBytes = 8_192

function latin1Text(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += pieceBytes)
    text += String.fromCharCode(...bytes.subarray(at, at + pieceBytes))
  return text
}

/** Stops at the first pair that is not two hexadecimal digits, as Buffer does. */
function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  for (let at = 0; at + 1 < text.length; at += 2) {
    const pair = text.slice(at, at + 2)
    if (!/^[0-9A-Fa-f]{2}$/.test(pair)) break
    bytes.push(Number.parseInt(pair, 16))
  }
  return Uint8Array.from(bytes)
}

/** Ends at `=`, skips other characters that are not base64 in either alphabet, and drops a digit that is left over, as Buffer does. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const [digits = ''] = text.split('=')
  const plain = digits
    .replace(/[^A-Za-z0-9+/_-]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
  return bytesOf(atob(whole), 'latin1')
}
