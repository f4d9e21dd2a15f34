import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root, testFiles } from './support/texts/test-files.ts'

/** Files whose tests may run again, each with its reason. The list may only shrink. */
const exceptions: Readonly<Record<string, string>> = {
  'packages/testing/src/bench/bench-transformation.system.test.ts': 'measures time, and other work takes a part of it',
  'packages/testing/src/profile/profile-subject.system.test.ts': 'measures time, and other work takes a part of it',
  'test/nodes/faults.test.ts': 'notes arrivals in a process that may itself have to wait for a processor',
}

it('no test runs again when it fails, so that a failure is believed', () => {
  const files = [...testFiles(), 'package.json']
  expect(files.length).toBeGreaterThan(500)
  const retried = files.filter((file) => /\bretry(?:: |=| )[1-9]/.test(readFileSync(join(root, file), 'utf8')))
  expect(retried).toEqual(Object.keys(exceptions))
})
