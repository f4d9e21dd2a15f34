import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { deletedUser } from './deleted-user.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { openStudio, type StudioScene, violations } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'
import { chooseColours, linkName, openView, studioViews } from './studio-views.ts'

let browser: Browser
let server: StudioServer
let scene: StudioScene
let page: Page
beforeAll(async () => {
  if (noBrowser) return
  browser = await startBrowser()
  server = await createStudioServer()
  await server.send(
    ['Viewed', 'Bought', 'refuse'].map((event, n) => ({ type: 'track', event, userId: `u${n}`, messageId: `m${n}` })),
  )
  await server.sluice.settled()
  scene = await openStudio(browser, server)
  page = scene.page
})
afterAll(async () => {
  await scene?.close()
  await browser?.close()
  await server?.close()
})

const open = async (path: string): Promise<void> => {
  await page.goto(`${server.origin}/studio/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(() => page.locator('main [aria-busy]').count()).toBe(0)
}
const resize = (width: number): Promise<void> => page.setViewportSize({ width, height: width < 500 ? 800 : 900 })
const scrollWidth = (): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth')
const focused = (): Promise<string> =>
  page.evaluate<string>(
    `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
  )

/** Pages of one record each. */
async function recordPaths(): Promise<readonly string[]> {
  const { sluice } = server
  const code = 'export function transformEvent(event) { return event }'
  const transformation = await sluice.transformations.create('shop', 'transformation', { name: 'Sums', code })
  const [letter] = await sluice.deadLetters.list('shop', { limit: 1 })
  const [model] = await sluice.catalogue.models('shop')
  const id = await deletedUser(server, 'u9')
  if (!transformation.ok) throw new Error('the transformation cannot be created')
  return [
    'destinations/new',
    'destinations/hook',
    'destinations/hook?tab=settings',
    'destinations/hook?tab=try',
    'destinations/hook?tab=failed',
    'destinations/hook?tab=last',
    'destinations/new?type=AM',
    'sources/web',
    'live/m2',
    'privacy?user=u0',
    `privacy/requests/${id}`,
    `privacy/certificates/${id}`,
    'changes?tab=calls',
    `transformations/${transformation.value.record.id}`,
    `failed/${letter?.id}`,
    `catalogue/${model?.eventId}`,
    'no-such-page',
  ]
}

describe.skipIf(noBrowser)('the frame of the studio', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`is accessible around every page at every width, and no page scrolls sideways (${theme})`, async () => {
      await resize(1_440)
      await open('')
      await chooseColours(page, theme)
      const wrong: string[] = []
      const widths = [1_440, 1_024, 390, 320]
      const views = Object.values(studioViews).map((path) => ({ path, widths }))
      const records = (await recordPaths()).map((path) => ({ path, widths: [1_440, 320] }))
      for (const { path, widths } of [...views, ...records]) {
        await resize(1_440)
        await open(path)
        for (const width of widths) {
          await resize(width)
          for (const problem of await violations(page)) wrong.push(`${path} ${width}: ${problem}`)
          if ((await scrollWidth()) > width) wrong.push(`${path} ${width}: scrolls to ${await scrollWidth()}`)
        }
      }
      expect(wrong).toEqual([])
      for (const width of [1_440, 390]) {
        await resize(width)
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Search or jump to' }).fill('o')
        expect(await violations(page), `palette at ${width}`).toEqual([])
        await page.keyboard.press('Escape')
      }
      await page.getByRole('button', { name: 'Menu' }).click()
      await page.getByRole('navigation', { name: 'Views' }).waitFor()
      expect(await violations(page), 'drawer').toEqual([])
      expect(scene.complaints.filter((text) => !text.includes('404'))).toEqual([])
    })

  it('says where one is, and how many events have failed', async () => {
    await resize(1_280)
    await open('failed')
    const current = page.locator('nav a[aria-current="page"]')
    await eventually(async () => (await current.allTextContents()).map((text) => text.trim())).toEqual([
      'Failed events 1',
    ])
    expect(await page.title()).toMatch(/^Failed events · /)
    await open('failed/list')
    expect(await current.count()).toBe(1)
  })

  it('leads from addresses of before to those of today, with the rest of the path and the query', async () => {
    const cases = {
      'dead-letters': 'failed',
      'dead-letters/list?destination=hook': 'failed/list?destination=hook',
      warehouses: 'warehouse',
      'destinations/sources/web': 'sources/web',
    }
    for (const [before, today] of Object.entries(cases)) {
      await open(before)
      expect(page.url()).toBe(`${server.origin}/studio/${today}`)
    }
  })

  it('is a column of signs on a narrow screen, which say their names on focus', async () => {
    await resize(1_024)
    await open('flow')
    const name = page.getByRole('link', { name: 'Catalogue', exact: true }).locator('.rail-text')
    expect((await name.boundingBox())?.width).toBeLessThan(5)
    await page.getByRole('link', { name: 'Destinations', exact: true }).focus()
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Catalogue')
    expect((await name.boundingBox())?.width).toBeGreaterThan(50)
  })

  it('scrolls its column of signs in a low window, and leaves the page beside it free', async () => {
    await page.setViewportSize({ width: 1_024, height: 480 })
    await open('flow')
    await page.locator('.rail').getByRole('link', { name: 'Flow', exact: true }).hover()
    await page.mouse.wheel(0, 2_000)
    await eventually(() => page.evaluate<number>("document.querySelector('.rail').scrollTop")).toBeGreaterThan(0)
    const last = page.locator('.rail').getByRole('link', { name: 'Changes', exact: true })
    const box = await last.boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(480)
    await last.hover()
    expect((await last.locator('.rail-text').boundingBox())?.width).toBeGreaterThan(40)
    // What lies beside the signs belongs to the page.
    expect(await page.evaluate<boolean>(`document.elementFromPoint(120, 240).closest('main') !== null`)).toBe(true)
    await last.click()
    await page.getByRole('heading', { name: 'Changes', level: 1 }).waitFor()
    expect(await scrollWidth()).toBeLessThanOrEqual(1_024)
  })

  it('is a drawer on a phone: closed it takes no focus, open it keeps the page away, Escape gives the focus back', async () => {
    await resize(390)
    await open('flow')
    const link = page.getByRole('link', { name: linkName('Failed events') })
    expect(await link.isVisible()).toBe(false)
    const menu = page.getByRole('button', { name: 'Menu' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await eventually(() => link.isVisible()).toBe(true)
    expect(await page.locator('main').evaluate((main) => (main as unknown as { inert: boolean }).inert)).toBe(true)
    await page.keyboard.press('Escape')
    await eventually(() => link.isVisible()).toBe(false)
    expect(await focused()).toBe('Menu')
    await menu.click()
    await link.click()
    await page.getByRole('heading', { name: 'Failed events', level: 1 }).waitFor()
    await eventually(() => link.isVisible()).toBe(false)
  })

  it('lets the keyboard skip the navigation', async () => {
    await resize(1_280)
    await open('flow')
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  it('jumps by Ctrl K to pages, records and events, and gives the focus back when it is left', async () => {
    await resize(1_280)
    await open('flow')
    await page.getByRole('link', { name: 'Catalogue', exact: true }).focus()
    const jump = async (text: string, option: RegExp): Promise<void> => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor()
      await page.keyboard.insertText(text)
      await page.getByRole('option', { name: option, selected: true }).waitFor()
    }
    await jump('hook', /^Hook/)
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Catalogue')
    await jump('hook', /^Hook/)
    await page.keyboard.press('Enter')
    await eventually(() => page.url()).toBe(`${server.origin}/studio/destinations/hook`)
    await jump('bought', /^Bought/)
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /Event with this id/, selected: true }).waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await eventually(() => page.url()).toContain('/studio/catalogue/')
    await jump('m2', /Event with this id/)
    await page.keyboard.press('Enter')
    await page
      .getByText(/refused the request/)
      .first()
      .waitFor()
    expect(page.url()).toBe(`${server.origin}/studio/live/m2`)
  })

  it('says who is signed in and for how long', async () => {
    await openView(page, 'Overview')
    await page.getByText(/^Operator, 1[12] h left$/).waitFor()
  })
})

describe.skipIf(noBrowser)('the sign-in', () => {
  const signInAt = async (link: string, text: RegExp): Promise<void> => {
    const context = await browser.newContext()
    const other = await context.newPage()
    for (const theme of ['light', 'dark'] as const)
      for (const width of [1_440, 320]) {
        await other.emulateMedia({ colorScheme: theme })
        await other.setViewportSize({ width, height: 800 })
        await other.goto('about:blank')
        await other.goto(link)
        await other.getByText(text).waitFor()
        expect(await violations(other), `${theme} ${width}`).toEqual([])
        expect(await other.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      }
    await context.close()
  }

  it('explains both ways, and is accessible', () => signInAt(`${server.origin}/studio/`, /prints one when it starts/))

  it('says that a link was used already', async () => {
    const link = await server.link()
    const context = await browser.newContext()
    await (await context.newPage()).goto(link)
    await context.pages()[0]?.getByRole('heading', { name: 'Overview' }).waitFor()
    await context.close()
    await signInAt(link, /This link was used already/)
  })

  it('says that a link is of another server, or too old', () =>
    signInAt(`${server.origin}/studio/#code=of-another-server`, /not of this server, or is older than a day/))
})
