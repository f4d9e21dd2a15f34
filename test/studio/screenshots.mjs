// Makes the pictures of the studio that the guide shows, from the sample workspace: `pnpm screenshots`.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'packages/docs/screenshots')
const data = mkdtempSync(join(tmpdir(), 'sluice-screenshots-'))
const views = [
  'Overview',
  'Flow',
  'Live events',
  'Failed events',
  'Sources',
  'Transformations',
  'Destinations',
  'Catalogue',
  'Warehouse',
  'Privacy',
  'Server',
  'Changes',
]

/** Opens a transformation, and runs it on events. */
async function tryCode(page) {
  await page.getByRole('button', { name: 'New transformation' }).click()
  await page.getByLabel('Name of a new transformation').fill('Totals in euros')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByLabel('Code of Totals in euros').click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(`/** Adds the total in euros to orders. */
export function transformEvent(event: TrackEvent) {
  const { total, currency } = event.properties ?? {}
  if (currency !== 'USD' || typeof total !== 'number') return event
  log('converted', event.messageId)
  return { ...event, properties: { ...event.properties, total_eur: total * 0.92 } }
}
`)
  await page.keyboard.press('Control+Enter')
  await page.getByText('No event failed').waitFor()
}

const server = spawn(process.execPath, [
  join(root, 'packages/sluice/bin/sluice.js'),
  'serve',
  '--sample',
  '--studio-link',
  '--data',
  data,
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
try {
  mkdirSync(target, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' })
  await page.goto(link)
  for (const view of views) {
    const link = { name: new RegExp(`^${view}( [\\d,]+)?$`) }
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', link).click()
    await page.getByRole('heading', { name: view, level: 1, exact: true }).waitFor()
    if (view === 'Transformations') await tryCode(page)
    // Rates and streams need some seconds.
    await page.waitForTimeout(3_000)
    const file = join(target, `${view.toLowerCase().replaceAll(' ', '-')}.png`)
    await page.screenshot({ path: file })
    process.stdout.write(`${file}\n`)
  }
} finally {
  await browser.close()
  server.removeAllListeners('exit')
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('close', resolve))
  rmSync(data, { recursive: true })
}
