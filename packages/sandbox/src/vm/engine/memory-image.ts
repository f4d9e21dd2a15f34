import { areSame } from '@sluice/core/bytes'
import type { Engine } from './engine.ts'
import { imagePageBytes } from './engine-layout.ts'

interface Copy {
  readonly at: number
  readonly bytes: Uint8Array
  /** Whether the image owns the bytes; false when they belong to its base image. */
  readonly isOwn: boolean
}

interface Range {
  readonly start: number
  readonly end: number
}

/**
 * The engine's stack is cleared in stretches of this size. The next stretch is checked only if this one was not clean.
 */
const stackStretchBytes = 16 * 1024
/** Longest run of zero bytes that is copied instead of splitting the piece around it. */
const joinedZeroBytes = 8 * imagePageBytes
const clean = new Uint8Array(stackStretchBytes)

/**
 * The memory of an engine from 0 to the end of its heap, at a moment when no code ran in it.
 *
 * All-zero pages are part of the image: such a page may belong to a live object, and must be zero again after a
 * restore. Only the engine's stack is excluded, because it has no live data between two calls. An image can be restored
 * only into the instance it was taken from. The host may use handles that it got from the instance before the image was
 * taken; after a restore it must not use or dispose later ones.
 *
 * An image that has a base stores only the pages that differ from it, so one instance can have many images.
 */
export class MemoryImage {
  readonly #copies: readonly Copy[]
  readonly #zeros: readonly Range[]
  /** End of the pages in the image. */
  readonly end: number
  /** Bytes of host memory that it uses, without its base. */
  readonly byteLength: number
  /** Bytes that a restore copies. */
  readonly copiedBytes: number

  private constructor(copies: readonly Copy[], zeros: readonly Range[], end: number) {
    this.#copies = copies
    this.#zeros = zeros
    this.end = end
    this.byteLength = copies.reduce((sum, { bytes, isOwn }) => sum + (isOwn ? bytes.length : 0), 0)
    this.copiedBytes = copies.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /** Returns the same image with as few pieces as possible. It takes more memory and is restored faster. */
  joined(): MemoryImage {
    const short = this.#zeros.filter(({ start, end }) => end - start <= joinedZeroBytes)
    const ranges = [...short, ...this.#copies.map(({ at, bytes }) => ({ start: at, end: at + bytes.length }))]
    const runs: Range[] = []
    for (const { start, end } of ranges.sort((a, b) => a.start - b.start)) {
      const last = runs.at(-1)
      if (last?.end === start) runs[runs.length - 1] = { start: last.start, end }
      else runs.push({ start, end })
    }
    const copies = runs.map(({ start, end }) => {
      const bytes = new Uint8Array(end - start)
      for (const copy of this.shared({ start, end })) bytes.set(copy.bytes, copy.at - start)
      return { at: start, bytes, isOwn: true }
    })
    return new MemoryImage(
      copies,
      this.#zeros.filter((range) => !short.includes(range)),
      this.end,
    )
  }

  /** Takes an image of `engine`. No call may be in progress in it, and no job pending. */
  static take(engine: Engine, base?: MemoryImage): MemoryImage {
    const memory = engine.bytes()
    const end = pagesUp(engine.heapEnd())
    const own: Range[] = []
    const ofBase: Range[] = []
    const zeros: Range[] = []
    for (const at of pages(engine.layout, end)) {
      const page = memory.subarray(at, at + imagePageBytes)
      if (isZero(page)) extend(zeros, at)
      else if (base?.holds(at, page)) extend(ofBase, at)
      else extend(own, at)
    }
    const copies = [
      ...own.map(({ start, end }) => ({ at: start, bytes: memory.slice(start, end), isOwn: true })),
      ...ofBase.flatMap((range) => base?.shared(range) ?? []),
    ]
    return new MemoryImage(copies, zeros, end)
  }

  /** Returns whether the image has exactly these bytes in the page at `at`. False for a page of zeros. */
  holds(at: number, page: Uint8Array): boolean {
    const copy = this.#copies.find((one) => one.at <= at && at < one.at + one.bytes.length)
    if (copy === undefined) return false
    return areSame(page, 0, copy.bytes, at - copy.at, imagePageBytes)
  }

  /** Returns the pieces in a range of whole pages, for an image that has this one as its base. */
  shared({ start, end }: Range): readonly Copy[] {
    return this.#copies.flatMap(({ at, bytes }) => {
      const from = Math.max(start, at)
      const to = Math.min(end, at + bytes.length)
      return from < to ? [{ at: from, bytes: bytes.subarray(from - at, to - at), isOwn: false }] : []
    })
  }

  /**
   * Restores the memory of `engine`. Nothing written since the image was taken remains, neither in memory that was
   * added since nor on the engine's stack.
   * @returns false when the memory is not in a state that a sound engine could have left; the instance must be
   * discarded.
   */
  restore(engine: Engine): boolean {
    const memory = engine.bytes()
    const heapEnd = engine.heapEnd()
    if (heapEnd % 16 !== 0 || heapEnd < engine.layout.stackEnd || heapEnd > memory.length) return false
    for (const { start, end } of this.#zeros) memory.fill(0, start, end)
    for (const { at, bytes } of this.#copies) memory.set(bytes, at)
    if (heapEnd > this.end) memory.fill(0, this.end, pagesUp(heapEnd))
    wipeStack(memory, engine.layout)
    return true
  }
}

function pages({ stackStart, stackEnd }: Engine['layout'], end: number): readonly number[] {
  const starts: number[] = []
  for (let at = 0; at < end; at += imagePageBytes) if (at < stackStart || at >= stackEnd) starts.push(at)
  return starts
}

function wipeStack(memory: Uint8Array, { stackStart, stackEnd }: Engine['layout']): void {
  for (let end = stackEnd; end > stackStart; end -= stackStretchBytes) {
    const start = Math.max(stackStart, end - stackStretchBytes)
    if (end < stackEnd && areSame(clean, 0, memory, start, end - start)) return
    memory.fill(0, start, end)
  }
}

function extend(ranges: Range[], at: number): void {
  const last = ranges.at(-1)
  if (last?.end === at) ranges[ranges.length - 1] = { start: last.start, end: at + imagePageBytes }
  else ranges.push({ start: at, end: at + imagePageBytes })
}

const zeroPage = new Uint8Array(imagePageBytes)
const isZero = (page: Uint8Array): boolean => areSame(zeroPage, 0, page, 0, imagePageBytes)
const pagesUp = (address: number): number => Math.ceil(address / imagePageBytes) * imagePageBytes
