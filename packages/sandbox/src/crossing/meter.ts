import { bytesOf } from '@sluice/core/bytes'
import { indexOfByte } from '#text-buffer'
import { type AnswerSize, cutLog, type DocumentMeter, type Size } from './document-meter.ts'
import { encodeDepthMax } from './encoder.ts'
import { joinBytes } from './join-bytes.ts'
import { jsonNumberLength, latin1JsonBytes, wideJsonBytes } from './json-bytes.ts'
import { objectFormatVersion, tag } from './object-format.ts'
import { typedArrayElements } from './typed-array.ts'

/**
 * Largest number of levels that are measured: those of an event and of the lists around it. The decoder refuses deeper
 * values.
 */
const depthMax = encodeDepthMax + 2
/**
 * Number of elements of typed arrays that are examined, far more than an event may have. Further ones count as small.
 */
const elementsMax = 100_000
/**
 * Largest number of JSON bytes per byte of a document, not counting long keys: an element with a half-precision float
 * has two bytes in the document, and digits for its key and its value in JSON.
 */
const jsonBytesPerByte = 20
/** JSON bytes of a property in addition to its key: quotes, colon, comma and `false`. */
const propertyJsonBytes = 9
/** Bytes of a property in a document: the position of its key, and a tag. */
const propertyBytes = 2
/** Length of a date as JSON text. `longDateJsonBytes` is for years before 0 or after 9999. */
const dateJsonBytes = 26
const longDateJsonBytes = 29
const year0Ms = -62_167_219_200_000
const year10000Ms = 253_402_300_800_000
const maxDateMs = 8.64e15

/** Thrown when the value cannot be written as JSON text, or when the document is malformed. */
class Unmeasurable extends Error {}

/** Size of an object that was already measured. */
interface Known {
  readonly jsonBytes: number
  /** Number of values inside it. */
  readonly values: number
  /** For an array buffer, the position of its bytes. */
  readonly start?: number
  readonly end?: number
}

/**
 * Measures documents of the engine's object format (see object-format.ts). The time is proportional to the length of
 * the document, not to its expanded size, because a shared object is measured once.
 */
export class Meter implements DocumentMeter {
  #bytes: Uint8Array = new Uint8Array(0)
  #view = new DataView(this.#bytes.buffer)
  #at = 0
  #keys: number[] = []
  #keyBytes = 0
  /** Objects by number; undefined for an object that is still being read. */
  #objects: (Known | undefined)[] = []
  #values = 0
  #elementsLeft = elementsMax

  mayExceed(bytes: Uint8Array, jsonBytes: number): boolean {
    const { length } = bytes
    // Most documents share no objects. If the byte has another meaning here, the only cost is an unneeded measurement.
    if (indexOfByte.call(bytes, tag.reference) !== -1) return true
    // The worst case: a key that takes half of the document is used by every property in the other half, and each of
    // its characters becomes an escape of six.
    if ((length * length * 3) / 4 + length * jsonBytesPerByte <= jsonBytes) return false
    try {
      this.#begin(bytes)
    } catch (thrown) {
      if (thrown instanceof Unmeasurable) return true
      throw thrown
    }
    this.#bytes = nothing
    const longestKey = this.#keys.reduce((longest, key) => Math.max(longest, key), 0)
    return length * Math.max(jsonBytesPerByte, (longestKey + propertyJsonBytes) / propertyBytes) > jsonBytes
  }

  keyCount(bytes: Uint8Array): number {
    this.#bytes = bytes
    this.#at = 1
    return this.#number()
  }

  value(bytes: Uint8Array): Size | undefined {
    return this.#measured(bytes, () => ({ jsonBytes: this.#value(0), values: this.#values }))
  }

  answer(bytes: Uint8Array): AnswerSize | undefined {
    return this.#measured(bytes, () => this.#answer())
  }

  answers(bytes: Uint8Array): readonly AnswerSize[] | undefined {
    return this.#measured(bytes, () => {
      this.#open()
      return Array.from({ length: this.#arrayLength() }, () => this.#answer())
    })
  }

  withoutLog(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    const head = this.#logPlace(bytes)
    return head && joinBytes([bytes.slice(0, head.log), shortString(cutLog), bytes.slice(head.end)])
  }

