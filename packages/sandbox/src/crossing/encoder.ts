import { allocateTextBuffer } from '#text-buffer'
import { objectFormatVersion, tag } from './object-format.ts'
import type { TextBuffer } from './text-buffer.ts'

const initialBytes = 256 * 1024
/** Largest buffer that is kept for later batches. A larger one is released after its batch. */
const keptBytes = 8 * 1024 * 1024
/** Largest number of keys that are cached between documents. Senders decide how many different keys there are. */
const keysMax = 20_000
/** Longest string that JavaScript copies faster than a native call. */
const shortLength = 40
const beyondLatin1 = /[\u0100-\uffff]/

/** Number of bytes for the length of a list. */
const listLengthBytes = 4

/** Largest depth of a value. The guest reads values with its own stack, which is smaller. */
export const encodeDepthMax = 1_000

/** Thrown for a value that cannot be encoded: nested too deeply, or not JSON. */
export class EncodeError extends TypeError {}

/** Thrown for a value that takes more bytes than the encoder may write. */
export class TooLargeError extends EncodeError {}

interface Key {
  /** The last document that used the key. */
  document: number
  /** Its position in that document, from 1. */
  place: number
  /** The key as a string of the format. */
  readonly bytes: Uint8Array
}

/**
 * Writes JSON values as documents of the engine's object format, one after another into one buffer.
 *
 * The content is that of `JSON.stringify`: properties that are undefined or functions are omitted, such array elements
 * and non-finite numbers become null, and `toJSON` is called. Keys are cached between documents, so that they are not
 * encoded again for every batch.
 */
export class Encoder {
  #out = allocateTextBuffer(initialBytes)
  #end = 0
  #body = allocateTextBuffer(initialBytes)
  #view = new DataView(this.#body.buffer)
  #at = 0
  readonly #keys = new Map<string, Key>()
  #document = 0
  #used: Key[] = []
  #count = 0
  #elements = 0
  #elementAt = 0
  readonly #bytesMax: number

  /**
   * @param bytesMax about how many bytes a document may take. Values that share parts can take far more bytes than
   * memory.
   */
  constructor(bytesMax: number = Number.POSITIVE_INFINITY) {
    this.#bytesMax = bytesMax
  }

  /** Total length of the documents written since the last `take`. */
  get length(): number {
    return this.#end
  }

  /** Writes a document with `value`. @throws EncodeError, without writing anything. */
  append(value: unknown): void {
    this.#begin()
    this.#value(value, '', 0)
    this.#commit()
  }

  /** Begins a document with a list. Call `element` for each element, then `endList`. */
  beginList(): void {
    this.#begin()
    this.#body[this.#at++] = tag.array
    this.#at += listLengthBytes
    this.#elements = 0
  }

  /** Adds an element to the list. @returns an error when it cannot be encoded; the element is then null. */
  element(value: unknown): EncodeError | undefined {
    const start = this.#at
    this.#elementAt = start
    this.#elements += 1
    try {
      this.#value(value, '', 0)
      return undefined
    } catch (thrown) {
      this.#at = start
      this.#body[this.#at++] = tag.null
      if (!(thrown instanceof EncodeError)) throw thrown
      return thrown
    }
  }

  /** Removes the last element of the list. Its keys stay. */
  dropElement(): void {
    this.#at = this.#elementAt
    this.#elements -= 1
  }

  /** Length of the list so far, without its keys. */
  get listBytes(): number {
    return this.#at
  }

  /** Ends the list and its document. */
  endList(): void {
    // Numbers may have leading zeros, so the length of the list has a fixed width and is written last.
    for (let i = 0; i < listLengthBytes; i += 1) {
      const more = i < listLengthBytes - 1 ? 128 : 0
      this.#body[1 + i] = ((this.#elements >>> (7 * i)) & 127) | more
    }
    this.#commit()
  }

