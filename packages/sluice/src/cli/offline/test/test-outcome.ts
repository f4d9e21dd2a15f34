import type { CaseReport, LibraryReport } from '@sluice/testing'
import type { CoverageOutcome } from './coverage-run.ts'
import type { NotRun } from './not-run.ts'
import type { VitestTest } from './run-vitest.ts'

/** Exit status when nothing could be tested: wrong flags, or an error in the project. */
export const notTestedStatus = 2

/** Result of a test run. */
export interface TestOutcome {
  readonly cases: readonly CaseReport[]
  readonly libraries: readonly LibraryReport[]
  /** Tests of test files. */
  readonly tests: readonly VitestTest[]
  readonly notRun: readonly NotRun[]
  /** Only when requested. */
  readonly coverage?: CoverageOutcome
  readonly timeMs: number
}

/** Counts results; cases and tests are counted together. */
export function countsOf({ cases, libraries, tests, notRun }: TestOutcome): Readonly<
  Record<CaseReport['status'], number>
> & {
  readonly skipped: number
  readonly brokenLibraries: number
  readonly notRun: number
} {
  const all = [...cases.map(({ status }) => status), ...tests.map(({ outcome }) => outcome)]
  const count = (status: (typeof all)[number]): number => all.filter((each) => each === status).length
  return {
    passed: count('passed'),
    failed: count('failed'),
    updated: count('updated'),
    skipped: count('skipped'),
    brokenLibraries: libraries.filter(({ error }) => error !== undefined).length,
    notRun: notRun.length,
  }
}

/** Returns whether everything selected was run and passed, and coverage is sufficient. */
export function hasPassed(outcome: TestOutcome): boolean {
  const { failed, brokenLibraries, notRun } = countsOf(outcome)
  return failed + brokenLibraries + notRun === 0 && outcome.coverage?.shortfall === undefined
}
