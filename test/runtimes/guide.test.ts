import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveFolder } from '../studio/file-server.ts'
import { noChromium, startChromium } from '../support/pages/chromium.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { blocksOf } from '../support/texts/code-blocks.ts'
import { isAbsent, platforms } from './platforms.ts'
import { engineFile, startWorker } from './workerd.ts'

const guide = readFileSync(join(import.meta.dirname, '../../packages/docs/guides/run-anywhere.md'), 'utf8')
/** Inside the test package, where the packages resolve as they do for a program that has installed them. */
const folder = join(import.meta.dirname, '../dist/run-anywhere')
const [, policy = ''] = /`(default-src [^`]*)`/.exec(guide) ?? []
const order = { type: 'track', event: 'Order Placed', userId: 'user-1', messageId: 'm1', properties: { total: 'five' } }
const events = [order, { ...order, userId: 'user-42', messageId: 'm2' }]
const outcome = { suppressed: 1, outcomes: ['delivered'] }
const delivered = { ...order, properties: { checked: true } }

/** The part of a page's Worker that is used here. */
interface PageWorker {
  onmessage: (event: { readonly data: unknown }) => void
  onerror: (event: { readonly message: string }) => void
  postMessage(message: unknown): void
}

let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  mkdirSync(folder, { recursive: true })
  for (const { file = '', text } of blocksOf(guide))
    writeFileSync(join(folder, file), text.replaceAll('http://127.0.0.1:9000', receiver.url))
})
afterAll(async () => {
  await receiver.close()
  rmSync(folder, { recursive: true })
})

describe('the guide to other platforms', () => {
  it.for([{ name: process.execPath, args: [] }, ...platforms])(
    'has a program that delivers in $name',
    async ({ name, args }, { skip }) => {
      skip(isAbsent(name), `${name} is not installed; pnpm test:runtimes installs it`)
      const before = receiver.received.length
      const program = join(folder, 'program.js')
      const { stdout } = await promisify(execFile)(name, [...args, program], { cwd: folder, timeout: 60_000 })
      expect(JSON.parse(stdout)).toEqual(outcome)
      expect(receiver.received.slice(before).map(({ body }) => JSON.parse(body))).toEqual([delivered])
    },
  )

  it('has a Worker that delivers in workerd, in one request after another', async ({ skip }) => {
    skip(isAbsent('workerd'), 'workerd is not installed; pnpm test:runtimes installs it')
    const before = receiver.received.length
    const worker = await startWorker(join(folder, 'worker.js'), { WEBHOOK_URL: `${receiver.url}/in` })
    try {
      expect(await Promise.all([worker.ask(events), worker.ask(events)])).toEqual([outcome, outcome])
      expect(await worker.ask(events)).toEqual(outcome)
    } finally {
      await worker.close()
    }
    const bodies = receiver.received.slice(before).map(({ body }) => JSON.parse(body))
    expect(bodies).toEqual([delivered, delivered, delivered])
  })

  it.skipIf(noChromium)('has a Worker that delivers in a page, with the policy that it names', async () => {
    const entry = join(folder, 'page-worker.js')
    const outfile = join(folder, 'page/worker.js')
    await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', logLevel: 'error' })
    copyFileSync(engineFile(), join(folder, 'page/engine.wasm'))
    writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>Flow</title><link rel="icon" href="data:,">')
    const server = await serveFolder(join(folder, 'page'), '/', `${policy}; worker-src 'self'; img-src data:`)
    const browser = await startChromium()
    try {
      const page = await browser.newPage()
      const sent: unknown[] = []
      await page.route('**/in', (route) => {
        sent.push(route.request().postDataJSON())
        return route.fulfill({ status: 200 })
      })
      await page.goto(server.address)
      const answer = await page.evaluate(async (given) => {
        // The types of browsers are not those of the tests.
        const { Worker } = globalThis as unknown as { Worker: new (url: string, options: object) => PageWorker }
        const worker = new Worker('worker.js', { type: 'module' })
        const next = () =>
          new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => resolve(data)
            worker.onerror = ({ message }) => reject(new Error(message))
          })
        await next()
        worker.postMessage(given)
        return next()
      }, events)
      expect(answer).toEqual(outcome)
      expect(sent).toEqual([delivered])
    } finally {
      await browser.close()
      server.close()
    }
  })
})
