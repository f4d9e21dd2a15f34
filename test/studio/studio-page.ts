import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const studio = join(import.meta.dirname, '../../packages/studio')

/**
 * Builds a page that is no view of the studio, as the studio itself is built.
 * @param name `sandbox-page` has only the runner of code, `parts-page` all parts of views.
 */
export async function buildStudioPage(name: 'sandbox-page' | 'parts-page') {
  const vite = createRequire(join(studio, 'package.json')).resolve('vite')
  const { build } = (await import(pathToFileURL(vite).href)) as {
    build(config: object): Promise<unknown>
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-studio-page-'))
  await build({
    configFile: join(studio, 'vite.config.ts'),
    root: name === 'sandbox-page' ? join(import.meta.dirname, name) : join(studio, 'src/page', name),
    build: { outDir: folder },
  })
  return {
    folder,
    /** Compressed bytes of the built files, by name without the hash. */
    gzipBytes: (): Readonly<Record<string, number>> =>
      Object.fromEntries(
        readdirSync(join(folder, 'assets'))
          .filter((name) => name.endsWith('.gz'))
          .map((name) => [
            name.replace(/-[\w-]{8}\./, '.').replace(/\.gz$/, ''),
            statSync(join(folder, 'assets', name)).size,
          ]),
      ),
    remove: () => {
      rmSync(folder, { recursive: true, force: true })
      rmSync(`${folder}.made-from.json`, { force: true })
    },
  }
}
