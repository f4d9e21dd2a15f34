import { FingerprintPage } from './fingerprint-page.ts'

/** Page size at which a page is split. It limits how many entries an insertion moves. */
const pageEntries = 2_048
/** Fewest filter bits per entry. Below this, the filter is rebuilt at twice the size. */
const filterBits = 8
/** Number of bits by which pages can differ. */
const depthMax = 8

/**
 * A part of a fingerprint set, as extendible hashing: a directory of pages, where a full page is split in two by the
 * next bit of `low`. A filter with a bit per value of a tail's upper bits rejects nine of ten unsuccessful searches
 * with a single memory access.
 */
export class FingerprintSegment {
  #depth = 0
  /** `#pages[p]` holds all entries whose upper `#depth` bits of `low` are p. Neighbouring places may share a page. */
  #pages: FingerprintPage[] = [new FingerprintPage(0)]
  #size = 0
  #filter = new Uint32Array(1)
  /** Shifts a tail right to its position in the filter. */
  #filterShift = 27

  get size(): number {
    return this.#size
  }

  get allocatedBytes(): number {
    return [...new Set(this.#pages)].reduce((sum, page) => sum + page.allocatedBytes, this.#filter.byteLength)
  }

  has(low: number, tail: number): boolean {
    const bit = tail >>> this.#filterShift
    return ((this.#filter[bit >>> 5] ?? 0) >>> (bit & 31)) & 1 ? this.#page(low).has(low, tail) : false
  }

  add(low: number, tail: number): void {
    this.#size += 1
    let page = this.#page(low)
    while (page.size >= pageEntries && page.depth < depthMax) {
      this.#split(page)
      page = this.#page(low)
    }
    page.add(low, tail)
    if (this.#size * filterBits > this.#filter.length * 32) this.#makeFilter()
    else this.#mark(tail)
  }

  remove(low: number, tail: number): boolean {
    if (!this.#page(low).remove(low, tail)) return false
    this.#size -= 1
    return true
  }

  /** Writes the depth, then for each page its depth, its number of entries, and the entries. */
  write(): Uint8Array<ArrayBuffer> {
    const pages = [...new Set(this.#pages)]
    const bytes = new Uint8Array(1 + pages.reduce((sum, page) => sum + page.byteLength, 0))
    bytes[0] = this.#depth
    let at = 1
    for (const page of pages) {
      page.write(bytes, at)
      at += page.byteLength
    }
    return bytes
  }

  /** Reads a segment; undefined when the bytes were not produced by `write`. */
  static read(bytes: Uint8Array): FingerprintSegment | undefined {
    const segment = new FingerprintSegment()
    segment.#depth = bytes[0] ?? depthMax + 1
    if (segment.#depth > depthMax) return undefined
    segment.#pages = []
    let at = 1
    const places = 2 ** segment.#depth
    while (segment.#pages.length < places) {
      const page = FingerprintPage.read(bytes, at)
      if (page === undefined || page.depth > segment.#depth) return undefined
      at += page.byteLength
      segment.#size += page.size
      for (let i = 0; i < 2 ** (segment.#depth - page.depth); i += 1) segment.#pages.push(page)
    }
    segment.#makeFilter()
    return at === bytes.length && segment.#pages.length === places ? segment : undefined
  }

  #page(low: number): FingerprintPage {
    const page = this.#pages[low >>> (depthMax - this.#depth)]
    if (page === undefined) throw new RangeError(`the lower shard bits of a fingerprint are ${low}, must be 8 bits`)
    return page
  }

  #mark(tail: number): void {
    const bit = tail >>> this.#filterShift
    this.#filter[bit >>> 5] = (this.#filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  /**
   * The size is a power of two, so that the upper bits of a tail are its position. Removed entries leave the filter
   * only here.
   */
  #makeFilter(): void {
    const bits = Math.max(5, Math.min(32, Math.ceil(Math.log2(this.#size * filterBits))))
    this.#filterShift = 32 - bits
    this.#filter = new Uint32Array(2 ** (bits - 5))
    for (const page of new Set(this.#pages)) for (const tail of page.tails) this.#mark(tail)
  }

  #split(page: FingerprintPage): void {
    if (page.depth === this.#depth) {
      this.#depth += 1
      this.#pages = this.#pages.flatMap((each) => [each, each])
    }
    const halves = page.split(depthMax - page.depth - 1)
    const first = this.#pages.indexOf(page)
    const each = 2 ** (this.#depth - page.depth - 1)
    halves.forEach((half, i) => {
      this.#pages.fill(half, first + i * each, first + (i + 1) * each)
    })
  }
}
