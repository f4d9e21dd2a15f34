import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { builtInDestinations } from '@sluice/destinations'
import { expect, it } from 'vitest'

it('maps the examples of all destinations without Node and without making code at run time', () => {
  const wanted = builtInDestinations.map(({ examples }) =>
    examples.map((example) => ('error' in example ? example.error : example.requests)),
  )
  const args = [
    '--conditions=browser',
    '--disallow-code-generation-from-strings',
    join(import.meta.dirname, 'mapping.mjs'),
  ]
  const printed = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    timeout: 60_000,
  })
  expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(wanted)))
})
