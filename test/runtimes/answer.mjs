import { codeTrials } from './code-trial.mjs'
import { flowTrial } from './flow-trial.mjs'

/** Answers a question of the tests: `{ cases }` for the flow, or `{ trials, limits, timing }` for code alone. */
export function answer({ cases, trials, limits, timing }, options) {
  const chosen = { ...options, ...(limits ? { limits } : {}), ...(timing ? { timing } : {}) }
  return cases ? flowTrial(cases, chosen) : codeTrials(trials, chosen)
}
