import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { noBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'

let studio: SharedStudio | undefined
let server: SharedStudio['server']
let page: Page
beforeAll(async () => {
  if (noBrowser) return
  studio = await openSharedStudio()
  ;({ server, page } = studio)
})
afterAll(() => studio?.close())

/** Reads one member of an order that not every order has. */
const breaking = `export function transformEvent(event) {
  const items = event.properties.products.length
  return { ...event, items }
}`
const mended = breaking.replace('properties.products.length', 'properties?.products?.length ?? 0')

/** Publishes code in front of the webhook. @returns the id of the transformation. */
async function publish(code: string): Promise<string> {
  const { transformations } = server.sluice
  const created = await transformations.create('shop', 'transformation', { name: 'Count items', code })
  if (!created.ok) throw new Error('it cannot be created')
  const { id } = created.value.record
  const published = await transformations.publish('shop', {
    transformations: [
      { versionId: created.value.version.versionId, testInput: [{ type: 'track', properties: { products: [] } }] },
    ],
  })
  expect(published.ok).toBe(true)
  const connected = await transformations.connect('shop', 'hook', id)
  expect(connected.ok).toBe(true)
  return id
}

/** Counts the clicks of a walk. */
function counted() {
  let clicks = 0
  return {
    click: async (name: RegExp, role: 'link' | 'button' = 'link'): Promise<void> => {
      clicks += 1
      await page.getByRole('main').getByRole(role, { name }).first().click()
    },
    clicks: () => clicks,
  }
}

describe.skipIf(noBrowser)('a walk through the studio', () => {
  it('leads from a red number to code that is mended and events that are sent again, in five clicks', async () => {
    await publish(breaking)
    await server.send([
      { type: 'track', event: 'Order Completed', userId: 'u1', messageId: 'o1', properties: { products: [1] } },
      { type: 'track', event: 'Order Completed', userId: 'u2', messageId: 'o2', properties: { paid: 'cash' } },
    ])
    await server.sluice.settled()
    await page.goto(`${server.origin}/studio/`)
    const { click, clicks } = counted()
    await click(/Cannot read properties of undefined/)
    await page
      .getByText(/line 2/)
      .first()
      .waitFor()
    await page.getByText('0 of 1 pass').waitFor()
    await eventually(() => page.locator('.commons').textContent()).toContain('properties.products')
    expect(await violations(page)).toEqual([])
    await click(/^Open the code$/)
    const editor = page.getByLabel('Code of Count items')
    await editor.waitFor()
    await editor.focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText(mended)
    await click(/^Publish$/, 'button')
    await click(/^Publish it$/, 'button')
    await page.getByText('Another version of Count items is live.').waitFor()
    expect(await violations(page)).toEqual([])
    await click(/^Send 1 event again$/, 'button')
    await page.getByText('1 of 1 are on their way').waitFor()
    await server.sluice.settled()
    expect(await server.sluice.deadLetters.list('shop', { limit: 10 })).toEqual([])
    expect(clicks()).toBeLessThanOrEqual(5)
  })

  it('says why an event did not arrive, in two clicks', async () => {
    await server.send([
      { type: 'track', event: 'refuse', userId: 'u3', messageId: 'lost-1', properties: { products: [] } },
    ])
    await server.sluice.settled()
    await page.goto(`${server.origin}/studio/live`)
    const { click, clicks } = counted()
    await page.getByLabel('Event id, name or reason').fill('lost-1')
    await click(/failed refuse track Web shop Hook/)
    const at = page.getByLabel('at Hook', { exact: true })
    await eventually(() => at.textContent()).toMatch(/failed.*refused the request. It answered 400/s)
    expect(clicks()).toBeLessThanOrEqual(4)
  })
})
