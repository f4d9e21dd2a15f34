import { areSame } from '@sluice/core/bytes'
import { allocateTextBuffer, toTextBuffer } from '#text-buffer'
import type { ListReader } from './list-reader.ts'
import { objectFormatVersion, tag } from './object-format.ts'
import type { TextBuffer } from './text-buffer.ts'
import { typedArrayElements } from './typed-array.ts'

/** Limits of one document. Shared values count each time they occur. See Decoder. */
export interface DecodeLimits {
  /** Largest number of levels of arrays and objects. */
  readonly depthMax: number
  /** Largest number of values. (Decoding a document of empty arrays takes 0.2 µs per byte.) */
  readonly valuesMax: number
  /** Largest number of characters of keys and strings, plus one per value. This is a lower bound of the JSON text. */
  readonly charsMax: number
}

export type Decoded =
  | { readonly ok: true; readonly value: unknown /** See DecodeLimits.charsMax. */; readonly chars: number }
  | { readonly ok: false; readonly message: string }

/** Number of key lists that are cached. The documents of one program mostly use a few. */
const keyListsMax = 256
const keyListBytesMax = 16 * 1024
/** Number of bytes that are decoded at a time to a text from which short strings are sliced. */
const textWindowBytes = 64 * 1024
/** Longest string that is sliced from that text. V8 keeps the whole text in memory for a longer slice. */
const cutLength = 12
const maxDateMs = 8.64e15

class Refusal extends Error {}

interface KeyList {
  readonly bytes: Uint8Array
  readonly keys: (string | undefined)[]
}

/**
 * Reads documents of the engine's object format that a guest wrote. The result is what `JSON.parse(JSON.stringify(x))`
 * would have returned.
 *
 * The bytes are untrusted. Every count is checked against the remaining bytes, nothing is allocated from a length
 * alone, `__proto__` becomes an ordinary property, and shared references become copies that count towards the limits.
 * Documents that exceed a limit, are circular, contain a BigInt or are malformed are refused with a message.
 */
export class Decoder {
  #source: Uint8Array | undefined
  #bytes: TextBuffer = nothing
  #view = new DataView(nothing.buffer)
  #text = ''
  #textStart = 0
  #textEnd = 0
  #at = 0
  #end = 0
  #keys: (string | undefined)[] = []
  /** Positions of the keys in the document when there are very many. Such keys are decoded only when used. */
  #keyPlaces: readonly number[] = []
  readonly #keyLists = new Map<number, KeyList>()
  /** Objects by number; undefined for an object that is still being read. */
  #objects: unknown[] = []
  /** Number of the first object that belongs to the current element. */
  #firstOwn = 0
  #isApart = true
  #depthMax = 0
  #values = 0
  #chars = 0

