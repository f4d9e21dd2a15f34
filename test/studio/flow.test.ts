import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flowCases } from '../runtimes/flow-cases.ts'
import { engineFile } from '../runtimes/workerd.ts'
import { sized } from '../support/long.ts'
import { serveFolder } from './file-server.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'

/** Scripts of the page and WebAssembly, and nothing that is made of text. */
const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:"
const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="page.js"></script>'
/** Counted time, so that a busy machine ends nothing earlier. */
const options = { limits: { stackBytes: 32 * 1024 }, timing: 'counted' }

interface FlowTrial {
  flowTrial(cases: readonly object[], options: object): Promise<readonly unknown[]>
}

it.skipIf(noBrowser)(
  'the flow gives random events in a page with a strict policy what it gives them in Node',
  { timeout: sized(60_000, 240_000) },
  async () => {
    // It has no types, because every platform runs it as it is.
    const { flowTrial } = (await import(`../runtimes/${'flow-trial'}.mjs`)) as FlowTrial
    const folder = mkdtempSync(join(tmpdir(), 'sluice-flow-page-'))
    const entryPoints = [join(import.meta.dirname, 'flow-page.mjs')]
    await build({ entryPoints, outfile: join(folder, 'page.js'), bundle: true, format: 'esm', logLevel: 'error' })
    copyFileSync(engineFile(), join(folder, 'engine.wasm'))
    writeFileSync(join(folder, 'index.html'), html)
    const server = await serveFolder(folder, '/', strict)
    const browser = await startBrowser()
    const complaints: string[] = []
    try {
      const page = await browser.newPage()
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(server.address)
      await page.waitForFunction(() => 'flowTrial' in globalThis)
      const cases = fc.sample(flowCases, sized(30, 400))
      const text = await page.evaluate(
        async ([given, chosen]) => {
          const { flowTrial } = globalThis as unknown as FlowTrial
          return JSON.stringify(await flowTrial(JSON.parse(given ?? ''), JSON.parse(chosen ?? '')))
        },
        [JSON.stringify(cases), JSON.stringify(options)],
      )
      expect(JSON.parse(text)).toEqual(await flowTrial(cases, options))
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
      server.close()
      rmSync(folder, { recursive: true })
    }
  },
)
