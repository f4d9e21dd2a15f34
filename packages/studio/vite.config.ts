import { defineConfig } from 'vite'

/** Builds the page into `dist/page`. All names but that of the page have a hash, so that browsers may keep the files. */
export default defineConfig({
  root: new URL('src/page', import.meta.url).pathname,
  base: '/studio/',
  logLevel: 'warn',
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: new URL('dist/page', import.meta.url).pathname,
    emptyOutDir: true,
    target: 'es2022',
    // Nothing is inlined: the policy of the page allows no inline code.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The code editor is one large part, which is loaded when it is opened.
    chunkSizeWarningLimit: 600,
  },
})
