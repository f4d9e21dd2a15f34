import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends the run with one plain line, `N passed, N failed`, that a script can read whatever the other reporters print.
 * After a failure, the line before it names the seed that repeats what tests drew at random.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0
    let skipped = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'skipped') skipped += 1
        else failed += 1
      }
      if (module.children.size === 0 || module.errors().length > 0) failed += 1
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    // Prints after the summaries of all other reporters, which are printed in the same tick.
    const seed = `SLUICE_SEED=${process.env['SLUICE_SEED']} repeats what the tests of this run drew at random.\n`
    process.on('exit', () => process.stdout.write(`\n${failed > 0 ? seed : ''}${line}\n`))
  }
}
