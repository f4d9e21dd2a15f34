import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { deletedUser } from './deleted-user.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { openStudio, type StudioScene, violations } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'
import { chooseColours, openView, type StudioView, studioViews } from './studio-views.ts'

let browser: Browser
let server: StudioServer
let scene: StudioScene
/** The paths of pages that show one record each. */
let records: readonly string[] = []
beforeAll(async () => {
  if (noBrowser) return
  browser = await startBrowser()
  server = await createStudioServer()
  await server.send(
    ['Viewed', 'Bought', 'refuse'].map((event, n) => ({
      type: 'track',
      event,
      userId: `u${n}`,
      messageId: `m${n}`,
      properties: { total: n, email: `u${n}@shop.test`, note: '<img src=x onerror=alert(1)>' },
    })),
  )
  await server.sluice.settled()
  await server.sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: 'gone' }] })
  records = await recordPages()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(() => scene?.close())

const open = async (): Promise<StudioScene> => {
  scene = await openStudio(browser, server)
  return scene
}

async function recordPages(): Promise<readonly string[]> {
  const { sluice } = server
  const long = `export const sum = (event) => Object.values(event.properties).reduce((all, each) => all + Number(each), 0)\n`
  const code = `${long}export function transformEvent(event) { return { ...event, sum: sum(event) } }`
  const transformation = await sluice.transformations.create('shop', 'transformation', { name: 'Sums', code })
  const library = await sluice.transformations.create('shop', 'library', { name: 'Kit', code: long })
  const [letter] = await sluice.deadLetters.list('shop', { limit: 1 })
  const [model] = await sluice.catalogue.models('shop')
  if (!transformation.ok || !library.ok) throw new Error('they cannot be created')
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
    `privacy/certificates/${await deletedUser(server, 'u9')}`,
    `transformations/${transformation.value.record.id}`,
    `transformations/libraries/${library.value.record.id}`,
    `failed/${letter?.id}`,
    `catalogue/${model?.eventId}`,
  ]
}

