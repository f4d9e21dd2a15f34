import engineUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import type { EngineSource } from '@sluice/sandbox'

/** Fetches the engine of the sandbox: its Workers may fetch nothing. @throws Error when the server does not have it. */
export async function fetchEngine(): Promise<EngineSource> {
  const response = await fetch(engineUrl)
  if (!response.ok) throw new Error(`${engineUrl}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
