import type { GuestWords } from './guest-words.ts'

/** Offsets in an object and in its shape, which lists its keys, and of each of their entries. */
const objectLayout = { shape: 20, properties: 24 } as const
const shapeLayout = { count: 32, entries: 48 } as const
const entryBytes = 8
const keyOffset = 4
/** Bits of the first word of an entry of a shape that say what kind of property it is. The others link entries. */
const kindBits = 0xfc00_0000
/** Most properties of an object that is watched. */
const propertiesMax = 64

/**
 * Notices when a property of one of the engine's own objects is not what it was. Compares the key, the kind and the
 * value of each watched property, so also an object that was taken apart and built again is noticed.
 */
export class PropertyWatch {
  /** Indexes of words, and the values they had. */
  readonly #words: Uint32Array
  readonly #wordsBefore: Uint32Array
  /** The same of pairs of words: comparing them at once takes a third less time. */
  readonly #pairs: Uint32Array
  readonly #pairsBefore: Float64Array

  private constructor({ u32, f64 }: GuestWords, object: number, places: readonly number[]) {
    const at = object >>> 2
    const shape = u32[at + objectLayout.shape / 4] ?? 0
    const properties = u32[at + objectLayout.properties / 4] ?? 0
    // Two words of the shape say what kind of property it is and which key it has, two of the object have its value.
    const firsts = places.flatMap((place) => [
      (shape + shapeLayout.entries + place * entryBytes) >>> 2,
      (properties + place * entryBytes) >>> 2,
    ])
    const isPair = (first: number): boolean => first % 2 === 0 && isExact(f64[first / 2])
    const pairs = firsts.filter(isPair)
    const singles = firsts.filter((first) => !isPair(first)).flatMap((first) => [first, first + 1])
    this.#words = Uint32Array.from([at + objectLayout.shape / 4, at + objectLayout.properties / 4, ...singles])
    this.#wordsBefore = this.#words.map((index) => u32[index] ?? 0)
    this.#pairs = Uint32Array.from(pairs, (first) => first / 2)
    this.#pairsBefore = Float64Array.from(this.#pairs, (index) => f64[index] ?? 0)
  }

  /**
   * Watches the properties of an object that have these values: functions, or getters. @returns undefined when the
   * object does not have them where it should.
   */
  static of(words: GuestWords, object: number, values: readonly number[]): PropertyWatch | undefined {
    const shape = words.word(object + objectLayout.shape) ?? 0
    const properties = words.word(object + objectLayout.properties) ?? 0
    const count = words.word(shape + shapeLayout.count) ?? 0
    if (shape === 0 || properties === 0 || count > propertiesMax) return undefined
    const places = values.map((value) => {
      for (let place = 0; place < count; place += 1)
        if (words.word(properties + place * entryBytes) === value) return place
      return -1
    })
    return places.includes(-1) ? undefined : new PropertyWatch(words, object, places)
  }

  /**
   * Whether the object `sample` has one property, with the key and the kind of the property of `object` that has this
   * value. Checks that keys and kinds are where they should be.
   */
  static isLike(words: GuestWords, sample: number, object: number, value: number): boolean {
    const one = words.word(sample + objectLayout.shape) ?? 0
    const shape = words.word(object + objectLayout.shape) ?? 0
    const properties = words.word(object + objectLayout.properties) ?? 0
    if (words.word(one + shapeLayout.count) !== 1) return false
    for (let place = 0; place < propertiesMax; place += 1) {
      if (words.word(properties + place * entryBytes) !== value) continue
      const [first, other] = [one + shapeLayout.entries, shape + shapeLayout.entries + place * entryBytes]
      const isSameKind = (((words.word(first) ?? 0) ^ (words.word(other) ?? 0)) & kindBits) === 0
      return isSameKind && words.word(first + keyOffset) === words.word(other + keyOffset)
    }
    return false
  }

  /** Whether all watched properties are as they were. */
  isUnchanged({ u32, f64 }: GuestWords): boolean {
    // Loops over indexes, because each search of a text comes here.
    const words = this.#words
    const wordsBefore = this.#wordsBefore
    for (let i = 0; i < words.length; i += 1) if (u32[words[i] as number] !== wordsBefore[i]) return false
    const pairs = this.#pairs
    const pairsBefore = this.#pairsBefore
    for (let i = 0; i < pairs.length; i += 1) if (f64[pairs[i] as number] !== pairsBefore[i]) return false
    return true
  }
}

/** Whether only the same bits equal this number. */
const isExact = (number: number | undefined): boolean => number !== undefined && number !== 0 && !Number.isNaN(number)
