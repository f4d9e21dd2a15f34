import fc from 'fast-check'
import { runSeed } from '../support/seed.ts'

fc.configureGlobal({
  // Properties draw by the seed of the run, so that one number repeats a failure of any test.
  seed: runSeed,
  // Shrinking a counterexample may take hours: what was found until then is reported.
  interruptAfterTimeLimit: 40_000,
})
