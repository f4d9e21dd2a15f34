import { type EventEnding, endingChanges } from '@sluice/testing/diff'
import { endingOf } from './ending-of.ts'
import { tryInPage } from './try-in-page.ts'

type Event = Readonly<Record<string, unknown>>

/** An event whose result was right once: other code must make the same of it. */
export interface KeptTest {
  readonly name: string
  readonly event: Event
  readonly expected: EventEnding
}

export interface TestResult {
  readonly name: string
  /** What is different; empty when it passes. */
  readonly differences: readonly string[]
  readonly tookMs: number
}

/** Runs code on the event of each test by itself, in the page. */
export async function runTests(name: string, code: string, tests: readonly KeptTest[]): Promise<readonly TestResult[]> {
  const results: TestResult[] = []
  for (const test of tests) {
    const { outcomes, runMs } = await tryInPage(name, code, [test.event])
    const actual = outcomes[0] === undefined ? undefined : endingOf(outcomes[0])
    const differences = endingChanges(test.expected, actual).map(({ path, change }) => `${path}: ${change}`)
    results.push({ name: test.name, differences, tookMs: runMs })
  }
  return results
}
