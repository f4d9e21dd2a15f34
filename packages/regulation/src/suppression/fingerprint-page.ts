/** Spare room for new entries, as a share of the present ones. More would cost memory but save time. */
const growth = 1 / 8
const growthMin = 4
/** Depth and number of entries. */
const headerBytes = 5
const entryBytes = 5

/**
 * A sorted list of 40-bit entries: 32 bits of tail, by which it is sorted, and 8 bits of `low`. Duplicates are kept.
 * Tails are evenly distributed, so interpolation search finds an entry within one or two cache lines.
 */
export class FingerprintPage {
  /** Number of upper bits of `low` that all entries share. */
  readonly depth: number
  #tails = new Uint32Array(0)
  #lows = new Uint8Array(0)
  #size = 0

  constructor(depth: number) {
    this.depth = depth
  }

  get size(): number {
    return this.#size
  }

  get allocatedBytes(): number {
    return this.#tails.byteLength + this.#lows.byteLength
  }

  get tails(): Uint32Array {
    return this.#tails.subarray(0, this.#size)
  }

  has(low: number, tail: number): boolean {
    return this.#find(low, tail) >= 0
  }

  add(low: number, tail: number): void {
    const size = this.#size
    if (size === this.#tails.length) this.#resize(size + Math.max(growthMin, Math.ceil(size * growth)))
    const at = this.#placeOf(tail)
    this.#tails.copyWithin(at + 1, at, size)
    this.#lows.copyWithin(at + 1, at, size)
    this.#tails[at] = tail
    this.#lows[at] = low
    this.#size = size + 1
  }

  remove(low: number, tail: number): boolean {
    const at = this.#find(low, tail)
    if (at < 0) return false
    this.#tails.copyWithin(at, at + 1, this.#size)
    this.#lows.copyWithin(at, at + 1, this.#size)
    this.#size -= 1
    return true
  }

  /** Splits the page by this bit of `low` into two pages that are one level deeper. */
  split(bit: number): readonly [FingerprintPage, FingerprintPage] {
    const halves = [new FingerprintPage(this.depth + 1), new FingerprintPage(this.depth + 1)] as const
    for (const half of halves) half.#resize(Math.ceil((this.#size * 5) / 8))
    for (let i = 0; i < this.#size; i += 1) {
      const half = halves[((this.#lows[i] ?? 0) >>> bit) & 1 ? 1 : 0]
      if (half.#size === half.#tails.length) half.#resize(this.#size)
      half.#tails[half.#size] = this.#tails[i] ?? 0
      half.#lows[half.#size] = this.#lows[i] ?? 0
      half.#size += 1
    }
    return halves
  }

  get byteLength(): number {
    return headerBytes + this.#size * entryBytes
  }

  /** Numbers are little-endian. */
  write(bytes: Uint8Array, start: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset + start)
    view.setUint8(0, this.depth)
    view.setUint32(1, this.#size, true)
    for (let i = 0; i < this.#size; i += 1) view.setUint32(headerBytes + i * 4, this.#tails[i] ?? 0, true)
    bytes.set(this.#lows.subarray(0, this.#size), start + headerBytes + this.#size * 4)
  }

  /** Reads a page; undefined when the bytes at this place are not a page. */
  static read(bytes: Uint8Array, start: number): FingerprintPage | undefined {
    if (start + headerBytes > bytes.length) return undefined
    const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start)
    const page = new FingerprintPage(view.getUint8(0))
    const size = view.getUint32(1, true)
    if (start + headerBytes + size * entryBytes > bytes.length) return undefined
    page.#resize(size)
    for (let i = 0; i < size; i += 1) page.#tails[i] = view.getUint32(headerBytes + i * 4, true)
    const lowsStart = start + headerBytes + size * 4
    page.#lows.set(bytes.subarray(lowsStart, lowsStart + size))
    page.#size = size
    return page
  }

  #resize(length: number): void {
    const tails = new Uint32Array(length)
    const lows = new Uint8Array(length)
    tails.set(this.#tails.subarray(0, this.#size))
    lows.set(this.#lows.subarray(0, this.#size))
    this.#tails = tails
    this.#lows = lows
  }

  #find(low: number, tail: number): number {
    for (let at = this.#placeOf(tail); at < this.#size && this.#tails[at] === tail; at += 1)
      if (this.#lows[at] === low) return at
    return -1
  }

  /** Returns the index of the first tail that is not less than `tail`. */
  #placeOf(tail: number): number {
    const tails = this.#tails
    const size = this.#size
    let at = Math.floor((tail / 2 ** 32) * size)
    // The guess is far off only when tails are unevenly distributed.
    let step = 8
    while (at > 0 && (tails[at - 1] ?? 0) >= tail) {
      at = Math.max(0, at - step)
      step *= 2
    }
    let low = at
    step = 8
    let high = Math.min(size, at + step)
    while (high < size && (tails[high - 1] ?? 0) < tail) {
      low = high
      step *= 2
      high = Math.min(size, high + step)
    }
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((tails[middle] ?? 0) < tail) low = middle + 1
      else high = middle
    }
    return low
  }
}
