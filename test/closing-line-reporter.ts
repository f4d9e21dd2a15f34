import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends the run with one plain line, `N passed, N failed`, that a script can read whatever the other reporters print.
 * Names the tests that passed only when they ran again.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const again: string[] = []
    let passed = 0
    let skipped = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (test.diagnostic()?.flaky) again.push(`${module.relativeModuleId} > ${test.fullName}`)
        if (state === 'passed') passed += 1
        else if (state === 'skipped') skipped += 1
        else failed += 1
      }
      if (module.children.size === 0 || module.errors().length > 0) failed += 1
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    // Prints after the summaries of all other reporters, which are printed in the same tick.
    const notes = again.map((name) => `passed when run again: ${name}\n`)
    process.on('exit', () => process.stdout.write(`\n${notes.join('')}${line}\n`))
  }
}
