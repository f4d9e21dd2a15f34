// Writes what `tsc -b` does not: inlined packages, the bundle of the command, and the schema of workspace files.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, inlinePackages } from '@sluice/bundler'
import { bundleFolder, bundleIsUsable } from './dist/cli/bundle-is-usable.js'

const root = join(import.meta.dirname, '../..')
await inlinePackages(root)
if (!bundleIsUsable(bundleFolder)) {
  await bundle(root)
  // Only now, because it imports inlined packages.
  const { schemaText } = await import('./dist/cli/offline/configure/write-schema.js')
  // For editors: the first line of a workspace file names it.
  writeFileSync(new URL('dist/workspace.schema.json', import.meta.url), await schemaText())
}
