import { printable, printableLines } from '@sluice/core/printable'
import { shownPath } from '@sluice/testing'
import type { VitestTest } from './run-vitest.ts'

/** Formats the failed tests of test files, which the report only counts. */
export function failedTestsText(tests: readonly VitestTest[]): string {
  return tests
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ file, name, message = '' }) => {
      const lines = printableLines(message).split('\n')
      return `\n✗ ${printable(shownPath(process.cwd(), file))} / ${printable(name)}\n${lines.map((line) => `    ${line}`).join('\n')}\n`
    })
    .join('')
}
