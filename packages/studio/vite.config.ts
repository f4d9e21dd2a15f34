import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { gzipSync } from 'node:zlib'
import { licences, licencesFile, wholePackages } from '@sluice/bundler'
import { defineConfig, type Plugin } from 'vite'
import { cutFonts } from './cut-fonts.mjs'

/** Writes every asset compressed, too, when it is as it will be. A release has only these, a quarter of the bytes. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }) {
    const folder = join(dir, 'assets')
    for (const name of await readdir(folder))
      await writeFile(join(folder, `${name}.gz`), gzipSync(await readFile(join(folder, name)), { level: 9 }))
  },
}

/** Before Vite, which would take the files of a release. */
const whole: Plugin = { ...wholePackages, enforce: 'pre' }

/** Modules of the page and its workers. */
const modules = new Set<string>()
const collected: Plugin = {
  name: 'collected',
  moduleParsed: ({ id }) => {
    modules.add(id)
  },
}

/** Writes the licences of the packages in the page and its workers. */
const licensed: Plugin = {
  name: 'licensed',
  apply: 'build',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: licencesFile, source: licences(modules) })
  },
}

/** Of this package; a test builds pages of its own from elsewhere. */
const home = new URL('.', import.meta.url).pathname

const fontFolder = join(home, 'dist/fonts')

/** Cuts the fonts before the styles that name them are read, and counts the icons: their shapes are copied into a module. */
const fonts: Plugin = {
  name: 'fonts',
  apply: 'build',
  async buildStart() {
    for (const source of await cutFonts(fontFolder)) modules.add(source)
    modules.add(createRequire(import.meta.url).resolve('lucide-static/icon-nodes.json'))
  },
}

/** Lists beside the folder what the page was made of, so that it is built again only when some of that has changed. */
const listed: Plugin = {
  name: 'listed',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const own = readdirSync(join(home, 'src/page'), { recursive: true, encoding: 'utf8' })
    const configs = readdirSync(home).filter((file) => /\.config\.ts$|^package\.json$/.test(file))
    const named = [...configs, ...own.map((file) => join('src/page', file))].map((file) => join(home, file))
    const files = [...named, ...modules].flatMap((id) => {
      const file = id.replace(/\?.*/, '')
      const changed = file.startsWith('\0') ? undefined : statSync(file, { throwIfNoEntry: false })
      return changed ? [[relative(home, file), changed.mtimeMs]] : []
    })
    writeFileSync(`${dir}.made-from.json`, JSON.stringify(Object.fromEntries(files), null, 2))
  },
}

/** For every page that is built here, and for its workers. */
export const pagePlugins = [whole, collected, licensed, listed]
export const workerPlugins = [whole, collected]

/** Builds the page into `dist/page`. All names but that of the page have a hash, so that browsers may keep the files. */
export default defineConfig({
  root: new URL('src/page', import.meta.url).pathname,
  base: '/studio/',
  logLevel: 'warn',
  resolve: { alias: { '@fonts': fontFolder } },
  plugins: [fonts, ...pagePlugins, compressed],
  worker: { format: 'es', rolldownOptions: { checks: { pluginTimings: false } }, plugins: () => workerPlugins },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: new URL('dist/page', import.meta.url).pathname,
    emptyOutDir: true,
    target: 'es2022',
    // Those that know `light-dark()`: Vite would write every colour twice for older ones.
    cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
    // Nothing is inlined: the policy of the page allows no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
    // The code editor is one large part, which is loaded when it is opened.
    chunkSizeWarningLimit: 600,
  },
})
