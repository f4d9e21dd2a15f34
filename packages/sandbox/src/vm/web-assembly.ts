/** A WebAssembly memory; growing it replaces the buffer. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** @throws RangeError when there are no more. @returns the pages there were. */
  grow(pages: number): number
}

/** Compiled code; can be sent to workers. */
export interface WasmModule {
  readonly [Symbol.toStringTag]: string
}

interface WebAssemblyApi {
  readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory
  compile(bytes: Uint8Array): Promise<WasmModule>
}

/** The part of the WebAssembly API that is used here; the compiler's libraries have it for browsers only. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly
