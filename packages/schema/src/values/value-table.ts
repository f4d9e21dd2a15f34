import type { CountedValue } from '../shapes/counted-value.ts'
import { textHash, valueHash } from './value-hash.ts'

/** Numbers and values of an entry: value, seen, missed. */
const entryLength = 3
/** Entries that are looked through one by one. Most keys have so few values. */
const scannedMax = 8 * entryLength
/** At most half of the slots of the index are used, so that few are looked at. */
const slotsPerEntry = 2
const firstSlots = 32
/** A slot has 16 bits of the hash, and 16 for the number of the entry. */
const slotsMax = 65_536
/** Slots that are looked at for one value: in half a table of good hashes there are never so many. */
const probesMax = 64

/**
 * Values with two counts each, in the order in which they were added, as a `Map` from value to counts: `1` and `'1'` are two
 * values. Takes less time than one when it is emptied and filled again and again, as the counters of identifiers are.
 *
 * Entries lie side by side. A few are looked through; more have an index of open addressing over their hashes. Growing
 * moves the index of this table alone, whose entries are those of one counter: usually a thousand. Where values of the
 * same hash crowd, whether by chance or because somebody makes them up, a `Map` takes the place of the index: the engine
 * gives its hashes a seed of the process.
 */
export class ValueTable {
  /** Value, seen and missed of each entry. */
  #entries: (CountedValue | number)[] = []
  /** By the lowest bits of the hash: 16 of these, then one more than the number of the entry; 0 where a slot is free. */
  #index: Int32Array | undefined
  /** In place of the index. */
  #places: Map<CountedValue, number> | undefined
  /** Of the value that was looked up last with the index, in the upper 16 bits. */
  #hash = 0
  /** Where a value was found last without an index: many keys have the same value time after time. */
  #last = 0

  get size(): number {
    return this.#entries.length / entryLength
  }