  logOnly(bytes: Uint8Array, kind: number): Uint8Array<ArrayBuffer> | undefined {
    const head = this.#logPlace(bytes)
    if (head === undefined) return undefined
    const start = Uint8Array.of(objectFormatVersion, 0, tag.array, 3)
    return joinBytes([start, bytes.slice(head.index, head.end), Uint8Array.of(tag.int, kind << 1)])
  }

  /** Finds where the index and log of an answer begin and where the log ends. */
  #logPlace(bytes: Uint8Array): { readonly index: number; readonly log: number; readonly end: number } | undefined {
    return this.#measured(bytes, () => {
      if (this.#arrayLength() < 3) throw new Unmeasurable()
      const index = this.#at
      this.#value(1)
      const log = this.#at
      if (this.#bytes[log] !== tag.string) throw new Unmeasurable()
      this.#value(1)
      return { index, log, end: this.#at }
    })
  }

  #measured<T>(bytes: Uint8Array, measure: () => T): T | undefined {
    try {
      this.#begin(bytes)
      return measure()
    } catch (thrown) {
      if (thrown instanceof Unmeasurable) return undefined
      throw thrown
    } finally {
      this.#objects = []
      this.#bytes = nothing
    }
  }

  #begin(bytes: Uint8Array): void {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#at = 0
    this.#objects = []
    this.#values = 0
    this.#elementsLeft = elementsMax
    if (this.#byte() !== objectFormatVersion) throw new Unmeasurable()
    this.#keys = []
    for (let left = this.#count(); left > 0; left -= 1) this.#keys.push(this.#string())
    this.#keyBytes = this.#at
  }

  #answer(): AnswerSize {
    this.#open()
    const count = this.#arrayLength()
    if (count < 3) throw new Unmeasurable()
    this.#value(1)
    this.#value(1)
    const kind = this.#byte() === tag.int ? this.#number() >>> 1 : -1
    const largest = { jsonBytes: 0, values: 0 }
    let jsonBytes = 2 + Math.max(0, count - 4)
    const before = this.#values
    for (let i = 3; i < count; i += 1) {
      const valuesBefore = this.#values
      const element = shownInList(this.#value(2))
      jsonBytes += element
      largest.jsonBytes = Math.max(largest.jsonBytes, element)
      largest.values = Math.max(largest.values, this.#values - valuesBefore)
    }
    return { kind, outputs: { jsonBytes, values: this.#values - before }, largest, keyBytes: this.#keyBytes }
  }

  #arrayLength(): number {
    if (this.#byte() !== tag.array) throw new Unmeasurable()
    return this.#count()
  }

  /** Measures a value. Returns its length as JSON text; -1 where JSON omits it. */
  #value(depth: number): number {
    this.#values += 1
    switch (this.#byte()) {
      case tag.string:
        return this.#string()
      case tag.null:
        return 4
      case tag.undefined:
        return -1
      case tag.false:
        return 5
      case tag.true:
        return 4
      case tag.int: {
        const zigzag = this.#number()
        return jsonNumberLength((zigzag >>> 1) ^ -(zigzag & 1))
      }
      case tag.float:
        return jsonNumberLength(this.#float())
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
        return this.#arrayBuffer().jsonBytes
      case tag.reference: {
        const known = this.#referred()
        this.#values += known.values
        return known.jsonBytes
      }
      default:
        throw new Unmeasurable()
    }
  }

  #object(depth: number): number {
    const place = this.#open(depth)
    const before = this.#values
    let jsonBytes = 1
    for (let left = this.#count(); left > 0; left -= 1) {
      const key = this.#number()
      const keyBytes = key & 1 ? jsonNumberLength(key >>> 1) + 2 : this.#keys[(key >>> 1) - 1]
      if (keyBytes === undefined) throw new Unmeasurable()
      const member = this.#value(depth + 1)
      if (member !== -1) jsonBytes += keyBytes + 2 + member
    }
    return this.#close(place, Math.max(2, jsonBytes), this.#values - before)
  }

  #array(depth: number): number {
    const place = this.#open(depth)
    const before = this.#values
    const count = this.#count()
    let jsonBytes = 2 + Math.max(0, count - 1)
    for (let i = 0; i < count; i += 1) jsonBytes += shownInList(this.#value(depth + 1))
    return this.#close(place, jsonBytes, this.#values - before)
  }

  #date(): number {
    const place = this.#open()
    const kind = this.#bytes[this.#at]
    if (kind !== tag.int && kind !== tag.float && kind !== tag.null) throw new Unmeasurable()
    let ms = Number.NaN
    if (kind === tag.float) {
      this.#at += 1
      this.#values += 1
      ms = this.#float()
    } else if (kind === tag.int) {
      this.#at += 1
      this.#values += 1
      const zigzag = this.#number()
      ms = (zigzag >>> 1) ^ -(zigzag & 1)
    } else this.#value(0)
    const isDate = Math.abs(ms) <= maxDateMs
    const isShort = ms >= year0Ms && ms < year10000Ms
    return this.#close(place, isDate ? (isShort ? dateJsonBytes : longDateJsonBytes) : 4, 0)
  }

  #boxed(): number {
    const place = this.#open()
    const kind = this.#bytes[this.#at] ?? 0
    if (kind === tag.undefined || kind > tag.string) throw new Unmeasurable()
    return this.#close(place, this.#value(0), 0)
  }

  #typedArray(): number {
    const place = this.#open()
    const kind = this.#byte()
    const count = this.#number()
    const offset = this.#number()
    const { start, end } = this.#byte() === tag.reference ? this.#referred() : this.#ownBuffer()
    if (start === undefined || end === undefined) throw new Unmeasurable()
    this.#values += count
    const looked = Math.min(count, this.#elementsLeft)
    this.#elementsLeft -= looked
    const elements = typedArrayElements(this.#view, kind, start + offset, looked, end)
    if (elements === undefined || (elements === 'bigint' && count > 0)) throw new Unmeasurable()
    let jsonBytes = 1 + (count - looked) * propertyJsonBytes
    for (let i = 0; i < elements.length; i += 1)
      jsonBytes += jsonNumberLength(i) + 4 + jsonNumberLength(Number(elements[i]))
    return this.#close(place, Math.max(2, jsonBytes), count)
  }

  #ownBuffer(): Known {
    this.#at -= 1
    if (this.#byte() !== tag.arrayBuffer) throw new Unmeasurable()
    return this.#arrayBuffer()
  }

  #arrayBuffer(): Known {
    const place = this.#open()
    const length = this.#number()
    this.#number()
    const start = this.#at
    this.#skip(length)
    // JSON contains none of its bytes, so it counts as `{}`.
    const known = { jsonBytes: 2, values: 0, start, end: this.#at }
    this.#objects[place] = known
    return known
  }

  #open(depth = 0): number {
    if (depth > depthMax) throw new Unmeasurable()
    return this.#objects.push(undefined) - 1
  }

  #close(place: number, jsonBytes: number, values: number): number {
    this.#objects[place] = { jsonBytes, values }
    return jsonBytes
  }

  #referred(): Known {
    const known = this.#objects[this.#number()]
    if (known === undefined) throw new Unmeasurable()
    return known
  }

  #string(): number {
    const head = this.#number()
    const start = this.#at
    this.#skip(head & 1 ? (head >>> 1) * 2 : head >>> 1)
    return 2 + (head & 1 ? wideJsonBytes : latin1JsonBytes)(this.#bytes, start, this.#at)
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
  #count(): number {
    const count = this.#number()
    if (count > this.#bytes.length - this.#at) throw new Unmeasurable()
    return count
  }

  /** Reads a LEB128 number; see the same function in decoder.ts for why there are two. */
  #number(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const next = this.#byte()
      value |= (next & 127) << shift
      if (next < 128) break
    }
    return value >>> 0
  }

  #skip(bytes: number): void {
    if (bytes > this.#bytes.length - this.#at) throw new Unmeasurable()
    this.#at += bytes
  }
}

/** Encodes a string whose length takes one byte. */
const shortString = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.of(tag.string, text.length << 1, ...bytesOf(text, 'latin1'))

const nothing = new Uint8Array(0)
const shownInList = (jsonBytes: number): number => (jsonBytes === -1 ? 4 : jsonBytes)
