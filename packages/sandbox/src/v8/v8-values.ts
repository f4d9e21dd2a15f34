import { toTextBuffer } from '#text-buffer'
import { Encoder } from '../crossing/encoder.ts'
import type { GuestValues } from '../vm/host-calls.ts'

/** Arguments and results of host calls: values are their own handles. */
export class V8Values implements GuestValues<unknown> {
  readonly #decode: () => (bytes: Uint8Array) => unknown
  /** Encoders that are not in use. Reading an argument may run code that calls the host again. */
  readonly #idle: Encoder[] = []

  /** @param decode returns the decoder of the present realm. */
  constructor(decode: () => (bytes: Uint8Array) => unknown) {
    this.#decode = decode
  }

  roomBytes(): number {
    return Number.POSITIVE_INFINITY
  }

  textOf(value: unknown): string {
    return String(value)
  }

  toGuest(bytes: Uint8Array): unknown {
    return this.#decode()(toTextBuffer(bytes))
  }

  fromGuest(value: unknown): Uint8Array<ArrayBuffer> | undefined {
    const encoder = this.#idle.pop() ?? new Encoder(argumentBytesMax)
    try {
      encoder.append(value)
      const bytes = encoder.take()
      this.#idle.push(encoder)
      return bytes
    } catch {
      return undefined
    }
  }
}

/** Largest arguments of a call, far above what the host takes. */
const argumentBytesMax = 64 * 1024 * 1024
