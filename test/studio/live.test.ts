import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import type { Store } from '@sluice/pipeline'
import { openSqliteStore } from '@sluice/storage'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/http/free-port.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { openStudio, type StudioScene } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'

let browser: Browser
let server: StudioServer
let scene: StudioScene
beforeAll(async () => {
  if (noBrowser) return
  browser = await startBrowser()
  server = await createStudioServer()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(() => scene?.close())

const watch = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Live events', exact: true }).click()
  await page.getByText(/^Watching/).waitFor()
}
const seen = async (page: Page): Promise<number> => {
  const text = (await page.getByRole('status').filter({ hasText: 'came' }).textContent()) ?? ''
  return Number(/([\d,]+) came/.exec(text)?.[1]?.replaceAll(',', ''))
}
const leftOut = async (page: Page): Promise<number> => {
  const text = (await page.getByRole('status').filter({ hasText: 'came' }).textContent()) ?? ''
  return Number(/([\d,]+|none) left out/.exec(text)?.[1]?.replaceAll(',', '').replace('none', '0'))
}
const watchers = async (): Promise<number> =>
  (await server.sluice.usage()).find(({ budget }) => budget === 'taps')?.used ?? 0

describe.skipIf(noBrowser)('live events in the studio', () => {
  it('are shown or counted as left out, each of them, however many come', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await watch(page)
    const events = Array.from({ length: 600 }, (_, n) => ({ type: 'track', event: 'Many', userId: `u${n % 50}` }))
    for (let start = 0; start < events.length; start += 100) await server.send(events.slice(start, start + 100))
    await server.sluice.settled()
    // Accepted once, ended at two destinations.
    const all = async () => (await seen(page)) + (await leftOut(page))
    await eventually(all).toBe(3 * events.length)
    expect(await page.locator('.virtual-list .entry').count()).toBeLessThan(60)
  })

  it('stand still while they are paused, and say how many are new', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await watch(page)
    await page.getByRole('button', { name: /^Pause/ }).click()
    await server.send([{ type: 'track', event: 'Later', userId: 'u' }])
    await page.getByText(/3 new/).waitFor()
    expect(await page.getByRole('link', { name: /Later/ }).count()).toBe(0)
    await page.getByRole('button', { name: /^Continue/ }).click()
    await page.getByRole('link', { name: /accepted Later track Web shop/ }).waitFor()
  })

  it('have a journey with the request that was delivered and its answer, as has the destination', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await watch(page)
    await server.send([{ type: 'track', event: 'Asked for', userId: 'u', properties: { email: 'ann@shop.test' } }])
    await page.getByRole('link', { name: /delivered .*Asked for/ }).click()
    await page.getByRole('tab', { name: 'Event', exact: true }).click()
    const atHook = page.getByRole('region', { name: 'payload at Hook' })
    await atHook.getByText('Delivered to Hook').waitFor()
    const request = (await atHook.getByLabel('Request to Hook').textContent()) ?? ''
    expect(request).toMatch(/event ?"Asked for"/)
    expect(request).toMatch(/email ?email, masked/)
    await page.goto(`${server.origin}/studio/destinations/hook`)
    await page.getByRole('tab', { name: 'Last requests' }).click()
    const last = page.locator('.requests')
    await last.getByText('200').first().click()
    expect(await last.textContent()).not.toContain('ann@shop.test')
    await page.getByRole('button', { name: /^Show personal data/ }).click()
    await last.getByText('200').first().click()
    await last.getByText('ann@shop.test').first().waitFor()
  })

  it('come in several tabs over one stream, and continue when a connection is lost', async () => {
    scene = await openStudio(browser, server)
    const { page } = scene
    await watch(page)
    const others: Page[] = []
    for (let n = 0; n < 4; n += 1) {
      const other = await page.context().newPage()
      await other.goto(`${server.origin}/studio/live`)
      others.push(other)
    }
    server.cutConnections()
    await server.send([{ type: 'track', event: 'In all tabs', userId: 'u' }])
    await eventually(async () => {
      await server.send([{ type: 'track', event: 'In all tabs', userId: 'u' }])
      const counts = await Promise.all(
        [page, ...others].map((each) => each.getByRole('link', { name: /In all tabs/ }).count()),
      )
      return counts.every((count) => count > 0)
    }).toBe(true)
    expect(await watchers()).toBe(1)
  })

  it('continue when the server was restarted, without signing in again', async () => {
    const port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'sluice-studio-'))
    const open = (): Promise<Store> =>
      openSqliteStore({ path: join(folder, 'db'), clock: systemClock, random: systemRandom })
    const ledgerFolder = join(folder, 'ledger')
    const before = await createStudioServer({ port, store: await open(), ledgerFolder })
    scene = await openStudio(browser, before)
    const { page } = scene
    await watch(page)
    await before.close()
    const after = await createStudioServer({ port, store: await open(), ledgerFolder })
    try {
      await page.getByText(/^Watching/).waitFor({ timeout: 10_000 })
      await eventually(async () => {
        await after.send([{ type: 'track', event: 'After', userId: 'u' }])
        return page.getByRole('link', { name: /After/ }).count()
      }).toBeGreaterThan(0)
    } finally {
      await scene.close()
      await after.close()
      rmSync(folder, { recursive: true })
    }
  })
})
