import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Keyboard, useKeyboard } from './keyboard.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { openStudio, type StudioScene } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'
import { linkName, type StudioView } from './studio-views.ts'

let browser: Browser
let server: StudioServer
let scene: StudioScene
let keyboard: Keyboard
let page: Page
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
      properties: { total: n },
    })),
  )
  await server.sluice.settled()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
afterEach(() => scene?.close())

/** Opens the studio at a view, which is chosen by keys. */
async function openAt(view: StudioView): Promise<void> {
  scene = await openStudio(browser, server)
  page = scene.page
  keyboard = useKeyboard(page)
  await keyboard.press(linkName(view))
  await page.getByRole('heading', { name: view, level: 1 }).waitFor()
}

const text = async (): Promise<string> => (await page.locator('main').textContent()) ?? ''
const shows = (pattern: RegExp) => eventually(text).toMatch(pattern)
/** What the page says at its foot, of what was done. */
const says = (pattern: RegExp) => eventually(() => page.locator('.toasts').textContent()).toMatch(pattern)

describe.skipIf(noBrowser)('by keys alone, one can', () => {
  it('find out why an event did not arrive', async () => {
    await openAt('Live events')
    await keyboard.write(/^Event id, name or reason/, 'm2')
    await keyboard.keys('Enter')
    await shows(/Hook.*failed.*refused the request\. It answered 400/s)
  })

  it('send failed events again, as a group', async () => {
    await openAt('Failed events')
    await keyboard.press('Send 1 event again')
    await shows(/1 of 1 are on their way/)
  })

  it('send an event, and follow it', async () => {
    await openAt('Live events')
    await keyboard.press('Send an event')
    await keyboard.write(/^Event, without/, '{"type":"track","event":"By hand","userId":"u7"}')
    // Its button is before the field.
    await keyboard.keys('Shift+Tab', 'Enter')
    await shows(/Accepted from Web shop/)
    await keyboard.press('Its journey')
    await shows(/delivered/)
  })

  it('watch only some events, and stop the stream', async () => {
    await openAt('Live events')
    await keyboard.press('Filter')
    await keyboard.to(/^Outcome/)
    await keyboard.keys('d', 'e', 'l')
    await keyboard.press(/^(Pause|Continue)/)
    await eventually(() => page.getByRole('button', { name: /^Continue/ }).count()).toBe(1)
    expect(page.url()).toContain('outcome=')
  })

  it('write a transformation, try it, publish it, and connect it', async () => {
    await openAt('Destinations')
    await keyboard.press('Add a destination')
    await keyboard.press(/Webhook$/)
    await keyboard.write(/^Name/, 'By keys')
    await keyboard.write(/^Webhook URL|^Address/i, server.receiver.url)
    await keyboard.press('Add')
    await page.getByRole('heading', { name: 'By keys', level: 1 }).waitFor()
    await keyboard.press('Transformations')
    await keyboard.press('New transformation')
    await keyboard.write(/^Name of a new/, 'Keys')
    await keyboard.keys('Enter')
    await keyboard.write(
      'Code of Keys',
      'export function transformEvent(event) {\n  return { ...event, typed: true }\n}',
    )
    await keyboard.keys('Control+Enter')
    await shows(/No event failed, in .*in this page/)
    // Leaves the editor, in which Tab indents.
    await keyboard.keys('Escape')
    await keyboard.press('Publish')
    await keyboard.press('Publish it')
    await says(/Live: it runs on all events/)
    await keyboard.press('Runs before no destination')
    await keyboard.to(/^By keys/)
    await keyboard.keys('Space')
    await keyboard.press('Apply from the next batch on')
    await says(/By keys: the live version runs/)
    await keyboard.press('Flow')
    await shows(/Keys.*filtered.*By keys/)
  })

  it('leave the editor, which takes Tab for itself', async () => {
    await openAt('Transformations')
    await keyboard.press('Keys')
    await keyboard.to('Code of Keys')
    await keyboard.keys('Escape')
    await keyboard.to(/^Take recorded events/)
  })

  it('connect a source and a destination', async () => {
    await openAt('Destinations')
    await keyboard.press('Add a destination')
    await keyboard.press(/Webhook$/)
    await keyboard.write(/^Name/, 'Second')
    await keyboard.write(/^Webhook URL|^Address/i, server.receiver.url)
    await keyboard.press('Add')
    await page.getByRole('heading', { name: 'Second', level: 1 }).waitFor()
    await keyboard.press('Sources')
    await keyboard.to('Web shop to Second')
    await keyboard.keys('Space')
    await shows(/Web shop and Second are connected/)
  })

  it('find an event model, and look at its keys', async () => {
    await openAt('Catalogue')
    await keyboard.write('Event or key', 'Bou')
    await keyboard.press(/^track Bought/)
    await shows(/properties\.total.*number.*100 %/s)
  })

  it('find a person, delete what is held, and get the proof', async () => {
    await openAt('Privacy')
    await keyboard.write('Any id of the person', 'u1')
    await keyboard.keys('Enter')
    await keyboard.press('Suppress and delete')
    await keyboard.write('Type the userId to confirm', 'u1')
    await keyboard.press('Suppress and delete this person')
    await keyboard.press('Signed certificate')
    await shows(/Certificate of deletion.*Not complete: in \d+ of \d+ places/s)
  })

  it('try an event at a destination', async () => {
    await openAt('Destinations')
    await keyboard.press('Hook')
    // Arrow keys move between tabs.
    await keyboard.to('Health')
    await keyboard.keys('ArrowRight', 'ArrowRight')
    await keyboard.to('Event')
    await keyboard.press('Run')
    await eventually(() => page.getByLabel('What each stage made of it').textContent()).toMatch(/"endpoint"/)
    expect(await text()).not.toContain('error')
  })

  it('choose colours, sign out, and sign in with a token', async () => {
    await openAt('Flow')
    await keyboard.press('Dark')
    await keyboard.press('Sign out')
    await keyboard.write('Access token', 'reader-token-of-the-shop')
    await keyboard.keys('Enter')
    await page.getByRole('heading', { name: 'Flow', level: 1 }).waitFor()
  })
})