describe.skipIf(noBrowser)('the studio', () => {
  it('opens each view from the navigation, without a complaint of the browser, in the colours that are chosen', async () => {
    const { page, complaints } = await open()
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const grounds = new Set<string>()
    for (const theme of ['light', 'dark'] as const) {
      await chooseColours(page, theme)
      grounds.add(await ground())
      for (const view of Object.keys(studioViews) as readonly StudioView[]) {
        await openView(page, view)
        await eventually(() => page.locator('main [aria-busy]').count()).toBe(0)
      }
    }
    expect(grounds.size).toBe(2)
    expect(complaints).toEqual([])
  })

  it('keeps the words of tables whole on a phone', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(`${server.origin}/studio/privacy?user=u0`)
    const cells = page.getByRole('table', { name: 'Requests of people, in order of creation' }).locator('td')
    await cells.first().waitFor()
    for (const { width } of [await cells.nth(0).boundingBox(), await cells.nth(1).boundingBox()].map(
      (box) => box ?? { width: 0 },
    ))
      expect(width).toBeGreaterThan(80)
  })

  it('needs no scrolling sideways with text of twice the size, on a screen of 1,280 pixels', async () => {
    const { page } = await open()
    await page.setViewportSize({ width: 1_280, height: 900 })
    const wide: string[] = []
    for (const path of [...Object.values(studioViews), ...records]) {
      await page.goto(`${server.origin}/studio/${path}`)
      await page.evaluate("document.documentElement.style.fontSize = '200%'")
      await page.getByRole('heading', { level: 1 }).waitFor()
      await eventually(() => page.locator('main [aria-busy]').count()).toBe(0)
      if ((await page.evaluate<number>('document.documentElement.scrollWidth')) > 1_280) wide.push(path)
    }
    expect(wide).toEqual([])
  })

  it('shows the numbers of the API, and that every line adds up', async () => {
    const { page } = await open()
    await openView(page, 'Flow')
    await page.getByText('Every event is accounted for').waitFor()
    const [stats] = await server.sluice.stats()
    const hook = stats?.destinations.find(({ destinationId }) => destinationId === 'hook')
    await page.getByRole('button', { name: 'Table' }).click()
    const row = page
      .getByRole('table', { name: 'Destinations: what came and what became of it' })
      .getByRole('row', { name: /^Hook/ })
    await eventually(() => row.locator('td.number').allTextContents()).toEqual([
      String(hook?.accepted),
      String(hook?.delivered),
      '0',
      '1',
      '0',
      'adds up',
    ])
  })

  it('pauses and resumes a destination', async () => {
    const { page } = await open()
    await openView(page, 'Flow')
    await page.getByRole('region', { name: 'Picture of the flow' }).getByRole('button', { name: /Hook/ }).click()
    const detail = page.getByRole('region', { name: 'destination Hook' })
    await detail.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: 'Pause Hook' }).click()
    await detail.getByText(/^Paused/).waitFor()
    expect(server.sluice.workspaces[0]?.destinations[0]?.pausedAt).toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
    await page.goto(`${server.origin}/studio/destinations/hook`)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Resume Hook' }).click()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
  })

  it('shows an event within a second, and its journey', async () => {
    const { page } = await open()
    await page.getByRole('link', { name: 'Live events', exact: true }).click()
    await page.getByText(/^Watching/).waitFor()
    await server.send([{ type: 'track', event: 'Just Now', userId: 'u7', messageId: 'now-1' }])
    await page.getByRole('link', { name: /delivered Just Now track Web shop Hook/ }).click({ timeout: 5_000 })
    const journey = page.getByRole('complementary', { name: 'Journey of one event' })
    await journey.getByRole('heading', { name: 'Just Now' }).waitFor()
    expect(page.url()).toContain('id=now-1')
    await eventually(() => journey.getByLabel('at Hook', { exact: true }).textContent()).toMatch(
      /delivered.*\d m?s after it was accepted/,
    )
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await eventually(() => journey.count()).toBe(0)
  })

  it('shows what an event contains, personal data when asked, and sends it again', async () => {
    const { page } = await open()
    await page.goto(`${server.origin}/studio/live/m2`)
    await page.getByRole('tab', { name: 'What each stage changed' }).click()
    await page.getByText('By the code and settings that are live now').waitFor()
    await eventually(() => page.getByLabel('Requests to Hook, output 1').textContent()).toContain(server.receiver.url)
    expect(await violations(page)).toEqual([])
    await page.getByRole('tab', { name: 'Event', exact: true }).click()
    const payload = page.getByLabel('payload', { exact: true })
    await payload.getByText('email, masked').first().waitFor()
    await payload.getByRole('button', { name: /Show personal data/ }).click()
    await payload.getByText('u2@shop.test').first().waitFor()
    await payload.getByRole('button', { name: 'Send again' }).click()
    expect(await payload.getByLabel('Event, without its messageId').inputValue()).toContain('u2@shop.test')
    await payload.getByRole('button', { name: /Send it to all/ }).click()
    await payload.getByText('Accepted from Web shop').waitFor()
    await openView(page, 'Changes')
    await page.getByRole('tab', { name: /^Calls/ }).click()
    await page.getByText('GET /v1/events/m2/payload').waitFor()
  })

  it('shows the journey of an event of a suppressed user like that of an event that never came', async () => {
    const { page } = await open()
    await server.send([{ type: 'track', event: 'Secret', userId: 'gone', messageId: 'gone-1' }])
    const texts: string[] = []
    for (const id of ['gone-1', 'never-1']) {
      await page.goto(`${server.origin}/studio/live/${id}`)
      await page.getByText('No event with this id is known').waitFor()
      texts.push((await page.locator('main').textContent())?.replaceAll(id, '') ?? '')
    }
    expect(texts[0]).toBe(texts[1])
  })

  it('signs in with a token, which no storage, address or document contains, and shows what its scopes allow', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Access token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('No workspace has this access token').waitFor()
    await page.getByLabel('Access token').fill('reader-token-of-the-shop')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('lacks the scope operate').waitFor()
    const shown = await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allTextContents()
    expect(shown.map((text) => text.trim())).toEqual([
      'Sources',
      'Transformations',
      'Destinations',
      'Catalogue',
      'Warehouse',
      'Privacy',
    ])
    await page.getByRole('link', { name: 'Catalogue', exact: true }).click()
    await page.getByRole('link', { name: 'track Bought' }).waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(`${stored} ${page.url()} ${await page.content()}`).not.toContain('reader-token-of-the-shop')
  })

  it('adds an event to the plan of its source, counts its violations, and shows what is new', async () => {
    const { page } = await open()
    await server.sluice.configuration.change('shop', [
      { action: 'create', kind: 'source', id: 'app', body: { name: 'App', writeKey: 'app-key' } },
    ])
    const send = async (properties: object): Promise<void> => {
      await server.sluice.ingest('app-key', [{ type: 'track', event: 'Opened', userId: 'u1', properties }])
      await server.sluice.settled()
    }
    await send({ count: 1 })
    await page.goto(`${server.origin}/studio/catalogue?name=Opened`)
    const entry = page.getByRole('link', { name: 'track Opened' })
    await entry.getByText('new', { exact: true }).waitFor()
    await entry.click()
    await page.getByRole('button', { name: 'JSON Schema for a tracking plan' }).click()
    await page.getByRole('button', { name: 'Add this to the plan' }).click()
    await page.getByRole('button', { name: 'Add track Opened' }).click()
    await page.getByText('In the plan, from the next batch on').waitFor()
    await send({ count: 'many' })
    await page.goto(`${server.origin}/studio/catalogue`)
    await page
      .getByRole('table', { name: /Planned events of App/ })
      .getByText('Datatype-Mismatch 1')
      .waitFor()
    expect(await violations(page)).toEqual([])
  })

  it('has a link that signs in once', async () => {
    const link = await server.link()
    const context = await browser.newContext()
    for (const text of ['Does it add up?', 'This link was used already']) {
      const page = await context.newPage()
      await context.clearCookies()
      await page.goto(link)
      await page.getByText(text).first().waitFor()
      expect(page.url()).not.toContain('code=')
    }
    await context.close()
  })

  it('runs no text of an event as code', async () => {
    const { page, complaints } = await open()
    let alerts = 0
    page.on('dialog', () => (alerts += 1))
    await page.goto(`${server.origin}/studio/catalogue`)
    await page.getByRole('link', { name: 'track Bought' }).click()
    await page.getByRole('tab', { name: /^Samples/ }).click()
    await page.getByText('Samples, personal data masked').waitFor()
    expect(await page.locator('main').textContent()).toContain('onerror')
    expect({ alerts, complaints }).toEqual({ alerts: 0, complaints: [] })
  })
})
