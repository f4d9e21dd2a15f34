import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const studio = join(import.meta.dirname, '../../packages/studio')

/** Builds a page that has only the runner of the studio, as the studio itself is built. */
export async function buildSandboxPage() {
  const vite = createRequire(join(studio, 'package.json')).resolve('vite')
  const { build } = (await import(pathToFileURL(vite).href)) as {
    build(config: object): Promise<unknown>
  }
  const folder = mkdtempSync(join(tmpdir(), 'sluice-sandbox-page-'))
  await build({
    configFile: join(studio, 'vite.config.ts'),
    root: join(import.meta.dirname, 'sandbox-page'),
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
