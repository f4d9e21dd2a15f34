import { fetchEngine } from '../../../packages/studio/src/page/sandbox/fetch-engine.ts'
import { flowTrial } from '../../runtimes/flow-trial.mjs'

Object.assign(globalThis, {
  flowTrial: async (cases, options) => flowTrial(cases, { ...options, engine: await fetchEngine() }),
})
