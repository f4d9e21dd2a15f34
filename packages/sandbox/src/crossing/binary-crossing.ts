import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten-core'
import type { Crossing } from './crossing.ts'
import { Decoder } from './decoder.ts'
import { Encoder } from './encoder.ts'
import { Meter } from './meter.ts'

/** Error of the engine's wrapper for a value that is not a buffer. */
const noBuffer = "Couldn't allocate memory to get ArrayBuffer"

/**
 * Passes values as documents of the engine's own object format, which the guest reads three times as fast as JSON text.
 */
export const binaryCrossing: Crossing = {
  name: 'binary',
  createEncoder: () => new Encoder(),
  createDecoder: () => new Decoder(),
  createMeter: () => new Meter(),
  link: (context) => ({
    toGuest: (bytes, frees) => {
      const buffer = context.newArrayBuffer(exactBuffer(bytes))
      const value = context.decodeBinaryJSON(buffer)
      if (frees) buffer.dispose()
      return value
    },
    fromGuest: (value, frees) => encoded(context, value, frees),
  }),
}

function encoded(context: QuickJSContext, value: QuickJSHandle, frees: boolean): Uint8Array<ArrayBuffer> | undefined {
  const made = context.encodeBinaryJSON(value)
  try {
    const bytes = context.getArrayBuffer(made)
    const copy = new Uint8Array(bytes.value)
    if (frees) for (const lifetime of [bytes, made]) lifetime.dispose()
    return copy
  } catch (thrown) {
    // The guest could not encode the value and returned an exception instead.
    if (thrown instanceof Error && thrown.message === noBuffer) return undefined
    throw thrown
  }
}

function exactBuffer(bytes: Uint8Array): ArrayBufferLike {
  return bytes.length === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer
}
