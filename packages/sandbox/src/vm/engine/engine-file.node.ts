import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** Reads the WebAssembly of the engine. */
export async function engineFile(): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(createRequire(import.meta.url).resolve(engineFileName)))
}

const engineFileName = '@jitl/quickjs-wasmfile-release-sync/wasm'
