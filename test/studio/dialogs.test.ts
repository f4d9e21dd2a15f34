import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { deletedUser } from './deleted-user.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { noBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'
import { chooseColours, studioViews } from './studio-views.ts'

let studio: SharedStudio
let page: Page
let paths: readonly string[]
/** Openers of dialogs that are elsewhere on their page than the dialog. */
const openers = [
  /^Runs before/,
  /^Compare with what is live$/,
  /^Publish$/,
  /^v1\b/,
  /^Suppress and delete$/,
  /^Mark as done/,
]

beforeAll(async () => {
  if (noBrowser) return
  studio = await openSharedStudio()
  page = studio.page
  const { server } = studio
  await server.send(
    ['Viewed', 'Bought', 'refuse'].map((event, n) => ({ type: 'track', event, userId: `u${n}`, messageId: `m${n}` })),
  )
  await server.sluice.settled()
  const { sluice } = server
  const code = 'export function transformEvent(event) { return event }'
  const transformation = await sluice.transformations.create('shop', 'transformation', { name: 'Sums', code })
  const [letter] = await sluice.deadLetters.list('shop', { limit: 1 })
  const [model] = await sluice.catalogue.models('shop')
  const source = await sluice.configuration.change('shop', [
    { action: 'create', kind: 'source', id: 'phone', body: { name: 'Phone' } },
  ])
  if (!transformation.ok || !source.ok) throw new Error('they cannot be created')
  paths = [
    ...Object.values(studioViews),
    'destinations/hook',
    'sources/phone',
    'privacy?user=u0',
    `privacy/requests/${await deletedUser(server, 'u9')}`,
    `transformations/${transformation.value.record.id}`,
    `failed/${letter?.id}`,
    `catalogue/${model?.eventId}`,
  ]
})
afterAll(() => studio?.close())

const open = async (path: string): Promise<void> => {
  await page.goto(`${studio.server.origin}/studio/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(() => page.locator('main [aria-busy]').count()).toBe(0)
}

/** Buttons of the page that open a dialog: those right before one, and those by their names. */
async function dialogButtons(): Promise<readonly Locator[]> {
  const beside = page.locator('main dialog').locator('xpath=preceding-sibling::button[1]')
  const named = openers.map((name) => page.locator('main').getByRole('button', { name }).first())
  const all = [...(await beside.all()), ...named]
  const usable: Locator[] = []
  for (const button of all)
    if ((await button.count()) > 0 && (await button.isVisible()) && (await button.isEnabled())) usable.push(button)
  return usable
}

describe.skipIf(noBrowser)('dialogs of the studio', () => {
  for (const theme of ['light', 'dark'] as const)
    it(`are accessible at every width, and do not scroll sideways (${theme})`, async () => {
      await page.setViewportSize({ width: 1_440, height: 900 })
      await open('')
      await chooseColours(page, theme)
      const wrong: string[] = []
      const opened = new Set<string>()
      for (const path of paths) {
        await page.setViewportSize({ width: 1_440, height: 900 })
        await open(path)
        for (const button of await dialogButtons()) {
          const name = `${path}: ${(await button.textContent())?.trim()}`
          await button.click()
          const dialog = page.locator('dialog[open]')
          await dialog.waitFor()
          opened.add(name)
          for (const width of [1_440, 1_024, 390, 320]) {
            await page.setViewportSize({ width, height: width < 500 ? 800 : 900 })
            for (const problem of await violations(page)) wrong.push(`${name} ${width}: ${problem}`)
            const [own, whole] = await page.evaluate<readonly [number, number]>(
              `[(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('dialog[open]')), document.documentElement.scrollWidth]`,
            )
            if (own > 0 || whole > width) wrong.push(`${name} ${width}: scrolls sideways`)
          }
          await page.setViewportSize({ width: 1_440, height: 900 })
          await page.keyboard.press('Escape')
          await dialog.waitFor({ state: 'detached' })
        }
      }
      expect(wrong).toEqual([])
      expect(opened.size).toBeGreaterThan(12)
      expect([...opened].map((name) => name.split(': ').at(-1))).toEqual(
        expect.arrayContaining([
          'Add a source',
          'New transformation',
          'Publish',
          'Suppress and delete',
          'Mark as done',
          'Import a list',
        ]),
      )
    })
})
