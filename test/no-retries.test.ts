import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Files whose tests may run again, each with its reason. The list may only shrink. */
const exceptions: Readonly<Record<string, string>> = {}

/** Returns the TypeScript files of a folder that git keeps. */
function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourcesIn(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}

it('no test runs again when it fails, so that a failure is believed', () => {
  const tests = sourcesIn('packages').filter((file) => file.endsWith('.test.ts'))
  const files = [...tests, ...sourcesIn('test'), 'package.json']
  expect(files.length).toBeGreaterThan(500)
  const retried = files.filter((file) => /\bretry(?:: |=| )[1-9]/.test(readFileSync(join(root, file), 'utf8')))
  expect(retried).toEqual(Object.keys(exceptions))
})
