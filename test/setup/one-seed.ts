import fc from 'fast-check'
import { hangMs } from '../support/hang-ms.ts'
import { sized } from '../support/long.ts'
import { runSeed } from '../support/seed.ts'

fc.configureGlobal({
  // Properties draw by the seed of the run, so that one number repeats a failure of any test.
  seed: runSeed,
  // Shrinking a counterexample may take hours: what was found until then is reported.
  interruptAfterTimeLimit: sized(40_000, 2 * hangMs - 10_000),
  // A long run says what it has not done.
  markInterruptAsFailure: sized(false, true),
})
