import engineUrl from '@jitl/quickjs-wasmfile-release-sync/wasm?url'
import { flowTrial } from '../../runtimes/flow-trial.mjs'

Object.assign(globalThis, {
  async flowTrial(cases, limits) {
    const engine = new Uint8Array(await (await fetch(engineUrl)).arrayBuffer())
    return flowTrial(cases, { limits, engine })
  },
})
