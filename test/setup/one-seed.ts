import fc from 'fast-check'
import { runSeed } from '../support/seed.ts'

// Properties draw by the seed of the run, so that one number repeats a failure of any test.
fc.configureGlobal({ seed: runSeed })
