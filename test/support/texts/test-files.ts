import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder of the checkout. */
export const root = resolve(import.meta.dirname, '../../..')

/** Returns all files of tests, and what they share, as paths from the root: `packages/core/src/x.test.ts`, `test/…`. */
export function testFiles(): readonly string[] {
  return [...filesIn('packages').filter((file) => file.endsWith('.test.ts')), ...filesIn('test')]
}

/** Does not follow links, which lead from `node_modules` everywhere. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : filesIn(path)
    return entry.name.endsWith('.ts') ? [path] : []
  })
}
