import type { Engine } from '../engine/engine.ts'

/**
 * Tags of values: what the second word of a value says about the first. A text that was put together from others has
 * another tag than `text` until the engine joins it.
 */
export const tags = { int: 0, undefined: 3, object: -1, text: -7 } as const

/** Offsets in a text: number of references, length and width in one word, characters. */
export const textLayout = { length: 4, data: 16 } as const
/** Set in the word of the length when characters take two bytes. */
const wideBit = 0x8000_0000

/** The memory of an engine as words. What is read there is untrusted: any word may have any value. */
export class GuestWords {
  readonly #engine: Engine
  u8: Uint8Array = new Uint8Array()
  u16: Uint16Array = new Uint16Array()
  i32: Int32Array = new Int32Array()
  u32: Uint32Array = new Uint32Array()
  /** Two words at once. Only for comparing: a number that is not 0 or NaN equals no other words. */
  f64: Float64Array = new Float64Array()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Must be called before words are read: when the memory grew, the old words are gone. */
  renew(): void {
    if (this.u8.length > 0) return
    const { buffer } = this.#engine.bytes()
    this.u8 = new Uint8Array(buffer)
    this.u16 = new Uint16Array(buffer)
    this.i32 = new Int32Array(buffer)
    this.u32 = new Uint32Array(buffer)
    this.f64 = new Float64Array(buffer)
  }

  word(address: number): number | undefined {
    return this.u32[address >>> 2]
  }

  /** Returns the tag of the value at this address. */
  tag(address: number): number | undefined {
    return this.i32[(address >>> 2) + 1]
  }

  /** Returns a text of characters up to U+00FF; undefined when it has others, is longer than `lengthMax` or not there. */
  latinText(address: number, lengthMax: number): string | undefined {
    const length = this.word(address + textLayout.length)
    if (length === undefined || length > lengthMax) return undefined
    const start = address + textLayout.data
    if (start + length > this.u8.length) return undefined
    return String.fromCharCode(...this.u8.subarray(start, start + length))
  }

  /** Returns whether a text has exactly these characters, all up to U+00FF. */
  isText(address: number, text: string): boolean {
    if (this.word(address + textLayout.length) !== text.length) return false
    const start = address + textLayout.data
    for (let i = 0; i < text.length; i += 1) if (this.u8[start + i] !== text.charCodeAt(i)) return false
    return true
  }
}

/** Where the characters of a text are, as indexes of `u16` when it is wide, otherwise of `u8`. */
export const isWide = (lengthWord: number): boolean => (lengthWord & wideBit) !== 0
export const lengthOf = (lengthWord: number): number => lengthWord & ~wideBit
