import fc from 'fast-check'
import { expect, it } from 'vitest'
import { flowCases } from '../runtimes/flow-cases.ts'
import { noChromium, startChromium } from '../support/chromium.ts'
import { sized } from '../support/long.ts'
import { serveFolder } from './file-server.ts'
import { buildSandboxPage } from './sandbox-page.ts'

/** Scripts of the page and WebAssembly, and nothing that is made of text. */
const strict = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:"
/** Counted time, so that a busy machine ends nothing earlier. */
const options = { limits: { stackBytes: 32 * 1024 }, timing: 'counted' }

it.skipIf(noChromium)(
  'the flow gives random events in a page with a strict policy what it gives them in Node',
  async () => {
    // It is not checked at compile time, because every platform runs it as it is.
    const { flowTrial } = (await import(`../runtimes/${'flow-trial'}.mjs`)) as {
      flowTrial(cases: readonly object[], options: object): Promise<readonly unknown[]>
    }
    const built = await buildSandboxPage('flow-page')
    const server = await serveFolder(built.folder, '/studio/', strict)
    const browser = await startChromium()
    const complaints: string[] = []
    try {
      const page = await browser.newPage()
      page.on('console', (message) => complaints.push(message.text()))
      page.on('pageerror', (error) => complaints.push(String(error)))
      await page.goto(server.address)
      await page.waitForFunction(() => 'flowTrial' in globalThis)
      const cases = fc.sample(flowCases, sized(40, 1_000))
      const text = await page.evaluate(
        async ([given, chosen]) => {
          const { flowTrial } = globalThis as unknown as { flowTrial(...args: unknown[]): Promise<unknown> }
          return JSON.stringify(await flowTrial(JSON.parse(given ?? ''), JSON.parse(chosen ?? '')))
        },
        [JSON.stringify(cases), JSON.stringify(options)],
      )
      expect(JSON.parse(text)).toEqual(await flowTrial(cases, options))
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
      server.close()
      built.remove()
    }
  },
  240_000,
)
