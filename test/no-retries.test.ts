import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, testFiles } from './support/texts/test-files.ts'

/** Files whose tests may run again, each with its reason. The list may only shrink. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/testing/src/bench/bench-transformation.system.test.ts': 'measures time, and other work takes a part of it',
  'test/nodes/faults.test.ts': 'notes arrivals in a process that may itself have to wait for a processor',
}

/** How many files are in the list: lower it with the list. */
const exceptionsMax = 2

/** A number, a variable or a count; objects with other members are settings of the product. */
const retry = /\bretry['"]?: (?!\{(?! ?['"]?count\b)|0\b|['"`])\S|--retry(?![-\w])/

it('no test runs again when it fails, so that a failure is believed', () => {
  // This file has examples.
  const files = [
    ...testFiles().filter((file) => !file.endsWith('no-retries.test.ts')),
    'package.json',
    '.ci/run',
    '.ci/checks',
    '.ci/other-node',
    '.github/workflows/ci.yml',
  ]
  expect(files.length).toBeGreaterThan(500)
  const retried = files.filter((file) => retry.test(readFileSync(join(root, file), 'utf8')))
  expect(retried).toEqual(Object.keys(exceptions))
  expect(retried.length).toBeLessThanOrEqual(exceptionsMax)
})

it('the search for retries finds each way of vitest to ask for one', () => {
  for (const text of [
    '{ retry: 1 }',
    '{ retry: times }',
    "{ 'retry': 2 }",
    '{ retry: { count: 1 } }',
    'vitest --retry 1',
  ])
    expect([text, retry.test(text)]).toEqual([text, true])
  for (const text of ['{ retry: 0 }', 'retry: { attemptsMax: 3 }', "outcome: 'retry'", "retry: 'later'"])
    expect([text, retry.test(text)]).toEqual([text, false])
})
