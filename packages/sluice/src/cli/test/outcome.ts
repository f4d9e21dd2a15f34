import type { CaseReport, LibraryReport } from '@sluice/testing'
import type { CoverageOutcome } from './coverage-run.ts'
import type { VitestTest } from './run-vitest.ts'

/** The exit status when nothing could be tested: wrong flags, or a project with a mistake. */
export const notTestedStatus = 2

/** Something that was asked for and not run. */
export interface NotRun {
  /** Absolute path. */
  readonly file: string
  readonly reason: string
}

/** What became of a test run. */
export interface TestOutcome {
  readonly cases: readonly CaseReport[]
  readonly libraries: readonly LibraryReport[]
  /** Tests of test files. */
  readonly tests: readonly VitestTest[]
  readonly notRun: readonly NotRun[]
  /** Where it was asked for. */
  readonly coverage?: CoverageOutcome
  readonly timeMs: number
}

/** How many there are of each; cases and tests are counted together. */
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

/** Whether all that was asked for was run and is as expected, and enough of the code was passed. */
export function hasPassed(outcome: TestOutcome): boolean {
  const { failed, brokenLibraries, notRun } = countsOf(outcome)
  return failed + brokenLibraries + notRun === 0 && outcome.coverage?.shortfall === undefined
}
