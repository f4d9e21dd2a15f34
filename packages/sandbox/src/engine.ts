import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule, RELEASE_SYNC } from 'quickjs-emscripten'

// The part of the WebAssembly API that is used here; the compiler's libraries have it for browsers only.
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBufferLike }
}

const pageBytes = 65_536
/** What this build of the engine asks for. */
const initialPages = 256
/** The engine grows its memory by a twentieth at least, so it can be out of memory this close to the cap. */
const fullShare = 0.9

/** One instance of QuickJS in WebAssembly, with a memory of its own that cannot grow beyond a cap. */
export interface Engine {
  readonly quickjs: QuickJSWASMModule
  /** Bytes that the memory may still grow by. */
  roomBytes(): number
  /** True once it may have been out of memory; nothing in it can be relied on then, because its glue ignores failed allocations. */
  isFull(): boolean
}

/**
 * @param memoryBytes cap of the whole memory. The engine's own limit (`setMemoryLimit`) does not hold in this build,
 * so the cap is put on the WebAssembly memory itself. Source: sandbox facts 3, hard limits.
 */
export async function createEngine(memoryBytes: number): Promise<Engine> {
  const maximum = Math.floor(memoryBytes / pageBytes)
  const memory = new WebAssembly.Memory({ initial: initialPages, maximum })
  const quickjs = await newQuickJSWASMModuleFromVariant(
    // An abort is reported as an exception; the text it prints as well would only confuse the logs of the host.
    newVariant(RELEASE_SYNC, { wasmMemory: memory, emscriptenModule: { printErr: () => {} } as object }),
  )
  const capBytes = maximum * pageBytes
  return {
    quickjs,
    roomBytes: () => capBytes - memory.buffer.byteLength,
    isFull: () => memory.buffer.byteLength > capBytes * fullShare,
  }
}
