import type { Plugin } from 'rolldown'
import { packageOf, requireOf } from './outside-packages.ts'

/**
 * Modules of ours that ask where they are, and remain right in the bundle: the threads and processes have their
 * main files beside them there, and the package's folder is two above.
 */
const remainRight = [
  '/pool/pool-worker.js',
  '/clients/client-process.js',
  '/query/query-process.js',
  '/destinations/warehouse-destinations.js',
  '/thread/thread-stores.js',
  '/cli/package-folder.js',
  '/workspace/own-version.js',
  '/installed-sdks.js',
]

/**
 * Keeps everything that is found relative to a module right when that module becomes a part of the bundle.
 *
 * Fails for any other module of ours that uses `import.meta`, so that none is overlooked.
 */
export function ownLocations(): Plugin {
  return {
    name: 'own locations',
    transform(code, file) {
      if (file.includes('/node_modules/') || file.startsWith('\0') || !code.includes('import.meta')) return null
      if (remainRight.some((known) => file.endsWith(known))) return null
      const known = 'createRequire(import.meta.url)'
      if (withoutComments(code).replaceAll(known, '').includes('import.meta'))
        throw new Error(`${file} uses import.meta in a way the bundler does not know; see own-locations.ts`)
      return code.replaceAll(known, () => requireOf(packageOf(file)))
    },
  }
}

function withoutComments(code: string): string {
  return code.replaceAll(/^[ \t]*(?:\*|\/\*|\/\/).*$/gm, '')
}
