import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { noBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'

let studio: SharedStudio | undefined
let server: SharedStudio['server']
let scene: SharedStudio['scene']
let page: SharedStudio['page']
let keyboard: SharedStudio['keyboard']
beforeAll(async () => {
  if (noBrowser) return
  studio = await openSharedStudio('Sources')
  ;({ server, scene, page, keyboard } = studio)
  page.setDefaultTimeout(8_000)
})
afterAll(() => studio?.close())

const text = async (): Promise<string> => (await page.locator('main').textContent()) ?? ''
const shows = (pattern: RegExp) => eventually(text).toMatch(pattern)
const entries = () => server.sluice.configuration.list('shop', 'source')
const keys = async (): Promise<readonly string[]> => page.getByLabel('Write keys').locator('dd').allTextContents()
const accepts = async (writeKey: string): Promise<boolean> => {
  const headers = { authorization: `Basic ${btoa(`${writeKey}:`)}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ userId: 'u1', event: 'Sent' })
  return (await fetch(`${server.origin}/v1/track`, { method: 'POST', headers, body })).ok
}

describe.skipIf(noBrowser)('the form of a destination', () => {
  it('has the groups of its definition, and shows a setting only while its condition holds', async () => {
    await page.goto(`${server.origin}/studio/destinations/new`)
    await page.getByLabel(/^Search \d+ types/).fill('ampli')
    await page.getByRole('link', { name: 'Amplitude' }).click()
    await page.locator('fieldset legend').first().waitFor()
    const dropped = page.getByRole('group', { name: 'Events to drop', exact: true })
    expect(await dropped.count()).toBe(0)
    await page.getByLabel('Track events').selectOption('blacklistedEvents')
    await dropped.waitFor()
    expect(await violations(page)).toEqual([])
    await keyboard.press('Sources')
  })
})

describe.skipIf(noBrowser)('the page of a source', () => {
  let first: string
  it('opens for a new source, which accepts events with the key that is shown', async () => {
    await keyboard.press('Add a source')
    await keyboard.write('Name of a new source', 'Phone')
    await keyboard.keys('Enter')
    await shows(/It accepts events/)
    await shows(/Waiting for the first event…/)
    expect(await violations(page)).toEqual([])
    expect(await keys()).toEqual(['hidden'])
    await keyboard.press('Show write keys')
    await eventually(keys).not.toContain('hidden')
    first = (await keys())[0] ?? ''
    expect(await accepts(first)).toBe(true)
  })

  it('says by itself that an event came, and shows how to send one in other languages', async () => {
    const waiting = page.getByRole('region', { name: 'Send events to Phone' }).getByRole('status')
    await eventually(() => waiting.textContent()).toMatch(/^An event came track Sent, .*Its journey$/)
    const shown = page.getByLabel(/^Send an event by/)
    expect(await shown.textContent()).toContain(`curl -u WRITE_KEY: ${server.origin}/v1/track`)
    await page.getByRole('tab', { name: 'Python' }).click()
    await keyboard.press('Put the write key in')
    await eventually(() => shown.textContent()).toContain(`analytics.write_key = '${first}'`)
    await keyboard.press('Put the write key in')
    expect(await shown.textContent()).not.toContain(first)
  })

  it('rotates the write key: both are accepted, until the former is ended', async () => {
    await keyboard.press('Rotate')
    await keyboard.press('Make a new write key')
    await shows(/The one before is accepted for a day more/)
    const [second = '', former] = await keys()
    expect(former).toBe(first)
    expect([await accepts(first), await accepts(second)]).toEqual([true, true])
    expect(await violations(page)).toEqual([])
    await keyboard.press('End the former key')
    await keyboard.press('End it')
    await shows(/Only the present write key is accepted/)
    expect([await accepts(first), await accepts(second)]).toEqual([false, true])
    first = second
  })

  it('disables it, and deletes it after saying what happens', async () => {
    await keyboard.to('Enabled')
    await keyboard.keys('Space')
    await keyboard.press('Save')
    await shows(/It refuses events, because it is disabled/)
    expect(await accepts(first)).toBe(false)
    await keyboard.press('Delete')
    await shows(/its write keys will be refused from then on.*It has 0 connections/)
    await keyboard.press('Delete Phone')
    await page.getByRole('button', { name: 'Add a source' }).waitFor()
    expect(entries().map(({ id }) => id)).toEqual(['web'])
  })

  it('says that the file defines it, and shows no key to a reader', async () => {
    await page.goto(`${server.origin}/studio/sources/web`)
    await shows(/The workspace file defines this source/)
    expect(await page.getByRole('button', { name: /^(Save|Rotate|Delete)$/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Access token').fill('reader-token-of-the-shop')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await shows(/Write keys are shown to those who have the scope write/)
    expect(await page.content()).not.toContain('web-key')
    expect(scene.complaints.filter((each) => !each.includes('the server responded with a status of'))).toEqual([])
  })
})
