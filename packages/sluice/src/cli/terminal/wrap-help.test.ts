import { expect, it } from 'vitest'
import { wrapHelp } from './wrap-help.ts'

it('fills paragraphs, indents what continues an indented line, and keeps examples executable', () => {
  const help = `
A paragraph that was broken at
another width.
A project has one of:
  a folder with code and tests
Options:
  --flag  text

Examples:
  sluice run --events a.ndjson --out "a b"
  sluice test                # again
  sluice test --flag         # only this
`
  expect(wrapHelp(help, 24)).toBe(`
A paragraph that was
broken at another width.
A project has one of:
  a folder with code and
      tests
Options:
  --flag  text

Examples:
  sluice run \\
    --events a.ndjson \\
    --out "a b"
  # again
  sluice test
  # only this
  sluice test --flag
`)
})
