import { join } from 'node:path'
import { bundle } from './bundle.ts'

const { bundleFolder, bundleIsUsable } = (await import(
  new URL('../../dist/cli/bundle-is-usable.js', import.meta.url).href
)) as typeof import('../src/cli/bundle-is-usable.ts')

if (!bundleIsUsable(bundleFolder)) await bundle(join(import.meta.dirname, '../../../..'))
