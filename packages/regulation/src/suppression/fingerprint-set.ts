import type { Fingerprint } from './fingerprint.ts'
import { FingerprintSegment } from './fingerprint-segment.ts'

/** Number of segments. The first 8 of a fingerprint's 16 shard bits select one. */
export const segmentCount = 256

/**
 * A multiset of fingerprints in about 6 bytes each: 5 for the bits that their position does not imply, the rest for
 * spare room. It grows page by page, so memory never holds a second copy of more than a page.
 */
export class FingerprintSet {
  readonly #segments = Array.from({ length: segmentCount }, () => new FingerprintSegment())
  readonly #changed = new Set<number>()
  #size = 0

  /** Number of fingerprints, duplicates included. */
  get size(): number {
    return this.#size
  }

  /** Allocated bytes, including spare room. */
  get byteLength(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.allocatedBytes, 0)
  }

  has({ shard, tail }: Fingerprint): boolean {
    return this.#segment(shard).has(shard & 255, tail)
  }

  add({ shard, tail }: Fingerprint): void {
    this.#segment(shard).add(shard & 255, tail)
    this.#size += 1
    this.#changed.add(shard >>> 8)
  }

  /** Removes one fingerprint. @returns false when it is not in the set. */
  remove({ shard, tail }: Fingerprint): boolean {
    if (!this.#segment(shard).remove(shard & 255, tail)) return false
    this.#size -= 1
    this.#changed.add(shard >>> 8)
    return true
  }

  /** Numbers of the segments that changed since they were last written or read. */
  get changedSegments(): readonly number[] {
    return [...this.#changed]
  }

  /** Marks a segment as unchanged. */
  markWritten(number: number): void {
    this.#changed.delete(number)
  }

  /** Returns a segment as bytes. */
  writeSegment(number: number): Uint8Array<ArrayBuffer> {
    return this.#segments[number]?.write() ?? new Uint8Array(0)
  }

  /** Replaces a segment by one from `writeSegment`. @returns false, and changes nothing, when the bytes are damaged. */
  readSegment(number: number, bytes: Uint8Array): boolean {
    const segment = FingerprintSegment.read(bytes)
    if (segment === undefined || !(number in this.#segments)) return false
    this.#size += segment.size - (this.#segments[number]?.size ?? 0)
    this.#segments[number] = segment
    this.#changed.delete(number)
    return true
  }

  #segment(shard: number): FingerprintSegment {
    const segment = this.#segments[shard >>> 8]
    if (segment === undefined) throw new RangeError(`a fingerprint's shard is ${shard}, must have 16 bits`)
    return segment
  }
}
