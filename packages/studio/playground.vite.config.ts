import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gzipAsync } from '@gfx/zopfli'
import { defineConfig, type Plugin } from 'vite'
import studio, { pagePlugins } from './vite.config.ts'

const page = new URL('src/page/playground', import.meta.url).pathname
const engine = '@jitl/quickjs-wasmfile-release-sync/wasm'

/**
 * Packs the engine, because a plain file server sends it as it is: 503 KB. Zopfli, which takes seconds, makes it 5 %
 * smaller than gzip does, with as many blocks as it likes.
 */
function packedEngine(): Plugin {
  return {
    name: 'packed-engine',
    enforce: 'pre',
    resolveId: (id) => (id === `${engine}?url` ? '\0packed-engine' : undefined),
    async load(id) {
      if (id !== '\0packed-engine') return undefined
      const bytes = await readFile(createRequire(import.meta.url).resolve(engine))
      const source = await gzipAsync(bytes, { numiterations: 15, blocksplittingmax: 0 })
      const file = this.emitFile({ type: 'asset', name: 'engine.bin', source })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
  }
}

/** Leaves out the engine as it is: its loader names a file that it does not need when it is given the bytes. */
function withoutSecondEngine(): Plugin {
  return {
    name: 'without-second-engine',
    enforce: 'post',
    generateBundle(_, bundle) {
      for (const name of Object.keys(bundle)) if (/emscripten-module-[\w-]+\.wasm$/.test(name)) delete bundle[name]
    },
  }
}

/** Leaves out the comments of the page. */
function withoutComments(): Plugin {
  return { name: 'without-comments', transformIndexHtml: (html) => html.replaceAll(/<!--[\s\S]*?-->\s*/g, '') }
}

/**
 * Builds the playground into `dist/playground`: a folder that any file server can serve, at any address, because all
 * addresses in it are relative.
 */
export default defineConfig({
  ...studio,
  root: page,
  base: './',
  plugins: [...pagePlugins, packedEngine(), withoutSecondEngine(), withoutComments()],
  resolve: { alias: { 'lru-cache': new URL('src/page/sandbox/small-cache.ts', import.meta.url).pathname } },
  // Lists of what to load ahead take more than they save here.
  build: {
    ...studio.build,
    modulePreload: false,
    outDir: new URL('dist/playground', import.meta.url).pathname,
    rolldownOptions: {
      ...studio.build?.rolldownOptions,
      // The second one is for other pages, which import it by its name.
      input: {
        index: join(page, 'index.html'),
        try: new URL('./src/page/playground/try-code.ts', import.meta.url).pathname,
      },
      preserveEntrySignatures: 'exports-only',
      output: { entryFileNames: ({ name }) => (name === 'try' ? 'try.js' : 'assets/[name]-[hash].js') },
    },
  },
})
