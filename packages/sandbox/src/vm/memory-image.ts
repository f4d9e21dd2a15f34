import type { Engine } from './engine.ts'
import { imagePageBytes } from './engine-layout.ts'

interface Copy {
  readonly at: number
  readonly bytes: Uint8Array
  /** False when the bytes belong to the base image. */
  readonly isOwn: boolean
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Wiped of the engine's stack at once; the next such stretch is looked at only when it is not clean. */
const stackStretchBytes = 16 * 1024
/** Zero bytes up to this many in a row are copied rather than split what is around them. */
const joinedZeroBytes = 8 * imagePageBytes
const clean = Buffer.alloc(stackStretchBytes)

/**
 * Everything in an engine's memory from 0 to the end of its heap, at a moment when nothing ran in it.
 *
 * Pages that are all zero are part of it: one may belong to a live object, and would keep what was written into it later.
 * Only the engine's stack is left out, of which nothing is alive between two calls. An image can be put back into the
 * instance it was taken from, and into no other. What the host holds of that instance (handles) must be older than
 * the image, and no handle made later may be used, or disposed, once it was put back.
 *
 * An image over a base holds only the pages that differ, so that one instance can have many.
 */
export class MemoryImage {
  readonly #copies: readonly Copy[]
  readonly #zeros: readonly Range[]
  /** End of the pages it covers. */
  readonly end: number
  /** What it keeps in the memory of the host, beside its base. */
  readonly byteLength: number
  /** What is copied when it is put back. */
  readonly copiedBytes: number

  private constructor(copies: readonly Copy[], zeros: readonly Range[], end: number) {
    this.#copies = copies
    this.#zeros = zeros
    this.end = end
    this.byteLength = copies.reduce((sum, { bytes, isOwn }) => sum + (isOwn ? bytes.length : 0), 0)
    this.copiedBytes = copies.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }

  /**
   * The same image with all it copies in as few pieces as can be, in bytes of its own: it takes more memory, and is put
   * back faster.
   */
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

  /** Records `engine`. No call may be under way in it, and no job pending. */
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

  /** True when the image has exactly these bytes, not all zero, at the page beginning at `at`. */
  holds(at: number, page: Uint8Array): boolean {
    const copy = this.#copies.find((one) => one.at <= at && at < one.at + one.bytes.length)
    if (copy === undefined) return false
    return Buffer.compare(page, copy.bytes.subarray(at - copy.at, at - copy.at + imagePageBytes)) === 0
  }

  /** What it has in a range of whole pages, for an image over it. */
  shared({ start, end }: Range): readonly Copy[] {
    return this.#copies.flatMap(({ at, bytes }) => {
      const from = Math.max(start, at)
      const to = Math.min(end, at + bytes.length)
      return from < to ? [{ at: from, bytes: bytes.subarray(from - at, to - at), isOwn: false }] : []
    })
  }

  /**
   * Makes the memory of `engine` what it was. Nothing written since then is left in it, in grown memory and on the
   * engine's stack neither.
   * @returns false when the memory is not one that a sound engine could have left behind; the instance must go.
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
    if (end < stackEnd && clean.compare(memory, start, end, 0, end - start) === 0) return
    memory.fill(0, start, end)
  }
}

function extend(ranges: Range[], at: number): void {
  const last = ranges.at(-1)
  if (last?.end === at) ranges[ranges.length - 1] = { start: last.start, end: at + imagePageBytes }
  else ranges.push({ start: at, end: at + imagePageBytes })
}

const zeroPage = Buffer.alloc(imagePageBytes)
const isZero = (page: Uint8Array): boolean => zeroPage.compare(page) === 0
const pagesUp = (address: number): number => Math.ceil(address / imagePageBytes) * imagePageBytes
