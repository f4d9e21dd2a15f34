import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { bundleFolder, bundleIsUsable } from '../../../packages/sluice/src/cli/bundle-is-usable.ts'

const folder = resolve(import.meta.dirname, '../../dist/programs')
const bundled = new Map<string, Promise<string>>()

/**
 * Returns the URL of a file that has the text of a module with the built packages it imports, bundled once per test
 * worker. From the packages themselves, each process would load some 1,500 files, which takes 1 s of processor time.
 *
 * The text is resolved as if it were a file in `test`.
 */
export function bundleProgram(text: string): Promise<string> {
  const known = bundled.get(text)
  if (known) return known
  const made = write(text)
  bundled.set(text, made)
  return made
}

async function write(text: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: resolve(import.meta.dirname, '../..'), sourcefile: 'program.js' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
    // Optional parts that need not be installed.
    external: ['@duckdb/node-api', '@opentelemetry/api'],
    banner: {
      js: `import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url)`,
    },
    plugins: [keepLocations],
  })
  const [output] = outputFiles
  if (!output) throw new Error('esbuild wrote no file')
  const file = join(folder, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.mjs`)
  mkdirSync(folder, { recursive: true })
  // Other workers write the same file, and processes read it: it has to be complete at any time.
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, output.contents)
  renameSync(partial, file)
  return pathToFileURL(file).href
}

/** Modules of ours find files beside themselves, and start threads: from the bundled threads, which load faster. */
const keepLocations: Plugin = {
  name: 'keep locations',
  setup({ onLoad }) {
    const isUsable = bundleIsUsable(bundleFolder)
    onLoad({ filter: /\/packages\/[^/]+\/dist\/.*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      if (!text.includes('import.meta')) return null
      const threads = isUsable
        ? text.replace(
            /'\.\/(worker-main\.js|store-thread\.js|client-main\.js)'/,
            (_, name) => `'${new URL(name, bundleFolder).href}'`,
          )
        : text
      return { contents: threads.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) }
    })
  },
}
