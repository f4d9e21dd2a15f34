import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serveFolder } from '../studio/file-server.ts'
import { violations } from '../studio/studio-scene.ts'
import { eventually } from '../support/eventually.ts'
import { noChromium, startChromium } from '../support/pages/chromium.ts'
import { writeFrontPage } from './pages/write-front-page.ts'

const root = resolve(import.meta.dirname, '../..')
const path = '/any/where/'

describe.skipIf(noChromium)('the first page of the documentation, from a plain file server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-front-'))
  let server: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** What the browser complains about, and requests to elsewhere. */
  const complaints: string[] = []
  /** Files that were loaded, below the folder. */
  const loaded = new Set<string>()

  const result = async (): Promise<string> =>
    (await page.getByRole('region', { name: 'What the two events became' }).textContent()) ?? ''
  const write = async (code: string): Promise<void> => page.getByLabel('transformation.js').fill(code)
  /** Bytes of what was loaded, as a server sends it that compresses texts. */
  const bytesLoaded = (): number =>
    [...loaded]
      .map((name) => readFileSync(join(folder, name === '' ? 'index.html' : name)))
      .reduce((sum, bytes) => sum + Math.min(bytes.length, gzipSync(bytes).length), 0)

  beforeAll(async () => {
    writeFrontPage(root, folder)
    server = await serveFolder(folder, path)
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    context.on('request', (request) => {
      const url = request.url()
      if (url.startsWith('blob:')) return
      if (url.startsWith(server.address)) loaded.add(new URL(url).pathname.slice(path.length))
      else complaints.push(url)
    })
    page = await context.newPage()
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(String(error)))
    loaded.clear()
    await page.goto(server.address)
    await page.waitForLoadState('networkidle')
  })
  afterEach(async () => {
    await context.close()
    expect(complaints.splice(0)).toEqual([])
  })

  it('starts with at most 150 kB, whole pictures included, and nothing of the sandbox', async () => {
    expect([...loaded].filter((name) => name.startsWith('playground/'))).toEqual([])
    expect(loaded.has('front/pictures/flow-light.webp')).toBe(true)
    expect(bytesLoaded() / 1_000, [...loaded].join(', ')).toBeLessThanOrEqual(150)
  })

  it('shows the product without scrolling: title, commands, the flow', async () => {
    for (const shown of [
      page.getByRole('heading', { level: 1 }),
      page.getByText('npm start', { exact: false }).first(),
      page.getByRole('img', { name: /flow of the sample shop/ }),
    ]) {
      const box = await shown.boundingBox()
      expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900)
    }
  })

  it('shows the picture of the reader’s colours', async () => {
    const flow = page.getByRole('img', { name: /flow of the sample shop/ })
    const shown = (): Promise<string> => flow.evaluate('document.querySelector(".hero img").currentSrc')
    expect(await shown()).toMatch(/flow-light\.webp$/)
    await page.emulateMedia({ colorScheme: 'dark' })
    await eventually(shown).toMatch(/flow-dark\.webp$/)
  })

  it('shows what its code returns before anything ran', async () => {
    const before = await result()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('as in production').waitFor()
    expect((await result()).replaceAll(/\s/g, '')).toBe(before.replaceAll(/\s/g, ''))
  })

  it('runs what a reader writes, from the first key on, and says what is wrong and where', async () => {
    await page.getByLabel('transformation.js').press('End')
    await page.getByLabel('transformation.js').press('Enter')
    await eventually(() => [...loaded].some((name) => name.includes('engine-'))).toBe(true)
    await write('export const transformEvent = (event) => ({ ...event, seen: true })')
    await eventually(result).toContain('"seen": true')
    await write('export function transformEvent(event) {\n  return event.nothing.there\n}')
    await eventually(result).toMatch(/Order Completed: failed, line 2, TypeError/)
    await write('export function transformEvent(event) {')
    await eventually(result).toMatch(/failed, line \d+, SyntaxError/)
    await write('export function transformEvent() { for (;;); }')
    await eventually(result).toContain('Script execution timed out')
    await write('export function transformEvent(event) { return { sent: typeof XMLHttpRequest, at: typeof document } }')
    await eventually(result).toContain('"sent": "undefined"')
  })

  it.each(['light', 'dark'] as const)('breaks no rule of accessibility (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    for (const width of [1440, 320]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await violations(page)).toEqual([])
    }
    await write('export function transformEvent(event) { event.nothing.there }')
    await eventually(result).toContain('failed')
    expect(await violations(page)).toEqual([])
  })

  it.each([320, 375, 600, 768, 959, 960, 1024, 1280, 1440])('has no sideways scrolling at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })
})

describe('the first page of the documentation', () => {
  const html = readFileSync(join(root, 'packages/docs/front/index.html'), 'utf8')
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const textOf = (markup: string): string => markup.replaceAll(/<[^>]+>/g, '').trim()

  it('embeds with the six lines that README.md shows, whose block is run by a test', () => {
    const [, code = ''] = /id="embed-code"[^>]*><code>([^<]+)<\/code>/.exec(html) ?? []
    expect(code.split('\n').length).toBe(6)
    expect(readme).toContain(`\`\`\`ts\n${code}\n\`\`\`\n`)
  })

  it('compares as README.md does', () => {
    const rows = [...(/<table class="compared">.*?<\/table>/s.exec(html)?.[0] ?? '').matchAll(/<tr>.*?<\/tr>/g)]
    const cells = rows
      .slice(1)
      .map(([row]) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => textOf(cell)))
    expect(cells.length).toBeGreaterThan(8)
    for (const row of cells) expect(readme.replaceAll('**', '')).toContain(`| ${row.join(' | ')} |`)
  })

  it('shows figures that performance.md has', () => {
    const performance = readFileSync(join(root, 'packages/docs/performance.md'), 'utf8')
    const bars = [
      ...html.matchAll(/<th scope="row">([^<]+)<\/th><td><svg.*?<rect width="(\d+)".*?<\/svg>([\d,]+)<\/td>/g),
    ]
    expect(bars.length).toBe(8)
    for (const [, name, width, figure = ''] of bars) {
      expect(Number(width)).toBe(Number(figure.replace(',', '')))
      expect(performance).toMatch(new RegExp(`\\| ${name} \\|.*\\| ${figure}/s \\| [^|]* \\|\\n`))
    }
  })

  it('leads only to what the site has', () => {
    const pictures = readdirSync(join(root, 'packages/docs/front/pictures'))
    const shown = [...html.matchAll(/(?:src|srcset)="\.\/front\/pictures\/([^"]+)"/g)].map(([, name]) => name)
    expect(shown.toSorted()).toEqual(pictures.toSorted())
    for (const [, name = ''] of html.matchAll(/"\.\/front\/([\w.-]+)"/g))
      expect(statSync(join(root, 'packages/docs/front', name)).isFile()).toBe(true)
  })
})
