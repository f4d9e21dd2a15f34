import { defined } from '@sluice/core/defined'
import { type CaseReport, type CodePlace, coverageTotals, shownPath } from '@sluice/testing'
import { countsOf, hasPassed, type TestOutcome } from './test-outcome.ts'

/**
 * Formats a test run as one JSON object: `{passed, counts, timeMs, cases, libraries, tests, notRun}`. A case has
 * transformation, name, status (passed, failed, updated), problems (of kind file, fetch, load, event, output or requests),
 * log, written, unpinned; a test of a test file has file, name, outcome (passed, failed, skipped), timeMs and message.
 * Paths are relative to `cwd` when they are below it. `coverage` has {totals, files} of statements, branches and
 * functions, each {covered, total}.
 */
export function jsonReport(outcome: TestOutcome, cwd: string): string {
  const path = (file: string): string => shownPath(cwd, file)
  const placed = <T extends { readonly place?: CodePlace }>(of: T): T =>
    of.place ? { ...of, place: { ...of.place, file: path(of.place.file) } } : of
  const caseOf = (report: CaseReport) => ({
    ...report,
    file: path(report.file),
    ...(report.inputFile !== undefined && { inputFile: path(report.inputFile) }),
    written: report.written.map(path),
    problems: report.problems.map((problem) => {
      if (problem.kind === 'file' || problem.kind === 'fetch') return problem
      return 'diff' in problem ? { ...problem, file: path(problem.file) } : placed(problem)
    }),
  })
  const report = defined({
    passed: hasPassed(outcome),
    counts: countsOf(outcome),
    timeMs: outcome.timeMs,
    cases: outcome.cases.map(caseOf),
    libraries: outcome.libraries.map(({ error, ...library }) => ({
      ...library,
      file: path(library.file),
      error: error ? placed(error) : undefined,
    })),
    tests: outcome.tests.map((test) => ({ ...test, file: path(test.file) })),
    notRun: outcome.notRun.map(({ file, reason }) => ({ file: path(file), reason })),
    coverage: outcome.coverage
      ? {
          totals: coverageTotals(outcome.coverage.files),
          files: outcome.coverage.files.map((each) => ({ file: each.file, ...coverageTotals([each]) })),
          shortfall: outcome.coverage.shortfall,
        }
      : undefined,
  })
  return JSON.stringify(report, null, 2)
}
