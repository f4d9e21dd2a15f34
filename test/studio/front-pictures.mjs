// Makes the pictures of the documentation's first page, light and dark, from the sample workspace: `pnpm studio:shots`.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'

const root = join(import.meta.dirname, '../..')
const target = join(root, 'packages/docs/front/pictures')
const data = mkdtempSync(join(tmpdir(), 'sluice-front-pictures-'))
/** Sharp on most screens, and yet small enough for the first page. */
const deviceScaleFactor = 1.5
const quality = 72
/** Pixels around what is shown. */
const margin = 12

const program = join(root, 'packages/sluice/bin/sluice.js')
const server = spawn(process.execPath, [program, 'serve', '--sample', '--studio-link', '--data', data, '--port', '0'])
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

/** Saves what is shown of an element, down to a height or to the end of another one, as light and as dark picture. */
async function take(page, name, element, end) {
  const cdp = await page.context().newCDPSession(page)
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    await page.waitForTimeout(300)
    const box = await element.boundingBox()
    const last = typeof end === 'number' ? undefined : await end.boundingBox()
    const height = last === undefined ? Math.min(box.height, end) : last.y + last.height - box.y
    const clip = {
      x: box.x - margin,
      y: box.y - margin,
      width: box.width + 2 * margin,
      height: height + 2 * margin,
      scale: 1,
    }
    const { data: bytes } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality, clip })
    const file = join(target, `${name}-${colorScheme}.webp`)
    writeFileSync(file, Buffer.from(bytes, 'base64'))
    process.stdout.write(`${file}\n`)
  }
  await cdp.detach()
}

/** Asks the server as the page does. */
const ask = (page, method, path, body) =>
  page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json', 'x-sluice-studio': '1' }
      const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return text.startsWith('{') ? JSON.parse(text) : text
    },
    [method, path, body],
  )

try {
  mkdirSync(target, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1180, height: 1600 }, deviceScaleFactor })
  await page.goto(link)
  const { origin } = new URL(link)
  await page.getByRole('link', { name: 'Flow', exact: true }).click()
  await page.getByRole('heading', { name: 'Flow', level: 1 }).waitFor()
  await page.waitForTimeout(3_000)
  await take(page, 'flow', page.locator('main'), 700)

  const { data: letters } = await ask(page, 'GET', '/v2/dead-letters?masked=true&limit=1&code=transform.threw')
  await page.setViewportSize({ width: 760, height: 1600 })
  await page.goto(`${origin}/studio/live/${letters[0].messageId}`)
  await page.getByText('ended at').first().waitFor()
  await page.waitForTimeout(1_000)
  const at = (id) => page.getByRole('region', { name: `at ${id}`, exact: true })
  await take(page, 'event', at('everything'), at('orders'))

  const users = [{ userId: 'user-011' }]
  await ask(page, 'POST', '/v2/regulations', {
    regulationType: 'suppress_with_delete',
    destinationIds: ['warehouse'],
    users,
  })
  const { data: regulations } = await ask(page, 'GET', '/v2/regulations')
  const { id } = regulations.at(-1)
  for (let tries = 0; tries < 60; tries += 1) {
    const { isOver } = await ask(page, 'GET', `/v2/regulations/${id}/deletions`)
    if (isOver) break
    await page.waitForTimeout(500)
  }
  await page.setViewportSize({ width: 900, height: 1600 })
  await page.goto(`${origin}/studio/privacy/certificates/${id}`)
  await page.getByRole('heading', { name: 'How to verify it' }).waitFor()
  await take(page, 'deletion', page.locator('article table'), 560)
} finally {
  await browser.close()
  server.removeAllListeners('exit')
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('close', resolve))
  rmSync(data, { recursive: true })
}
