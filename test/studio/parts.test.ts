import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { serveFolder } from './file-server.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { buildStudioPage } from './studio-page.ts'
import { violations } from './studio-scene.ts'

/** The policy of the studio, without a nonce: no part needs one. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; require-trusted-types-for 'script'; trusted-types"

let browser: Browser
let page: Page
let close = (): void => {}
const complaints: string[] = []
beforeAll(async () => {
  if (noBrowser) return
  const built = await buildStudioPage('parts-page')
  const served = await serveFolder(built.folder, '/studio/', policy)
  close = () => {
    served.close()
    built.remove()
  }
  browser = await startBrowser()
  page = await browser.newPage({ timezoneId: 'UTC' })
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(served.address)
  await page.getByRole('heading', { name: 'Parts', exact: true }).waitFor()
})
afterAll(async () => {
  await browser?.close()
  close()
})

const focusedText = (attribute: string): Promise<string | null> =>
  page.evaluate<string | null>(`document.activeElement?.getAttribute('${attribute}') ?? null`)

describe.skipIf(noBrowser)('the parts of the studio', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    it(`are accessible at every width, and none makes the page scroll sideways (${colorScheme})`, async () => {
      // Without motion: colours that still change from the other scheme are no colours of this one.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      for (const width of [1_440, 1_024, 390, 320]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await violations(page), String(width)).toEqual([])
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
      expect(complaints).toEqual([])
    })

  it('have only the rows of a list in the document that are seen, or nearly, however long it is and wherever it is scrolled', async () => {
    const list = page.getByRole('region', { name: 'A hundred thousand rows' })
    const numbers = async (): Promise<readonly number[]> =>
      (await list.getByRole('listitem').allTextContents()).map((text) => Number(text.replaceAll(/[^0-9]/g, '')))
    const [rowPx, heightPx, spareRows] = [30, 240, 8]
    for (const first of [0, 1, 777, 50_000, 99_992]) {
      await list.evaluate((element, top) => element.scrollTo({ top }), first * rowPx)
      await eventually(async () => (await numbers()).includes(first + heightPx / rowPx - 1)).toBe(true)
      const shown = await numbers()
      expect(shown.length).toBeLessThanOrEqual(heightPx / rowPx + 2 * spareRows)
      expect(shown).toEqual(Array.from(shown, (_, n) => Math.max(0, first - spareRows) + n))
    }
  })

  it('show hostile text as text', async () => {
    expect(await page.locator('img').count()).toBe(0)
    await page.getByText('"<img src=x onerror=alert(1)>"').first().waitFor()
  })

  it('are read with arrow keys where they are charts over time, which say what is there', async () => {
    await page.getByRole('slider', { name: 'Delivered and failed in one day, time' }).focus()
    await page.keyboard.press('Home')
    expect(await focusedText('aria-valuetext')).toBe('00:00: 1,000 delivered, 0 failed')
    await page.keyboard.press('PageUp')
    await page.keyboard.press('ArrowRight')
    expect(await focusedText('aria-valuetext')).toBe('02:45: 1,714 delivered, 0 failed')
    await page.keyboard.press('End')
    expect(await focusedText('aria-valuenow')).toBe('95')
    await page.getByText('23:45', { exact: true }).waitFor()
  })

  it('show the numbers of a chart as a table, too', async () => {
    await page.getByText('As a table: Half within, in one day').click()
    const row = page.getByRole('row', { name: /^11:15/ })
    expect(await row.getByRole('cell').textContent()).toBe('–')
  })

  it('say what is not accounted for, in the text of the bar as well', async () => {
    await page
      .getByRole('img', { name: 'Orders, one day: 1,000 is 990 delivered, 3 failed, 7 not accounted for' })
      .waitFor()
  })

  it('move between tabs by arrows, Home and End, with one stop of Tab for all', async () => {
    const tab = (name: string) => page.getByRole('tab', { name, selected: true })
    await tab('Facts').focus()
    await page.keyboard.press('ArrowRight')
    await tab('History 2').waitFor()
    expect(await page.getByRole('tabpanel').textContent()).toContain('Refused')
    await page.keyboard.press('Tab')
    expect(await focusedText('role')).toBe('tabpanel')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Home')
    await tab('Facts').waitFor()
  })

  it('keep the focus in a dialog, and give it back', async () => {
    await page.getByRole('button', { name: 'Open the dialog' }).click()
    const dialog = page.getByRole('dialog', { name: 'Publish mask orders?' })
    await dialog.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Open the dialog')
  })

  it('open and close members of a tree, whose closed members are not made', async () => {
    const tree = page.getByRole('region', { name: 'An event' })
    expect(await tree.getByText('library').count()).toBe(0)
    await tree.getByText('context').click()
    await tree.getByText('library').waitFor()
    await tree.getByText('email, masked').waitFor()
  })

  it('say what was done, and can be dismissed', async () => {
    await page.getByRole('button', { name: 'Show a toast' }).click()
    await page.getByText('It is saved.').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('It is saved.').waitFor({ state: 'hidden' })
  })

  it('do not move where that is not wanted', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    // What moved before ends by itself.
    const moving = () =>
      page.evaluate<readonly string[]>(
        'document.getAnimations().map((each) => each.animationName ?? each.transitionProperty)',
      )
    await eventually(moving).toEqual([])
  })
})
