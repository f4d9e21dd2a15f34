import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { Decoded, DecodeLimits } from './decoder.ts'
import type { DocumentMeter } from './document-meter.ts'
import type { EncodeError } from './encoder.ts'
import type { ListReader } from './list-reader.ts'

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

/** Reads documents written by a guest; see Decoder. */
export interface DocumentDecoder {
  decode(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): Decoded
  decodeList(
    bytes: Uint8Array,
    start: number,
    end: number,
    limits: DecodeLimits,
    take: (element: unknown, chars: number) => void,
  ): { readonly isApart: boolean; readonly refused?: string }
  /**
   * Opens a list to be read in steps, so that a long one does not block the thread. Other documents may be read between
   * the steps.
   */
  openList(bytes: Uint8Array, start: number, end: number, limits: DecodeLimits): ListReader
  release(): void
}

/**
 * Passes documents into and out of one guest. With `frees` false, the memory used in the guest is not freed, which is
 * cheaper when the whole memory will be restored soon.
 */
export interface GuestCrossing {
  toGuest(bytes: Uint8Array, frees: boolean): QuickJSHandle
  /** Returns undefined when the value contains something that must be converted to JSON text in the guest first. */
  fromGuest(value: QuickJSHandle, frees: boolean): Uint8Array<ArrayBuffer> | undefined
}

/**
 * A format in which JSON values cross between the host and guests. A value in this format is called a document; its
 * bytes are valid in every thread.
 */
export interface Crossing {
  readonly name: 'binary' | 'text'
  createEncoder(): DocumentEncoder
  createDecoder(): DocumentDecoder
  createMeter(): DocumentMeter
  /** Must be called before any user code runs in the context. */
  link(context: QuickJSContext): GuestCrossing
}
