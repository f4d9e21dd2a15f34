/**
 * Reads the WebAssembly of the engine where the platform resolves packages and fetches files.
 * @throws RangeError elsewhere.
 */
export async function engineFile(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const response = await fetch(import.meta.resolve(engineFileName))
    if (!response.ok) throw new Error(`status ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    throw new RangeError(
      `the engine of the sandbox is not found here; read the file ${engineFileName} and pass its bytes as sandbox option engine`,
      { cause },
    )
  }
}

const engineFileName = '@jitl/quickjs-wasmfile-release-sync/wasm'
