import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten'
import type { Decoded, DecodeLimits } from './decoder.ts'
import type { DocumentMeter } from './document-meter.ts'
import type { EncodeError } from './encoder.ts'

/** Writes JSON values as documents, one after the other; see Encoder. */
export interface DocumentEncoder {
  readonly length: number
  readonly listBytes: number
  append(value: unknown): void
  beginList(): void
  element(value: unknown): EncodeError | undefined
  endList(): void
  take(): Uint8Array<ArrayBuffer>
}

/** Reads documents that a guest wrote; see Decoder. */
export interface DocumentDecoder {
  decode(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): Decoded
  decodeList(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: DecodeLimits,
    take: (element: unknown, chars: number) => void,
  ): { readonly isApart: boolean; readonly refused?: string }
  /** Reads a list bit by bit, so that a long one does not hold the thread. It stays readable whatever else is read meanwhile. */
  openList(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): ListReader
  release(): void
}

/** Reads the elements of a list; the limits are for each of them. */
export interface ListReader {
  /** The next element; undefined at the end, or when one was refused. */
  next(): { readonly value: unknown } | undefined
  /** Why the list, or an element of it, was refused. */
  readonly refused: string | undefined
}

/**
 * How documents get into one guest and out of it. With `frees` false, what that took in the guest stays allocated: right
 * where the whole memory is put back soon, which costs less than freeing.
 */
export interface GuestCrossing {
  toGuest(bytes: Uint8Array, frees: boolean): QuickJSHandle
  /** Undefined when the value holds something that cannot cross as it is. */
  fromGuest(value: QuickJSHandle, frees: boolean): Uint8Array<ArrayBuffer> | undefined
}

/** A way for JSON values to get from the host to guests and back: as bytes that mean the same in every thread. */
export interface Crossing {
  readonly name: 'binary' | 'text'
  createEncoder(): DocumentEncoder
  createDecoder(): DocumentDecoder
  createMeter(): DocumentMeter
  /** Must be called before any user code runs in the context. */
  link(context: QuickJSContext): GuestCrossing
}
