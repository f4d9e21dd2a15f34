// Makes the pictures of every page of the studio, light and dark, with a day of the demonstration: `pnpm studio:shots`.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'packages/docs/screenshots')
const quality = 74
/** Rates and streams need some seconds. */
const calmMs = 2_500

/** Pages by the names of their pictures, and what is opened on them. Addresses are below `/studio`. */
const pages = [
  ['overview', () => '/'],
  ['flow', () => '/flow'],
  ['live-events', ({ messageId }) => `/live/${messageId}`],
  ['failed-events', () => '/failed', (page) => page.locator('main a[href*="/failed"]').first().click()],
  ['sources', () => '/sources'],
  ['transformations', () => '/transformations'],
  ['editor', ({ transformationId }) => `/transformations/${transformationId}`],
  ['destinations', () => '/destinations'],
  ['destination', () => '/destinations/crm'],
  ['destination-settings', () => '/destinations/crm?tab=settings'],
  ['catalogue', () => '/catalogue', (page) => page.getByText('Order Completed').first().click()],
  ['warehouse', () => '/warehouse', (page) => page.getByText('order_completed').first().click()],
  ['privacy', () => '/privacy', (page) => page.getByRole('link', { name: 'user-042' }).click()],
  ['server', () => '/server'],
  ['changes', () => '/changes'],
  ['palette', () => '/', (page) => page.keyboard.press('Control+k')],
]

const server = spawn(process.execPath, [
  join(root, 'packages/sluice/bin/sluice.js'),
  'serve',
  '--demo',
  '--studio-link',
  '--port',
  '0',
])
const link = await new Promise((resolve, reject) => {
  let text = ''
  server.stdout.on('data', (chunk) => {
    text += chunk
    const [found] = /http:\S+#code=\S+/.exec(text) ?? []
    if (found) resolve(found)
  })
  server.on('exit', (status) => reject(new Error(`sluice serve exited with ${status}`)))
})
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
})

/** Asks the server as the page does. */
const ask = (page, path) =>
  page.evaluate(async (path) => (await fetch(path, { headers: { 'x-sluice-studio': '1' } })).json(), path)

async function save(page, cdp, name) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(300)
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality })
    const file = join(target, `${name}-${colorScheme}.webp`)
    writeFileSync(file, Buffer.from(data, 'base64'))
    process.stdout.write(`${file}\n`)
  }
}

try {
  mkdirSync(target, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const cdp = await page.context().newCDPSession(page)
  const { origin } = new URL(link)
  await page.goto(`${origin}/studio/`)
  await page.getByLabel('Access token').waitFor()
  await save(page, cdp, 'sign-in')
  // Another hash alone would not load the page again.
  await page.goto('about:blank')
  await page.goto(link)
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  const [{ id: transformationId } = {}] = (await ask(page, '/transformations')).transformations
  const { data: letters = [] } = await ask(page, '/v2/dead-letters?masked=true&limit=1&code=deliver.refused')
  const ids = { transformationId, messageId: letters[0]?.messageId ?? '' }
  for (const [name, pathOf, open] of pages) {
    await page.goto(`${origin}/studio${pathOf(ids)}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForTimeout(calmMs)
    await open?.(page)
    if (open) await page.waitForTimeout(calmMs)
    await save(page, cdp, name)
  }
} finally {
  await browser.close()
  server.removeAllListeners('exit')
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('close', resolve))
}
