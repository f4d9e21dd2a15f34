import engineUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import type { EngineSource } from '@sluice/sandbox'

/** Fetches the engine of the sandbox: its Workers may fetch nothing. @throws Error when the server does not have it. */
export async function fetchEngine(): Promise<EngineSource> {
  const response = await fetch(engineUrl)
  if (!response.ok) throw new Error(`${engineUrl}: ${response.status}`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  return isPacked(bytes) ? unpacked(bytes) : bytes
}

/** A build for servers that do not compress has the engine packed with gzip. */
const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}
