import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'

let browser: Browser | undefined
let server: StudioServer
beforeAll(async () => {
  if (noBrowser) return
  browser = await startBrowser()
  server = await createStudioServer()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})

describe.skipIf(noBrowser)('the pages of a server that need no sign-in', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`lead from the start to the studio and to all routes, load nothing else, and suit everybody: ${colorScheme}`, async () => {
      const page = await (browser as Browser).newPage({ colorScheme, viewport: { width: 320, height: 640 } })
      const requested: string[] = []
      const errors: string[] = []
      page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      page.on('console', (message) => errors.push(message.text()))
      await page.goto(`${server.origin}/`)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^Sluice \d/)
      expect(await page.getByRole('link', { name: 'Studio' }).getAttribute('href')).toBe('studio/')
      expect(await violations(page)).toEqual([])
      await page.getByRole('link', { name: 'API', exact: true }).click()
      await page.getByText('POST /v1/track').click()
      await page.getByText('The write key').first().waitFor({ state: 'attached' })
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      expect(requested.filter((path) => path !== '/favicon.ico')).toEqual(['/', '/openapi'])
      expect(errors).toEqual([])
      await page.close()
    })
})
