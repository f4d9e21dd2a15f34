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
  studio = await openSharedStudio('Transformations')
  ;({ server, scene, page, keyboard } = studio)
  page.setDefaultTimeout(8_000)
})
afterAll(() => studio?.close())

const text = async (): Promise<string> => (await page.locator('main').textContent()) ?? ''
const shows = (pattern: RegExp) => eventually(text).toMatch(pattern)
const uses = `import { double } from 'sums'
export function transformEvent(event) { return { ...event, twice: double(1) } }`
const double = 'export const double = (n) => n * 2'

/** Writes code of the library, and leaves the editor. */
async function writeCode(code: string): Promise<void> {
  await keyboard.to('Code of Sums')
  // Written over a selection, Chromium itself adds style attributes, which the policy of the page refuses.
  await keyboard.keys('Control+A', 'Delete')
  await page.keyboard.insertText(code)
  // The first may only end a search for completions.
  await keyboard.keys('Escape', 'Escape')
}

describe.skipIf(noBrowser)('the page of a library', () => {
  it('opens for a new library, and marks the line that keeps it from being loaded', async () => {
    await page.getByRole('tab', { name: /^Libraries/ }).click()
    await keyboard.press('New library')
    await keyboard.write('Name of a new library', 'Sums')
    await keyboard.keys('Enter')
    await shows(/No version is live yet.*import it as sums\./)
    await writeCode('export const one = 1\nexport const double = nothing.there')
    await keyboard.press('Check (Ctrl-Enter)')
    await shows(/library sums line 2: ReferenceError/)
    await page.locator('.cm-lint-marker-error').waitFor()
    await writeCode(double)
    await keyboard.press('Check (Ctrl-Enter)')
    await shows(/The library can be loaded/)
  })

  it('publishes it with what imports it', async () => {
    await keyboard.press('Save as revision')
    await shows(/Saved as a revision/)
    const created = await server.sluice.transformations.create('shop', 'transformation', {
      name: 'Uses it',
      code: uses,
    })
    expect(created.ok).toBe(true)
    await page.reload()
    await page.getByLabel('Publish Uses it with the library').check()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await keyboard.press('Test and publish')
    await shows(/Live from the next batch on\. 1 published with it/)
    expect(await page.getByRole('link', { name: 'Uses it' }).getAttribute('href')).toMatch(
      /\/studio\/transformations\/.+/,
    )
    await shows(/Sumslive/)
  })

  it('changes nothing when a live transformation would fail with it, and marks the line', async () => {
    await writeCode('export const double = () => {\n  throw new Error("no sums today")\n}')
    await keyboard.press('Publish')
    await keyboard.press('Test and publish')
    await shows(/published transformations would fail with it: transformation Uses it/)
    await shows(/library sums line 2: Error: no sums today/)
    await page.locator('.cm-lint-marker-error').waitFor()
    await shows(/An older version is live/)
    expect(await violations(page)).toEqual([])
  })

  it('is deleted only where no live transformation imports it', async () => {
    await keyboard.press('Delete')
    await shows(/1 transformations import it in their newest code/)
    await keyboard.press('Delete Sums')
    await shows(/imported by published transformations: Uses it/)
    const [using] = await server.sluice.transformations.list('shop', 'transformation')
    await server.sluice.transformations.remove('shop', 'transformation', using?.record.id ?? '', { ifUnused: false })
    await keyboard.press('Delete')
    await keyboard.press('Delete Sums')
    await page.getByRole('heading', { name: 'Transformations', level: 1 }).waitFor()
    await page.getByRole('tab', { name: /^Libraries/ }).click()
    await page.getByText('There is no library yet.').waitFor()
    // Refusals are errors of the console as well.
    expect(scene.complaints.filter((each) => !each.includes('the server responded with a status of'))).toEqual([])
  })
})