  /** Reads a document with one value. */
  decode(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): Decoded {
    let value: unknown
    const refused = this.#read(bytes, start, end, limits, () => {
      value = this.#value(0)
    })
    if (refused !== undefined) return { ok: false, message: refused }
    return { ok: true, value: value === undefined ? null : value, chars: limits.charsMax - this.#chars }
  }

  /**
   * Reads a document that contains a list, and passes each element to `take`. The limits apply to each element.
   * `isApart` is true when no element shares an object with another. After a refused element, all later ones are
   * refused too.
   */
  decodeList(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: DecodeLimits,
    take: (element: unknown, chars: number) => void,
  ): { readonly isApart: boolean; readonly refused?: string } {
    this.#isApart = true
    const refused = this.#read(bytes, start, end, limits, () => {
      if (this.#byte() !== tag.array) throw new Refusal(malformed)
      this.#open()
      const count = this.#length()
      for (let i = 0; i < count; i += 1) {
        this.#values = limits.valuesMax
        this.#chars = limits.charsMax
        this.#firstOwn = this.#objects.length
        const element = this.#value(0)
        take(element === undefined ? null : element, limits.charsMax - this.#chars)
      }
    })
    return refused === undefined ? { isApart: this.#isApart } : { isApart: this.#isApart, refused }
  }

  /**
   * Opens a document that contains a list, whose elements are then read one by one. The limits apply to each element.
   */
  openList(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): ListReader {
    // A new decoder, because other documents may be read before this list is finished.
    return new Decoder().#opened(bytes, start, end, limits)
  }

  #opened(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): ListReader {
    let left = 0
    let refused = this.#attempt(() => {
      this.#begin(bytes, start, end, limits)
      if (this.#byte() !== tag.array) throw new Refusal(malformed)
      this.#open()
      left = this.#length()
    })
    return {
      get refused() {
        return refused
      },
      next: () => {
        if (left === 0 || refused !== undefined) return undefined
        left -= 1
        let value: unknown
        refused = this.#attempt(() => {
          this.#values = limits.valuesMax
          this.#chars = limits.charsMax
          value = this.#value(0)
          if (left === 0 && this.#at !== this.#end) throw new Refusal(malformed)
        })
        return refused === undefined ? { value: value === undefined ? null : value } : undefined
      },
    }
  }

  #read(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits, read: () => void): string | undefined {
    const refused = this.#attempt(() => {
      this.#begin(bytes, start, end, limits)
      read()
      if (this.#at !== this.#end) throw new Refusal(malformed)
    })
    this.#objects = []
    this.#text = ''
    return refused
  }

  /** Runs `read` and returns why it failed; undefined when it succeeded. */
  #attempt(read: () => void): string | undefined {
    try {
      read()
      return undefined
    } catch (thrown) {
      if (!(thrown instanceof Refusal)) throw thrown
      return thrown.message
    }
  }

  #begin(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): void {
    if (bytes !== this.#source) {
      this.#source = bytes
      this.#bytes = toTextBuffer(bytes)
      this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength)
    }
    this.#at = start
    this.#end = Math.min(end, bytes.byteLength)
    this.#depthMax = limits.depthMax
    this.#values = limits.valuesMax
    this.#chars = limits.charsMax
    this.#firstOwn = 0
    this.#readKeys()
    this.#moveText(this.#at)
  }

  #moveText(start: number): void {
    this.#textStart = start
    this.#textEnd = Math.min(this.#end, start + textWindowBytes)
    this.#text = this.#bytes.latin1Slice(start, this.#textEnd)
  }

  /** Releases the bytes of the last document. */
  release(): void {
    this.#source = undefined
    this.#bytes = nothing
    this.#view = new DataView(nothing.buffer)
  }

  #readKeys(): void {
    if (this.#byte() !== objectFormatVersion) throw new Refusal(malformed)
    const start = this.#at
    const count = this.#length()
    let sum = count
    this.#keyPlaces = []
    for (let i = 0; i < count; i += 1) {
      const head = this.#number()
      sum = (Math.imul(sum, 31) + head + (this.#bytes[this.#at] ?? 0)) | 0
      this.#skip(head & 1 ? (head >>> 1) * 2 : head >>> 1)
    }
    const end = this.#at
    const known = this.#keyLists.get(sum)
    if (known !== undefined && known.bytes.length === end - start) {
      if (areSame(this.#bytes, start, known.bytes, 0, end - start)) {
        this.#keys = known.keys
        return
      }
    }
    this.#at = start
    this.#number()
    if (end - start > keyListBytesMax) {
      this.#keys = []
      this.#keyPlaces = Array.from({ length: count }, () => this.#passString())
      return
    }
    const keys: string[] = []
    for (let i = 0; i < count; i += 1) keys.push(this.#longString())
    this.#keys = keys
    if (this.#keyLists.size >= keyListsMax) this.#keyLists.clear()
    this.#keyLists.set(sum, { bytes: Uint8Array.from(this.#bytes.subarray(start, end)), keys })
  }

  #lateKey(index: number): string | undefined {
    const start = this.#keyPlaces[index]
    if (start === undefined) return undefined
    const at = this.#at
    this.#at = start
    const key = this.#longString()
    this.#at = at
    this.#keys[index] = key
    return key
  }

  /** Reads a value. Returns undefined where JSON would omit it. */
  #value(depth: number): unknown {
    this.#values -= 1
    this.#chars -= 1
    if (this.#values < 0) throw new Refusal(tooManyValues)
    switch (this.#byte()) {
      case tag.string:
        return this.#string()
      case tag.null:
        return null
      case tag.undefined:
        return undefined
      case tag.false:
        return false
      case tag.true:
        return true
      case tag.int: {
        const zigzag = this.#number()
        return (zigzag >>> 1) ^ -(zigzag & 1)
      }
      case tag.float: {
        const value = this.#float()
        return Number.isFinite(value) ? value || 0 : null
      }
      case tag.object:
        return this.#object(depth)
      case tag.array:
        return this.#array(depth)
      case tag.date:
        return this.#date()
      case tag.boxed:
        return this.#boxed()
      case tag.typedArray:
        return this.#typedArray()
      case tag.arrayBuffer:
        this.#arrayBuffer()
        return {}
      case tag.reference:
        return this.#copy(this.#referred(), depth)
      case tag.bigint:
        throw new Refusal(bigintRefused)
      default:
        throw new Refusal(malformed)
    }
  }

  #object(depth: number): Record<string, unknown> {
    if (depth >= this.#depthMax) throw new Refusal(tooDeep(this.#depthMax))
    const number = this.#open()
    const count = this.#length()
    const keys = this.#keys
    const made: Record<string, unknown> = {}
    for (let i = 0; i < count; i += 1) {
      const place = this.#number()
      const key = place & 1 ? String(place >>> 1) : (keys[(place >>> 1) - 1] ?? this.#lateKey((place >>> 1) - 1))
      if (key === undefined) throw new Refusal(malformed)
      const value = this.#value(depth + 1)
      if (value === undefined) continue
      this.#take(key.length)
      if (key === '__proto__') setOwn(made, key, value)
      else made[key] = value
    }
    this.#objects[number] = made
    return made
  }

  #array(depth: number): unknown[] {
    if (depth >= this.#depthMax) throw new Refusal(tooDeep(this.#depthMax))
    const number = this.#open()
    const count = this.#length()
    const made: unknown[] = []
    for (let i = 0; i < count; i += 1) {
      const value = this.#value(depth + 1)
      made.push(value === undefined ? null : value)
    }
    this.#objects[number] = made
    return made
  }

  #date(): string | null {
    const number = this.#open()
    const time = this.#primitive()
    if (time !== null && typeof time !== 'number') throw new Refusal(malformed)
    const made = time === null || Math.abs(time) > maxDateMs ? null : new Date(time).toISOString()
    this.#objects[number] = made
    return made
  }

  #boxed(): unknown {
    const number = this.#open()
    const value = this.#primitive()
    this.#objects[number] = value
    return value
  }

  /** Reads the content of a date or a boxed value, which is never an object or a list. */
  #primitive(): unknown {
    const next = this.#bytes[this.#at] ?? 0
    if (next === tag.bigint) throw new Refusal(bigintRefused)
    if (next === tag.undefined || next > tag.string) throw new Refusal(malformed)
    return this.#value(0)
  }

  #typedArray(): Record<string, unknown> {
    const number = this.#open()
    const kind = this.#byte()
    const count = this.#number()
    const offset = this.#number()
    const isReference = this.#byte() === tag.reference
    if (!isReference) this.#at -= 1
    const buffer = isReference ? this.#referred() : this.#buffer()
    if (!(buffer instanceof BufferBytes)) throw new Refusal(malformed)
    this.#values -= count
    if (this.#values < 0) throw new Refusal(tooManyValues)
    const elements = typedArrayElements(this.#view, kind, buffer.start + offset, count, buffer.end)
    if (elements === undefined) throw new Refusal(malformed)
    if (elements === 'bigint' && count > 0) throw new Refusal(bigintRefused)
    const made: Record<string, unknown> = {}
    for (let i = 0; i < elements.length; i += 1) {
      this.#take(2)
      made[i] = finite(Number(elements[i]))
    }
    this.#objects[number] = made
    return made
  }

  #buffer(): BufferBytes {
    if (this.#byte() !== tag.arrayBuffer) throw new Refusal(malformed)
    return this.#arrayBuffer()
  }

  #arrayBuffer(): BufferBytes {
    const number = this.#open()
    const length = this.#number()
    this.#number()
    const start = this.#at
    this.#skip(length)
    const bytes = new BufferBytes(start, this.#at)
    this.#objects[number] = bytes
    return bytes
  }

  #open(): number {
    return this.#objects.push(undefined) - 1
  }

  #referred(): unknown {
    const number = this.#number()
    if (number >= this.#objects.length) throw new Refusal(malformed)
    if (number < this.#firstOwn) this.#isApart = false
    const object = this.#objects[number]
    if (object === undefined) throw new Refusal('TypeError: Converting circular structure to JSON')
    return object
  }

  #copy(value: unknown, depth: number): unknown {
    if (typeof value === 'string') this.#take(value.length)
    if (typeof value !== 'object' || value === null) return value
    if (value instanceof BufferBytes) return {}
    if (depth >= this.#depthMax) throw new Refusal(tooDeep(this.#depthMax))
    const counted = (member: unknown): unknown => {
      this.#values -= 1
      this.#chars -= 1
      if (this.#values < 0) throw new Refusal(tooManyValues)
      return this.#copy(member, depth + 1)
    }
    if (Array.isArray(value)) return value.map(counted)
    const made: Record<string, unknown> = {}
    for (const [key, member] of Object.entries(value)) {
      this.#take(key.length)
      if (key === '__proto__') setOwn(made, key, counted(member))
      else made[key] = counted(member)
    }
    return made
  }

  #string(): string {
    const head = this.#number()
    const length = head >>> 1
    this.#take(length)
    if (head & 1) return this.#wideString(length)
    const start = this.#at
    this.#skip(length)
    if (length > cutLength) return this.#bytes.latin1Slice(start, this.#at)
    if (start < this.#textStart || this.#at > this.#textEnd) this.#moveText(start)
    return this.#text.substring(start - this.#textStart, this.#at - this.#textStart)
  }

  /** Skips a string. @returns the position where it begins. */
  #passString(): number {
    const start = this.#at
    const head = this.#number()
    this.#skip(head & 1 ? (head >>> 1) * 2 : head >>> 1)
    return start
  }

  #longString(): string {
    const head = this.#number()
    if (head & 1) return this.#wideString(head >>> 1)
    const start = this.#at
    this.#skip(head >>> 1)
    return this.#bytes.latin1Slice(start, this.#at)
  }

  #wideString(length: number): string {
    const start = this.#at
    this.#skip(length * 2)
    return this.#bytes.ucs2Slice(start, this.#at)
  }

  #float(): number {
    const start = this.#at
    this.#skip(8)
    return this.#view.getFloat64(start, true)
  }

  #byte(): number {
    return this.#bytes[this.#at++] ?? 0
  }

  /** Reads a number of items, and checks that so many can follow: each takes at least one byte. */
  #length(): number {
    const count = this.#number()
    if (count > this.#end - this.#at) throw new Refusal(malformed)
    return count
  }

  /**
   * Reads a LEB128 number. meter.ts has lines of its own for this: both run for every value, and a shared function would
   * have to receive and return the position.
   */
  #number(): number {
    const first = this.#bytes[this.#at++] ?? 0
    if (first < 128) return first
    let value = first & 127
    for (let shift = 7; shift < 35; shift += 7) {
      const next = this.#bytes[this.#at++] ?? 0
      value |= (next & 127) << shift
      if (next < 128) break
    }
    return value >>> 0
  }

  #skip(bytes: number): void {
    if (bytes > this.#end - this.#at) throw new Refusal(malformed)
    this.#at += bytes
  }

  #take(chars: number): void {
    this.#chars -= chars
    if (this.#chars < 0) throw new Refusal(tooLong)
  }
}

/** Position of the bytes of an array buffer. JSON contains these bytes only through a typed array. */
class BufferBytes {
  readonly start: number
  readonly end: number
  constructor(start: number, end: number) {
    this.start = start
    this.end = end
  }
}

const nothing = allocateTextBuffer(0)
const malformed = 'Error: the returned value cannot be read'
const bigintRefused = 'TypeError: Do not know how to serialize a BigInt'
const tooManyValues = 'RangeError: the returned value holds too many values'
const tooLong = 'RangeError: the returned value is too long'
const tooDeep = (levels: number): string => `RangeError: the returned value is nested deeper than ${levels} levels`

function finite(value: number): number | null {
  return Number.isFinite(value) ? value || 0 : null
}

function setOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}
