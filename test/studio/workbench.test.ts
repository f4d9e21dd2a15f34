import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { noChromium } from '../support/pages/chromium.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { violations } from './studio-scene.ts'

let studio: SharedStudio | undefined
let scene: SharedStudio['scene']
let page: SharedStudio['page']
beforeAll(async () => {
  if (noChromium) return
  studio = await openSharedStudio('Transformations')
  ;({ scene, page } = studio)
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
const text = async (): Promise<string> => (await page.locator('main').textContent()) ?? ''

describe.skipIf(noChromium)('the workbench', () => {
  it('runs code that is not saved, in the page, and marks the line that fails', async () => {
    const requests: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && requests.push(request.url()))
    await write('export function transformEvent(event) {\n  return { ...event, seen: event.nothing.there }\n}')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/Problems.*line 2: TypeError: Cannot read properties of undefined/)
    await page.locator('.cm-lint-marker-error').waitFor()
    expect(requests).toEqual([])
  })

  it('ends code that hangs, and runs the next one', async () => {
    await write('export function transformEvent(event) { for (;;); }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/Script execution timed out/)
    await write('export function transformEvent(event) { return event }')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/All events passed, in this page/)
  })

  it('runs TypeScript, says what is wrong with types, and completes names by them', async () => {
    await write('export function transformEvent(event: TrackEvent) {\n  const n: number = "one"\n  return event\n}')
    await page.keyboard.press('Control+Enter')
    await eventually(text).toMatch(/All events passed, in this page/)
    await page.getByLabel(/^Check types/).click()
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
    const table = page.getByRole('table', { name: /^Lines with most of the time/ })
    await table.waitFor({ timeout: 20_000 })
    expect(await table.locator('tbody tr').first().textContent()).toMatch(/^1.*%.*const slow.*JSON\.parse/)
  })

  it('is accessible, and the browser complains about nothing', async () => {
    expect(await violations(page)).toEqual([])
    expect(scene.complaints).toEqual([])
  })
})
