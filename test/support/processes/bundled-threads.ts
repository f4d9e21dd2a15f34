import type { Plugin } from 'vitest/config'
import { bundleFolder, bundleIsUsable } from '../../../packages/sluice/src/cli/bundle-is-usable.ts'

/**
 * Starts the threads of the sandbox and of the store, and the processes of clients, from their bundles, as the command does, while the bundle is of the
 * present build. A thread from the build itself loads some 400 modules, which takes 0.4 s of processor time.
 */
export function bundledThreads(): Plugin {
  const isUsable = bundleIsUsable(bundleFolder)
  return {
    name: 'bundled threads',
    enforce: 'pre',
    transform(code, file) {
      if (!isUsable || !/\/(?:pool-worker|thread-stores|client-process)\.ts$/.test(file)) return null
      const built = /'[./]+\/dist\/[a-z/]+\/(worker-main\.js|store-thread\.js|client-main\.js)'/
      if (!built.test(code)) throw new Error(`${file} names no compiled thread; see ${import.meta.filename}`)
      return code.replace(built, (_, name) => `'${new URL(name, bundleFolder).href}'`)
    },
  }
}
