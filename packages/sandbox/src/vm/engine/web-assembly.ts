/** A WebAssembly memory; growing it replaces the buffer. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer
  /** @throws RangeError at the limit. @returns the previous number of pages. */
  grow(pages: number): number
}

/** Compiled code, a `WebAssembly.Module`; can be sent to workers. */
export type WasmModule = object

interface WebAssemblyApi {
  readonly Memory: new (pages: { initial: number; maximum: number }) => WasmMemory
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<WasmModule>
}

/** The part of the WebAssembly API used here. TypeScript's libraries declare it only for browsers. */
export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }).WebAssembly
