import type { Fingerprint } from './fingerprint.ts'
import { FingerprintSegment } from './fingerprint-segment.ts'

/** The first 8 of a fingerprint's 16 shard bits say which segment it is in. */
export const segmentCount = 256

/**
 * Fingerprints, each as often as it was added, in about 6 bytes each: 5 for what the place in the set does not tell, the
 * rest for room to grow. It grows page by page, so that no second copy of more than a page is ever in memory.
 */
export class FingerprintSet {
  readonly #segments = Array.from({ length: segmentCount }, () => new FingerprintSegment())
  readonly #changed = new Set<number>()
  #size = 0

  /** All that were added and not removed, repeated ones as often. */
  get size(): number {
    return this.#size
  }

  /** What it takes, the room it has to grow included. */
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

  /** Takes one away. @returns false when there is none. */
  remove({ shard, tail }: Fingerprint): boolean {
    if (!this.#segment(shard).remove(shard & 255, tail)) return false
    this.#size -= 1
    this.#changed.add(shard >>> 8)
    return true
  }

  /** Numbers of the segments that changed since they were written or read last. */
  get changedSegments(): readonly number[] {
    return [...this.#changed]
  }

  /** A segment counts as unchanged from now on. */
  markWritten(number: number): void {
    this.#changed.delete(number)
  }

  /** A segment as bytes. */
  writeSegment(number: number): Uint8Array<ArrayBuffer> {
    return this.#segments[number]?.write() ?? new Uint8Array(0)
  }

  /** Puts what `writeSegment` gave in the place of what the segment has. @returns false when it is damaged; nothing happens then. */
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