  /** Returns the place of a value, until values are removed; -1 when it is not held. */
  find(value: CountedValue): number {
    if (this.#places !== undefined) return this.#places.get(value) ?? -1
    const index = this.#index
    // Texts have code of their own, because comparing them as such is faster than comparing anything.
    if (typeof value === 'string') return index === undefined ? this.#scanTexts(value) : this.#probeTexts(index, value)
    return index === undefined ? this.#scan(value) : this.#probe(index, value)
  }

  /** Adds a value for which the last `find` returned -1. */
  add(value: CountedValue, seen: number, missed: number): void {
    const place = this.#entries.length
    // Many keys have one value only, and an array that grows has room for five more.
    if (place === 0) this.#entries = [value, seen, missed]
    else this.#entries.push(value, seen, missed)
    if (this.#places !== undefined) this.#places.set(value, place)
    else if (place >= scannedMax) this.#addToIndex(place)
  }

  value(place: number): CountedValue {
    return this.#entries[place] as CountedValue
  }

  seen(place: number): number {
    return this.#entries[place + 1] as number
  }

  missed(place: number): number {
    return this.#entries[place + 2] as number
  }

  /** Adds to the counts of an entry. */
  count(place: number, seen: number, missed = 0): void {
    const entries = this.#entries as number[]
    entries[place + 1] = this.seen(place) + seen
    if (missed > 0) entries[place + 2] = this.missed(place) + missed
  }

  /** The places of all entries, in order. */
  *places(): Iterable<number> {
    for (let place = 0; place < this.#entries.length; place += entryLength) yield place
  }

  /** Removes the entries at whose places `isKept` returns false. Others may get new places. */
  retain(isKept: (place: number) => boolean): void {
    const kept: (CountedValue | number)[] = []
    for (let place = 0; place < this.#entries.length; place += entryLength)
      if (isKept(place)) kept.push(this.value(place), this.seen(place), this.missed(place))
    if (kept.length === this.#entries.length) return
    this.#entries = kept
    this.#index = undefined
    this.#last = 0
    if (this.#places !== undefined) this.#mapPlaces()
    else if (kept.length > scannedMax) this.#buildIndex()
  }

  clear(): void {
    this.#entries = []
    this.#index = undefined
    this.#places = undefined
    this.#last = 0
  }

  #scanTexts(text: string): number {
    const entries = this.#entries
    if (entries[this.#last] === text) return this.#last
    for (let place = 0; place < entries.length; place += entryLength)
      if (entries[place] === text) {
        this.#last = place
        return place
      }
    return -1
  }

  #scan(value: CountedValue): number {
    for (let place = 0; place < this.#entries.length; place += entryLength)
      if (isSame(this.value(place), value)) return place
    return -1
  }

  #probeTexts(index: Int32Array, text: string): number {
    const entries = this.#entries
    const hash = textHash(text) << 16
    this.#hash = hash
    const last = index.length - 1
    for (let probes = 0, slot = hash >>> 16; probes < probesMax; probes += 1, slot += 1) {
      const found = index[slot & last] as number
      if (found === 0) return -1
      const place = placeIn(found)
      if ((found ^ hash) >>> 16 === 0 && entries[place] === text) return place
    }
    return this.#mapPlaces().get(text) ?? -1
  }

  #probe(index: Int32Array, value: CountedValue): number {
    const hash = valueHash(value) << 16
    this.#hash = hash
    const last = index.length - 1
    for (let probes = 0, slot = hash >>> 16; probes < probesMax; probes += 1, slot += 1) {
      const found = index[slot & last] as number
      if (found === 0) return -1
      const place = placeIn(found)
      if ((found ^ hash) >>> 16 === 0 && isSame(this.value(place), value)) return place
    }
    return this.#mapPlaces().get(value) ?? -1
  }

  #addToIndex(place: number): void {
    if (this.#index === undefined) {
      this.#buildIndex()
      return
    }
    const isFull = this.size * slotsPerEntry > this.#index.length
    const index = isFull ? grown(this.#index) : this.#index
    this.#index = index
    if (index === undefined || !addTo(index, slotOf(this.#hash, place))) this.#mapPlaces()
  }

  #buildIndex(): void {
    let slots = firstSlots
    while (slots < this.size * slotsPerEntry) slots *= 2
    const index = slots > slotsMax ? undefined : new Int32Array(slots)
    this.#index = index
    for (let place = 0; place < this.#entries.length; place += entryLength)
      if (index === undefined || !addTo(index, slotOf(valueHash(this.value(place)) << 16, place))) {
        this.#mapPlaces()
        return
      }
  }

  #mapPlaces(): Map<CountedValue, number> {
    const places = new Map<CountedValue, number>()
    for (const place of this.places()) places.set(this.value(place), place)
    this.#index = undefined
    this.#places = places
    return places
  }
}

/** What a slot has: the upper 16 bits of `hash`, and one more than the number of the entry. */
const slotOf = (hash: number, place: number): number => hash | (place / entryLength + 1)

const placeIn = (slot: number): number => ((slot & 0xffff) - 1) * entryLength

/** Returns an index of twice the slots, without hashing again; undefined when there are too many entries, or they crowd. */
function grown(index: Int32Array): Int32Array | undefined {
  if (index.length === slotsMax) return undefined
  const larger = new Int32Array(2 * index.length)
  for (const slot of index) if (slot !== 0 && !addTo(larger, slot)) return undefined
  return larger
}

/** Returns false when too many slots are taken where the hash belongs. */
function addTo(index: Int32Array, added: number): boolean {
  const last = index.length - 1
  for (let probes = 0, slot = added >>> 16; probes < probesMax; probes += 1, slot += 1)
    if (index[slot & last] === 0) {
      index[slot & last] = added
      return true
    }
  return false
}

/** Equal for a `Map`: NaN is NaN. */
const isSame = (a: CountedValue, b: CountedValue): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))
