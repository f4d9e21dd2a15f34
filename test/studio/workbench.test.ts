import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { noBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'

let studio: SharedStudio | undefined
let scene: SharedStudio['scene']
let page: SharedStudio['page']
beforeAll(async () => {
  if (noBrowser) return
  studio = await openSharedStudio('Transformations')
  ;({ scene, page } = studio)
  await page.getByRole('button', { name: 'New transformation' }).click()
  await page.getByLabel('Name of a new transformation').fill('Tried')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByLabel('Code of Tried').waitFor()
})
afterAll(() => studio?.close())

/** Writes code in place of what is there. */
async function write(code: string): Promise<void> {
  await page.getByLabel('Code of Tried').click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(code)
}
const chosenIn = (events: Locator): Promise<readonly string[]> =>
  events.locator('[aria-pressed="true"] > span').allTextContents()
const text = async (): Promise<string> => (await page.locator('main').textContent()) ?? ''

describe.skipIf(noBrowser)('the workbench', () => {
  it('runs code that is not saved, in the page, and marks the line that fails', async () => {
    const requests: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()))
    await write('export function transformEvent(event) {\n  return { ...event, seen: event.nothing.there }\n}')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/threw in line 2.*line 2: TypeError: Cannot read properties of undefined/)
    await page.locator('.cm-lint-marker-error').waitFor()
    expect(requests).toEqual([])
  })

  it('ends code that hangs, and runs the next one', async () => {
    await write('export function transformEvent(event) { for (;;); }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/Script execution timed out/)
    await write('export function transformEvent(event) { return event }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/No event failed, in .*in this page/)
  })

  it('runs TypeScript, says what is wrong with types, and completes names by them', async () => {
    await write('export function transformEvent(event: TrackEvent) {\n  const n: number = "one"\n  return event\n}')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/No event failed, in .*in this page/)
    await page.getByRole('tab', { name: 'Types' }).click()
    await page.getByText('Check types').click()
    await page.locator('.cm-lint-marker-warning').waitFor({ timeout: 20_000 })
    await write('export function transformEvent(event: TrackEvent) {\n  return event.conte')
    await page.keyboard.type('x')
    await page.locator('.cm-completionLabel', { hasText: 'context' }).first().waitFor({ timeout: 10_000 })
    await page.keyboard.press('Escape')
    await write('enum Plan { Free }\nexport function transformEvent(event: TrackEvent) { return event }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/line 1: This TypeScript cannot be removed/)
  })

  it('measures which lines take time', async () => {
    await write(
      'const slow = (n) => JSON.parse(JSON.stringify(Array.from({ length: n }, String))).length\nexport function transformEvent(event) {\n  event.sum = slow(5000)\n  return event\n}',
    )
    await page.getByRole('button', { name: 'Measure lines' }).click()
    await eventually(text).toMatch(/Line \d takes \d+ % of the time/)
    expect(await page.locator('.cm-heat .hot').count()).toBeGreaterThan(0)
    await page.getByRole('tab', { name: 'Lines' }).click()
    const table = page.getByRole('table', { name: /^Lines with most of the time/ })
    expect(await table.locator('tbody tr').first().textContent()).toMatch(/^1.*%.*const slow.*JSON\.parse/)
  })

  it('keeps the result of an event as a test, which fails for code that makes something else of it', async () => {
    await write('export function transformEvent(event) { return { ...event, seen: 1 } }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/No event failed, in .*2 pass/)
    await page.getByRole('button', { name: 'Keep as a test' }).click()
    await page.getByRole('tab', { name: /^Tests/ }).click()
    await page.getByRole('button', { name: 'Run tests' }).click()
    await eventually(text).toMatch(/Order Completed u1passes/)
    await write('export function transformEvent(event) { return { ...event, seen: 2 } }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/Order Completed u1fails.*output\[\]\.seen: number → another number/)
    expect(await page.getByRole('tab', { name: /1 of 1 fail/ }).count()).toBe(1)
  })

  it('says before a publication what it would change on recorded events, and after it who published it', async () => {
    const { server } = studio as SharedStudio
    const track = (event: string, n: number) => ({ type: 'track', event, userId: `u${n}`, messageId: `${event}-${n}` })
    await server.send([...[1, 2, 3].map((n) => track('Bought', n)), track('Viewed', 4)])
    await server.sluice.settled()
    await write('export function transformEvent(event) { return { ...event, first: true } }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/No event failed, in/)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: /^Publish this code of Tried/ })
    await dialog.getByText('On the last 4 recorded events').waitFor()
    await eventually(() => dialog.textContent()).toMatch(/4 events \(Bought, Viewed\): first absent → boolean/)
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Publish/ }).click()
    await page.getByText('Live: it runs on all events from the next batch on.').waitFor()
    await write(`export function transformEvent(event) {
  if (event.event === 'Viewed') return null
  if (event.userId === 'u3') throw new Error('not u3')
  return { ...event, first: event.userId !== 'u1' }
}`)
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await eventually(() => dialog.textContent()).toMatch(
      /As the live version125.0 %Differ125.0 %Newly filtered125.0 %Throw125.0 %/,
    )
    await eventually(() => dialog.textContent()).toMatch(/1 event \(Bought\): +passed → failed: Error: not u3/)
    expect(await dialog.getByRole('button', { name: 'Publish all the same' }).count()).toBe(1)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    const timeline = page.getByRole('list', { name: 'Versions, newest first' })
    if ((await timeline.count()) === 0) await page.getByRole('button', { name: 'Versions' }).click()
    await eventually(() => timeline.textContent()).toMatch(/Draft.*not saved.*v\d.*live.*published by /)
    await timeline.getByRole('button', { name: /^v\d/ }).first().click()
    const version = page.getByRole('dialog', { name: /of Tried$/ })
    await version.waitFor()
    expect(await violations(page)).toEqual([])
    await version.getByLabel('Compared with').selectOption('the draft')
    await eventually(() => version.textContent()).toContain("throw new Error('not u3')")
    await page.keyboard.press('Escape')
  })

  it('has an address for the chosen event and what is shown of it, without code or data', async () => {
    const events = page.getByRole('list', { name: 'Events', exact: true })
    // In a window of this width the versions are in place of the events.
    if ((await events.count()) === 0) await page.getByRole('button', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Take recorded events, personal data masked' }).click()
    await page.getByText('4 events', { exact: true }).waitFor()
    await events.getByRole('button').nth(1).click()
    await page.getByRole('button', { name: 'Output', exact: true }).click()
    await page.getByRole('tab', { name: 'Tests' }).click()
    const { pathname, searchParams } = new URL(page.url())
    expect(pathname).toMatch(/^\/studio\/transformations\/[^/]+$/)
    expect([...searchParams.keys()].sort()).toEqual(['check', 'event', 'show'])
    const other = await page.context().newPage()
    await other.goto(page.url())
    const there = other.getByRole('list', { name: 'Events', exact: true })
    const [here] = await chosenIn(events)
    await eventually(() => chosenIn(there)).toEqual([here])
    await other.close()
  })

  it('is accessible, and the browser complains about nothing', async () => {
    expect(await violations(page)).toEqual([])
    expect(scene.complaints).toEqual([])
  })
})