  #begin(): void {
    this.#at = 0
    this.#document += 1
    this.#count = 0
  }

  #commit(): void {
    let keyBytes = 16
    for (let i = 0; i < this.#count; i += 1) keyBytes += this.#used[i]?.bytes.length ?? 0
    this.#outRoom(keyBytes + this.#at)
    const out = this.#out
    let end = this.#end
    out[end++] = objectFormatVersion
    end = writeNumber(out, end, this.#count)
    for (let i = 0; i < this.#count; i += 1) {
      const bytes = this.#used[i]?.bytes ?? noBytes
      const { length } = bytes
      if (length > shortLength) out.set(bytes, end)
      else for (let j = 0; j < length; j += 1) out[end + j] = bytes[j] ?? 0
      end += length
    }
    out.set(this.#body.subarray(0, this.#at), end)
    this.#end = end + this.#at
  }

  /** Returns all documents since the last call, in a new buffer. */
  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#end)
    bytes.set(this.#out.subarray(0, this.#end))
    this.#end = 0
    if (this.#out.length > keptBytes) this.#out = allocateTextBuffer(initialBytes)
    if (this.#body.length > keptBytes) this.#setBody(allocateTextBuffer(initialBytes))
    return bytes
  }

  #value(value: unknown, key: string | number, depth: number): void {
    this.#plain(typeof value === 'object' && hasToJson(value) ? value.toJSON(String(key)) : value, depth)
  }

  /** Writes a value whose `toJSON`, if it has one, was already called. `toJSON` of the result is not called. */
  #plain(value: unknown, depth: number): void {
    this.#room(96)
    switch (typeof value) {
      case 'string':
        this.#body[this.#at++] = tag.string
        this.#string(value)
        return
      case 'number':
        this.#finite(value)
        return
      case 'boolean':
        this.#body[this.#at++] = value ? tag.true : tag.false
        return
      case 'object':
        if (value === null) this.#body[this.#at++] = tag.null
        else if (depth >= encodeDepthMax) throw new EncodeError(`nested deeper than ${encodeDepthMax} levels`)
        else if (Array.isArray(value)) this.#array(value, depth)
        else if (value instanceof Number || value instanceof String || value instanceof Boolean)
          this.#plain(value.valueOf(), depth)
        else this.#object(value as Readonly<Record<string, unknown>>, depth)
        return
      case 'bigint':
        throw new EncodeError('Do not know how to serialize a BigInt')
      default:
        this.#body[this.#at++] = tag.null
    }
  }

  #array(value: readonly unknown[], depth: number): void {
    const { length } = value
    this.#body[this.#at++] = tag.array
    this.#number(length)
    for (let i = 0; i < length; i += 1) this.#value(value[i], i, depth + 1)
  }

  #object(value: Readonly<Record<string, unknown>>, depth: number): void {
    const keys = Object.keys(value)
    const start = this.#at
    this.#body[this.#at++] = tag.object
    this.#number(keys.length)
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i] ?? ''
      const member = value[key]
      if (isLeftOut(member) || (typeof member === 'object' && hasToJson(member))) {
        this.#at = start
        this.#objectWithout(value, keys, depth)
        return
      }
      this.#key(key)
      this.#plain(member, depth + 1)
    }
  }

  /** Writes an object without omitted members and with the results of `toJSON`. */
  #objectWithout(value: Readonly<Record<string, unknown>>, keys: readonly string[], depth: number): void {
    const kept: [string, unknown][] = []
    for (const key of keys) {
      const given = value[key]
      const member = typeof given === 'object' && hasToJson(given) ? given.toJSON(key) : given
      if (!isLeftOut(member)) kept.push([key, member])
    }
    this.#body[this.#at++] = tag.object
    this.#number(kept.length)
    for (const [key, member] of kept) {
      this.#key(key)
      this.#plain(member, depth + 1)
    }
  }

  #finite(value: number): void {
    const body = this.#body
    if ((value | 0) === value) {
      body[this.#at++] = tag.int
      this.#number(((value << 1) ^ (value >> 31)) >>> 0)
    } else if (Number.isFinite(value)) {
      body[this.#at++] = tag.float
      this.#view.setFloat64(this.#at, value, true)
      this.#at += 8
    } else body[this.#at++] = tag.null
  }

  #key(text: string): void {
    let key = this.#keys.get(text)
    if (key === undefined) {
      if (this.#keys.size >= keysMax) this.#keys.clear()
      const start = this.#at
      this.#string(text)
      key = { document: 0, place: 0, bytes: Uint8Array.prototype.slice.call(this.#body, start, this.#at) }
      this.#at = start
      this.#keys.set(text, key)
    }
    if (key.document !== this.#document) {
      key.document = this.#document
      this.#used[this.#count] = key
      this.#count += 1
      key.place = this.#count
    }
    this.#room(16)
    this.#number(key.place << 1)
  }

  #string(text: string): void {
    const { length } = text
    this.#room(length * 2 + 96)
    if (length > shortLength) {
      if (beyondLatin1.test(text)) this.#wide(text)
      else {
        this.#number(length << 1)
        this.#at += this.#body.latin1Write(text, this.#at, length)
      }
      return
    }
    const body = this.#body
    const start = this.#at
    let at = start
    let all = 0
    body[at++] = length << 1
    for (let i = 0; i < length; i += 1) {
      const unit = text.charCodeAt(i)
      all |= unit
      body[at++] = unit
    }
    if (all > 255) this.#wide(text)
    else this.#at = at
  }

  #wide(text: string): void {
    this.#number((text.length << 1) | 1)
    this.#at += this.#body.ucs2Write(text, this.#at, text.length * 2)
  }

  #number(value: number): void {
    if (value < 128) this.#body[this.#at++] = value
    else this.#at = writeNumber(this.#body, this.#at, value)
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#body.length) return
    if (this.#at + bytes > this.#bytesMax) throw new TooLargeError(`takes more than ${this.#bytesMax} bytes`)
    const larger = allocateTextBuffer(this.#body.length * 2 + bytes)
    larger.set(this.#body.subarray(0, this.#at))
    this.#setBody(larger)
  }

  #outRoom(bytes: number): void {
    if (this.#end + bytes <= this.#out.length) return
    const larger = allocateTextBuffer(this.#out.length * 2 + bytes)
    larger.set(this.#out.subarray(0, this.#end))
    this.#out = larger
  }

  #setBody(body: TextBuffer): void {
    this.#body = body
    this.#view = new DataView(body.buffer)
  }
}

const noBytes = new Uint8Array(0)

function writeNumber(into: Uint8Array, at: number, value: number): number {
  let rest = value
  let next = at
  while (rest > 127) {
    into[next++] = (rest & 127) | 128
    rest >>>= 7
  }
  into[next++] = rest
  return next
}

// Returns whether JSON.stringify omits a property with this value.
function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

function hasToJson(value: object | null): value is { toJSON(key: string): unknown } {
  return value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function'
}
