import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { noBrowser } from './studio-browser.ts'

let studio: SharedStudio | undefined
let server: SharedStudio['server']
let page: Page
beforeAll(async () => {
  if (noBrowser) return
  studio = await openSharedStudio('Failed events')
  ;({ server, page } = studio)
  await page.clock.install()
})
afterAll(() => studio?.close())

/** Returns what is shown, seconds later for the page: it reads again what it reads every few seconds. */
const text = async (): Promise<string> => {
  await page.clock.fastForward(3_000)
  return (await page.locator('main').textContent()) ?? ''
}
const shows = (pattern: RegExp) => eventually(text).toMatch(pattern)
async function fail(...ids: readonly string[]): Promise<void> {
  await server.send(
    ids.map((messageId) => ({ type: 'track', event: 'refuse', userId: `user-${messageId}`, messageId })),
  )
  await server.sluice.settled()
}
const openAt = (path: string) => page.goto(`${server.origin}/studio/${path}`)

describe.skipIf(noBrowser)('without a reload', () => {
  it('a list of failed events shows those that fail meanwhile, and a letter says when it is gone', async () => {
    await fail('m1')
    await openAt('failed/list')
    await shows(/m1/)
    await fail('m2')
    await shows(/m2/)
    await page.getByRole('row', { name: /m2/ }).getByRole('link').click()
    await shows(/Event as accepted/)
    await server.sluice.deadLetters.remove('shop', { destinationId: 'hook' })
    await shows(/It is no longer here/)
    expect(await text()).not.toContain('Event as accepted')
  })

  it('all failed events are sent again, and the question says how many', async () => {
    await fail('m3', 'm4')
    const added = await server.sluice.configuration.change('shop', [
      {
        action: 'create',
        kind: 'destination',
        id: 'second',
        body: { name: 'Second', type: 'WEBHOOK', settings: { webhookUrl: server.receiver.url } },
      },
      { action: 'create', kind: 'connection', id: 'c2', body: { source: 'web', destination: 'second' } },
    ])
    expect(added.ok).toBe(true)
    await fail('m6')
    await openAt('failed')
    await page.getByRole('button', { name: 'Send all 4 events again' }).click()
    await shows(/all 4 events will be sent to the destinations where they failed again/)
    await page.getByRole('button', { name: 'Send all 4 events', exact: true }).click()
    await shows(/4 of 4 are on their way/)
  })

  it('what a deletion is about is said before, in records, and its regulation is in the list after', async () => {
    await openAt('privacy?user=user-m6')
    await shows(/There is no request/)
    await page.getByRole('button', { name: 'Suppress and delete', exact: true }).click()
    const dialog = page.locator('dialog[open]')
    await eventually(() => dialog.textContent()).toMatch(
      /[1-9]\d* records? (is|are) held in Sluice, and \d+ destinations? got events/,
    )
    const confirm = page.getByRole('button', { name: 'Suppress and delete this person' })
    expect(await confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type the userId to confirm').fill('user-m6')
    await confirm.click()
    const list = page.getByRole('table', { name: 'Requests of people, in order of creation' })
    await list.getByText('user-m6').waitFor({ timeout: 15_000 })
  })

  it('a person is found by an e-mail address of an event, which no address of a page or call has', async () => {
    const traits = { email: 'Mia@Mail.test' }
    await server.send([{ type: 'identify', userId: 'mia-7', messageId: 'mia-1', traits }])
    await server.sluice.settled()
    await openAt('privacy')
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.getByLabel('Any id of the person').fill('mia@mail.test')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByLabel('Person mia-7').waitFor()
    addresses.push(page.url())
    expect(addresses.filter((each) => /mia/i.test(each))).toEqual([])
  })

  it('an id in an address of before is taken in, and leaves the address', async () => {
    await openAt('privacy?user=mia-7')
    await page.getByLabel('Person mia-7').waitFor()
    expect(page.url()).toBe(`${server.origin}/studio/privacy`)
  })

  it('code that was saved elsewhere is shown, and not put in place of code that is being written', async () => {
    await openAt('transformations')
    await page.getByRole('button', { name: 'New transformation' }).click()
    await page.getByLabel('Name of a new transformation').fill('Shared')
    await page.getByRole('button', { name: 'Create' }).click()
    const editor = page.getByLabel('Code of Shared')
    await editor.waitFor()
    const save = (note: string) =>
      page.evaluate(
        `fetch(location.pathname.replace('/studio', ''), { method: 'POST', headers: { 'content-type': 'application/json', 'x-sluice-studio': '1' }, body: JSON.stringify({ code: 'export function transformEvent(event) { return event } // ${note}' }) }).then((r) => r.status)`,
      )
    expect(await save('first')).toBe(200)
    await shows(/\/\/ first/)
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.insertText('export const transformEvent = (event) => event // mine')
    expect(await save('second')).toBe(200)
    await shows(/Other code was saved meanwhile/)
    expect(await editor.textContent()).toContain('// mine')
    await page.getByRole('button', { name: 'Show it in place of yours' }).click()
    await eventually(() => editor.textContent()).toContain('// second')
  })

  it('a destination that was changed elsewhere says so, and how many events wait for it before it is deleted', async () => {
    await openAt('destinations/second?tab=settings')
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await eventually(() => page.locator('dialog[open]').textContent()).toMatch(/\d+ events wait for it/)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await server.sluice.configuration.change('shop', [
      {
        action: 'update',
        kind: 'destination',
        id: 'second',
        body: { name: 'Renamed', type: 'WEBHOOK', settings: { webhookUrl: server.receiver.url } },
      },
    ])
    await shows(/It was changed elsewhere/)
    await page.getByRole('button', { name: 'Show how it is now' }).click()
    await eventually(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Renamed')
  })
})
