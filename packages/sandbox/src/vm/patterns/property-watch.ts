import type { GuestWords } from './guest-words.ts'

/** Offsets in an object and in its shape, which lists its keys, and of each of their entries. */
const objectLayout = { shape: 20, properties: 24 } as const
const shapeLayout = { count: 32, entries: 48 } as const
const entryBytes = 8
/** Bits of the first word of an entry of a shape that say what kind of property it is. The others link entries. */
const kindBits = 0xfc00_0000
/** Most properties of an object that is watched. */
const propertiesMax = 64

/**
 * Notices when a property of one of the engine's own objects is not what it was. Compares the key, the kind and the
 * value of each watched property, so also an object that was taken apart and built again is noticed.
 */
export class PropertyWatch {
  readonly #object: number
  readonly #shape: number
  readonly #properties: number
  /** Indexes of words, and the values they had. */
  readonly #kinds: Uint32Array
  readonly #kindsBefore: Uint32Array
  readonly #places: Uint32Array
  readonly #before: Uint32Array

  private constructor(words: GuestWords, object: number, places: readonly number[]) {
    const at = object >>> 2
    this.#object = at
    this.#shape = words.u32[at + objectLayout.shape / 4] ?? 0
    this.#properties = words.u32[at + objectLayout.properties / 4] ?? 0
    const entry = (place: number): number => (this.#shape + shapeLayout.entries + place * entryBytes) >>> 2
    const slot = (place: number): number => (this.#properties + place * entryBytes) >>> 2
    this.#kinds = Uint32Array.from(places, entry)
    this.#kindsBefore = this.#kinds.map((index) => (words.u32[index] ?? 0) & kindBits)
    this.#places = Uint32Array.from(places.flatMap((place) => [entry(place) + 1, slot(place), slot(place) + 1]))
    this.#before = this.#places.map((index) => words.u32[index] ?? 0)
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

  /** Whether all watched properties are as they were. */
  isUnchanged({ u32 }: GuestWords): boolean {
    if (u32[this.#object + objectLayout.shape / 4] !== this.#shape) return false
    if (u32[this.#object + objectLayout.properties / 4] !== this.#properties) return false
    const places = this.#places
    const before = this.#before
    // Loops over indexes, because each search of a text comes here.
    for (let i = 0; i < places.length; i += 1) if (u32[places[i] as number] !== before[i]) return false
    const kinds = this.#kinds
    const kindsBefore = this.#kindsBefore
    for (let i = 0; i < kinds.length; i += 1)
      if (((u32[kinds[i] as number] as number) & kindBits) >>> 0 !== kindsBefore[i]) return false
    return true
  }
}
