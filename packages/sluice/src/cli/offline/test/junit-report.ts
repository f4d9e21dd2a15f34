import { type CaseReport, shownPath } from '@sluice/testing'
import { countsOf, type TestOutcome } from './test-outcome.ts'
import { problemText } from './text-report.ts'

/** Characters not allowed in XML 1.0, escaped or not. */
const notXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/**
 * Formats a test run as JUnit XML: a suite per transformation and per test file, one for libraries, one for tests not
 * run.
 */
export function junitReport(outcome: TestOutcome, cwd: string): string {
  const { failed, brokenLibraries, notRun } = countsOf(outcome)
  const byTransformation = new Map<string, CaseReport[]>()
  for (const report of outcome.cases) {
    const key = `${report.transformation}\n${report.file}`
    byTransformation.set(key, [...(byTransformation.get(key) ?? []), report])
  }
  const suites = [...byTransformation.values()].map((cases) =>
    suite(
      cases[0]?.transformation ?? '',
      cases.map((report) => ({
        name: report.name,
        timeMs: report.timeMs,
        log: report.log,
        failure: report.status === 'failed' ? problemText(report, cwd) : undefined,
      })),
    ),
  )
  const files = [...new Set(outcome.tests.map(({ file }) => file))]
  const ofFiles = files.map((file) =>
    suite(
      shownPath(cwd, file),
      outcome.tests
        .filter((test) => test.file === file && test.outcome !== 'skipped')
        .map(({ name, timeMs, message }) => ({ name, timeMs, failure: message })),
    ),
  )
  const ran = outcome.tests.filter((test) => test.outcome !== 'skipped').length
  const libraries = outcome.libraries.map(({ name, error }) => ({ name, failure: error?.message }))
  const left = outcome.notRun.map(({ file, reason }) => ({ name: shownPath(cwd, file), failure: `not run: ${reason}` }))
  const tests = outcome.cases.length + ran + libraries.length + left.length
  const sums = `tests="${tests}" failures="${failed + brokenLibraries + notRun}" time="${seconds(outcome.timeMs)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="sluice test" ${sums}>`,
    ...suites,
    ...ofFiles,
    ...(libraries.length > 0 ? [suite('libraries', libraries)] : []),
    ...(left.length > 0 ? [suite('not run', left)] : []),
    '</testsuites>',
  ].join('\n')
}

interface TestCase {
  readonly name: string
  readonly timeMs?: number
  readonly log?: readonly string[]
  readonly failure?: string
}

function suite(name: string, cases: readonly TestCase[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const timeMs = cases.reduce((sum, each) => sum + (each.timeMs ?? 0), 0)
  return [
    `  <testsuite name="${escaped(name)}" tests="${cases.length}" failures="${failures}" time="${seconds(timeMs)}">`,
    ...cases.map((each) => testCase(name, each)),
    '  </testsuite>',
  ].join('\n')
}

function testCase(className: string, { name, timeMs = 0, failure, log = [] }: TestCase): string {
  const head = `    <testcase classname="${escaped(className)}" name="${escaped(name)}" time="${seconds(timeMs)}"`
  const [first = ''] = failure?.split('\n') ?? []
  const parts = [
    ...(failure === undefined ? [] : [`      <failure message="${escaped(first)}">${escaped(failure)}</failure>`]),
    ...(log.length === 0 ? [] : [`      <system-out>${escaped(log.join('\n'))}</system-out>`]),
  ]
  return parts.length === 0 ? `${head}/>` : [`${head}>`, ...parts, '    </testcase>'].join('\n')
}

function escaped(text: string): string {
  return text
    .replace(notXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3)
