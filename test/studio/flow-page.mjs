import { flowTrial } from '../runtimes/flow-trial.mjs'

Object.assign(globalThis, {
  async flowTrial(cases, options) {
    const file = await fetch('engine.wasm')
    return flowTrial(cases, { ...options, engine: new Uint8Array(await file.arrayBuffer()) })
  },
})
