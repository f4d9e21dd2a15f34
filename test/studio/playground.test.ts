import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { serveFolder } from './file-server.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'packages/studio/dist/playground')

it('is served by npm run playground, which prints the address', { timeout: 60_000 }, async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // What the script runs after the build.
  const [program = '', ...args] = scripts.playground.split(' && ').at(-1).split(' ')
  const server = spawn(program, [...args, '--port', '0'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'close')
  try {
    let printed = ''
    for await (const part of server.stdout) {
      printed += stripVTControlCharacters(String(part))
      if (/http:\S+:\d+\/\s/.test(printed)) break
    }
    const [address = ''] = /http:\S+/.exec(printed) ?? []
    expect(await (await fetch(address)).text()).toContain('<title>Sluice playground</title>')
  } finally {
    // npm has started the server, which is of the same group.
    process.kill(-(server.pid ?? 0), 'SIGTERM')
    await ended
  }
})

describe.skipIf(noBrowser)('the playground, from a plain file server', () => {
  let server: Awaited<ReturnType<typeof serveFolder>>
  let browser: Browser
  let context: BrowserContext
  let page: Page
  /** What the browser complains about, and requests to elsewhere. */
  const complaints: string[] = []
  /** Files that were loaded since the page was opened. */
  let loaded: Set<string>

  async function open(fragment = ''): Promise<Page> {
    const opened = await context.newPage()
    loaded = new Set()
    opened.on('console', (message) => complaints.push(message.text()))
    opened.on('pageerror', (error) => complaints.push(String(error)))
    await opened.goto(`${server.address}${fragment}`)
    await opened.getByRole('button', { name: 'Run' }).waitFor()
    return opened
  }
  const result = async (of = page): Promise<string> =>
    (await of.getByRole('region', { name: 'Result' }).textContent()) ?? ''
  const run = (): Promise<void> => page.getByRole('button', { name: 'Run' }).click()
  async function writeCode(code: string): Promise<void> {
    await page.getByLabel('Code', { exact: true }).click()
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText(code)
  }

  beforeAll(async () => {
    server = await serveFolder(folder, '/any/where/')
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
  })
  afterEach(() => expect(complaints.splice(0)).toEqual([]))
  beforeEach(async () => {
    await context?.close()
    context = await browser.newContext()
    context.on('request', (request) => {
      const url = request.url()
      if (url.startsWith('blob:')) return
      if (url.startsWith(server.address)) loaded.add(new URL(url).pathname)
      else complaints.push(url)
    })
    page = await open()
  })

  it('runs an example: what the code returned and logged, and the requests, with at most 342 kB loaded', async () => {
    await run()
    await eventually(result).toContain('Order Completed is large: true')
    expect(await result()).toMatch(/2 events\. Loading the code took/)
    expect(await result()).toContain('"isLarge": true')
    expect(await result()).toContain('"endpoint": "https://hook.example/in"')
    const names = [...loaded].map((path) => (path.endsWith('/') ? 'index.html' : path.slice('/any/where/'.length)))
    const bytes = names.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length)
    const kilobytes = bytes.reduce((sum, each) => sum + each, 0) / 1_000
    expect(names.map((name) => basename(name)).some((name) => name.startsWith('engine-'))).toBe(true)
    expect(kilobytes, names.map((name, at) => `${name} ${bytes[at]}`).join('\n')).toBeLessThanOrEqual(342)
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0)
  })

  it('says at which line code fails, ends code that hangs, and runs the next one', async () => {
    await writeCode('export function transformEvent(event) {\n  return event.nothing.there\n}')
    await run()
    await eventually(result).toMatch(/Line 2: TypeError/)
    await page.locator('.cm-lint-marker-error').waitFor()
    await writeCode('export function transformEvent(event) { for (;;); }')
    await page.keyboard.press('Control+Enter')
    await eventually(result).toContain('Script execution timed out')
    await writeCode('export const transformEvent = (event) => ({ ...event, after: 1 })')
    await run()
    await eventually(result).toContain('"after": 1')
  })

  it('lets code reach nothing: neither the network nor the page', async () => {
    const code = `export function transformEvent() {
      const seen = ['fetch', 'XMLHttpRequest', 'WebSocket', 'postMessage', 'importScripts', 'indexedDB']
      return { seen: seen.map((name) => typeof globalThis[name]).join(' ') }
    }`
    await writeCode(code)
    await run()
    // The sandbox has a fetch of its own, which refuses.
    await eventually(result).toContain('function undefined undefined undefined undefined undefined')
    await writeCode("export async function transformEvent() { return { got: await fetchV2('https://leak.test/') } }")
    await run()
    await eventually(result).toMatch(/fetch is not allowed/)
  })

  it('gives its Workers the policy of the page, though the server sends none', async () => {
    await run()
    await eventually(result).toContain('isLarge')
    expect(page.workers().length).toBe(2)
    const stopped = `new Promise((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
      fetch('https://leak.test/').then(() => resolve('sent'), () => {})
    })`
    for (const worker of page.workers()) expect(await worker.evaluate(stopped)).toBe('connect-src')
    // The browser says so in its console, too.
    expect(complaints.splice(0).filter((each) => each.startsWith('https:'))).toEqual([])
  })

  it('can be used by keys alone', async () => {
    const focused = (): Promise<string> =>
      page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
    const tabTo = async (name: string): Promise<void> => {
      for (let steps = 0; steps < 20 && (await focused()) !== name; steps += 1) {
        // Escape lets Tab leave the editor.
        await page.keyboard.press('Escape')
        await page.keyboard.press('Tab')
      }
      expect(await focused()).toBe(name)
    }
    await tabTo('Code')
    await page.locator('.cm-content').waitFor()
    await tabTo('Run')
    await page.keyboard.press('Enter')
    await eventually(result).toContain('isLarge')
    await tabTo('Keep as a version')
  })

  it('maps to other destinations, says which settings are wrong, and keeps secrets out of the address', async () => {
    await page.getByLabel('Destination', { exact: true }).selectOption({ label: 'Google Analytics 4 (GA4)' })
    const settings = page.getByLabel('Settings', { exact: true })
    await eventually(() => settings.inputValue()).toContain('apiSecret')
    const given = JSON.parse(await settings.inputValue())
    await settings.fill(JSON.stringify({ ...given, apiSecret: 'planted-secret' }))
    await eventually(() => page.url()).toContain('#1=')
    await run()
    await eventually(result).toContain('google-analytics.com')
    const copied = await open(new URL(page.url()).hash)
    const shared = await copied.getByLabel('Settings', { exact: true }).inputValue()
    expect(shared).toContain('apiSecret')
    expect(shared).not.toContain('planted-secret')
    await settings.fill('{ "apiSecret": 7 }')
    await run()
    await eventually(result).toMatch(/Setting apiSecret: must be/)
  })

  it('keeps what was written in the address, which another tab opens, and runs nothing before one says so', async () => {
    await page.getByRole('textbox', { name: 'Events' }).fill('[{ "type": "track", "event": "Shared" }]')
    await writeCode('export const transformEvent = (event) => ({ ...event, shared: true })')
    const before = page.url()
    await eventually(() => page.url()).not.toBe(before)
    await eventually(() => page.evaluate('location.hash.length')).toBeGreaterThan(50)
    await page.waitForFunction(`new Promise((done) => {
      const seen = location.hash
      setTimeout(() => done(location.hash === seen), 500)
    })`)
    const other = await open(new URL(page.url()).hash)
    await other.getByText('It runs when you press Run').waitFor()
    expect([...loaded].some((path) => path.includes('engine-'))).toBe(false)
    expect(await other.getByRole('textbox', { name: 'Events' }).inputValue()).toContain('Shared')
    await other.getByRole('button', { name: 'Run' }).click()
    await eventually(() => result(other)).toContain('"shared": true')
  })

  it('opens with its first example when the address holds nothing that can be read', async () => {
    const bomb = Buffer.from(gzipSync(Buffer.alloc(50_000_000)).subarray(10, -8)).toString('base64url')
    const wrong = Buffer.from('[1]').toString('base64url')
    for (const fragment of [
      '#1=',
      '#1=%%%',
      `#1=${wrong}`,
      `#1=${bomb}`,
      `#1=${'A'.repeat(200_000)}`,
      '#<img onerror=1>',
    ]) {
      const opened = await open(fragment)
      expect(await opened.getByLabel('Code', { exact: true }).inputValue(), fragment.slice(0, 20)).toContain('isLarge')
      await opened.close()
    }
  })

  it('compares what two versions return', async () => {
    await run()
    await eventually(result).toContain('isLarge')
    await page.getByRole('button', { name: 'Keep as a version' }).click()
    await page.getByLabel('Sample code').selectOption({ label: 'One event per product' })
    await run()
    await eventually(result).toContain('Product Bought')
    await page.getByRole('button', { name: 'Keep as a version' }).click()
    const versions = page.getByRole('region', { name: 'Versions' })
    await versions.getByLabel('Outputs, compared').waitFor()
    expect(await versions.locator('.cm-changedLine, .cm-insertedLine').count()).toBeGreaterThan(0)
    await versions.getByLabel('with').selectOption('1')
    await versions.getByRole('button', { name: 'Go back to version 1' }).click()
    await eventually(() => page.getByLabel('Code', { exact: true }).inputValue()).toContain('isLarge')
  })

  it('runs TypeScript, and completes the names of the events and of types', async () => {
    await page.getByLabel('Sample code').selectOption({ label: 'TypeScript (loads TypeScript, about 1 MB)' })
    await run()
    await eventually(result).toContain('"sum": 99.5')
    await writeCode('export function transformEvent(event) {\n  return event.properties.')
    await page.keyboard.type('cou')
    await page.locator('.cm-tooltip-autocomplete').getByText('coupon').waitFor()
  })

  it.each(['light', 'dark'] as const)(
    'breaks no rule of accessibility, and fits into 320 pixels (%s)',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await run()
      await eventually(result).toContain('isLarge')
      expect(await violations(page)).toEqual([])
      await page.getByLabel('Code', { exact: true }).click()
      await page.locator('.cm-content').waitFor()
      expect(await violations(page)).toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    },
  )
})
