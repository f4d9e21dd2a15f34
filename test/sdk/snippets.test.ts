import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { documented } from '../support/http/documented.ts'
import { noChromium, startChromium } from '../support/pages/chromium.ts'
import { type PageServer, servePages } from '../support/pages/sdk-pages.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { codeBlocks } from '../support/texts/code-blocks.ts'

const guide = readFileSync(join(import.meta.dirname, '../../packages/docs/guides/browsers.md'), 'utf8')
const snippets = codeBlocks(guide, 'html')
const test = join(import.meta.dirname, '..')

let receiver: Receiver
let sluice: Sluice
/** Serves Sluice. */
let server: PageServer
/** Serves pages of another origin. */
let pages: PageServer

beforeAll(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({
    workspace: shop(receiver.url, { sources: [{ id: 'web', writeKey: 'web-key' }] }),
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    browserSdks: [test],
  })
  server = await servePages(toNodeListener(sluice))
  pages = await servePages()
})
afterAll(async () => {
  await server.close()
  await pages.close()
  await sluice.stop()
  await receiver.close()
})

const get = async (path: string, from: Sluice = sluice) =>
  (await documented(from)).fetch(new Request(`http://sluice.test${path}`, { headers: { 'accept-encoding': 'gzip' } }))

describe('the scripts of browser SDKs', () => {
  it('come from the packages that are installed, compressed, and may be kept for a while', async () => {
    for (const path of [
      '/analytics.js/v1/web-key/analytics.min.js',
      '/v3/modern/rsa.min.js',
      '/v3/legacy/rsa.min.js',
    ]) {
      const response = await sluice.fetch(
        new Request(`http://sluice.test${path}`, { headers: { 'accept-encoding': 'gzip' } }),
      )
      const { headers } = response
      expect([path, response.status, headers.get('content-type')]).toEqual([
        path,
        200,
        'text/javascript; charset=utf-8',
      ])
      expect([headers.get('cache-control'), headers.get('content-encoding')]).toEqual(['public, max-age=600', 'gzip'])
      expect(gunzipSync(await response.arrayBuffer()).length).toBeGreaterThan(50_000)
    }
  })

  it('are 404 with a sentence where the package is not installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-sdks-'))
    const without = await createSluice({
      workspace: shop('http://x.test', { sources: [{ id: 'web', writeKey: 'web-key' }] }),
      browserSdks: [folder],
    })
    for (const [path, name] of [
      ['/analytics.js/v1/web-key/analytics.min.js', '@segment/analytics-next'],
      ['/analytics-next/bundles/a.bundle.1.js', '@segment/analytics-next'],
      ['/v3/modern/rsa.min.js', '@rudderstack/analytics-js'],
    ] as const) {
      const response = await get(path, without)
      expect([path, response.status]).toEqual([path, 404])
      expect(await response.text()).toContain(`npm install ${name}`)
    }
    await without.stop()
    rmSync(folder, { recursive: true })
  })

  it('are only those of the packages, and only for sources that there are', async () => {
    expect((await get('/analytics.js/v1/nowhere/analytics.min.js')).status).toBe(401)
    for (const path of [
      '/analytics-next/bundles/..%2f..%2fpackage.json',
      '/analytics-next/bundles/standalone.js.map',
      '/analytics-next/bundles/%2e%2e.js',
      '/v3/esm/rsa.min.js',
      '/v3/..%2fmodern/rsa.min.js',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404])
  })
})

describe.skipIf(noChromium)('the snippets of the guide', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startChromium()
  })
  afterAll(() => browser.close())

  for (const [index, name] of ['RudderStack', 'Segment'].entries())
    it(`load ${name}'s SDK from Sluice alone, and lose no call that was made before`, async () => {
      const context = await browser.newContext()
      const addresses: string[] = []
      context.on('request', (request) => addresses.push(request.url()))
      const page = await context.newPage()
      await page.goto(`${pages.origin}/empty.html`)
      // It makes Segment's SDK load a part.
      await page.evaluate("history.replaceState(null, '', '?ajs_uid=known')")
      const before = receiver.received.length
      await page.setContent(
        (snippets[index] ?? '')
          .replaceAll('https://events.example.com', server.origin)
          .replaceAll('WRITE_KEY', 'web-key'),
      )
      const arrived = () => receiver.received.slice(before).map(({ body }) => JSON.parse(body))
      await eventually(() => arrived().filter(({ event }) => event === 'Order Completed').length).toBe(1)
      expect(arrived()).toContainEqual(expect.objectContaining({ event: 'Order Completed', properties: { total: 42 } }))
      const elsewhere = addresses.filter((address) => ![server.origin, pages.origin].includes(new URL(address).origin))
      expect(elsewhere).toEqual([])
      await context.close()
    })
})
