import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from './bundle.ts'

const built = (path: string): string => new URL(`../../dist/${path}`, import.meta.url).href
const { bundleFolder, bundleIsUsable } = (await import(
  built('cli/bundle-is-usable.js')
)) as typeof import('../src/cli/bundle-is-usable.ts')

if (!bundleIsUsable(bundleFolder)) {
  await bundle(join(import.meta.dirname, '../../../..'))
  const { schemaText } = (await import(
    built('cli/offline/configure/write-schema.js')
  )) as typeof import('../src/cli/offline/configure/write-schema.ts')
  // For editors: the first line of a workspace file names it.
  writeFileSync(fileURLToPath(built('workspace.schema.json')), await schemaText())
}
