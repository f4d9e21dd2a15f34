import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'
import { inlinePackages } from './inline-packages.ts'

const built = (path: string): string => new URL(`../../dist/${path}`, import.meta.url).href
const { bundleFolder, bundleIsUsable } = (await import(
  built('cli/bundle-is-usable.js')
)) as typeof import('../src/cli/bundle-is-usable.ts')

const root = join(import.meta.dirname, '../../../..')
await inlinePackages(root)
if (!bundleIsUsable(bundleFolder)) {
  await bundle(root)
  const { schemaText } = (await import(
    built('cli/offline/configure/write-schema.js')
  )) as typeof import('../src/cli/offline/configure/write-schema.ts')
  // For editors: the first line of a workspace file names it.
  writeFileSync(fileURLToPath(built('workspace.schema.json')), await schemaText())
}
