import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noDuckDB } from '../support/databases/duckdb.ts'
import { eventually } from '../support/eventually.ts'
import { noBrowser, startBrowser } from './studio-browser.ts'
import { openStudio, violations } from './studio-scene.ts'
import { createStudioServer, type StudioServer } from './studio-server.ts'

let browser: Awaited<ReturnType<typeof startBrowser>>
let server: StudioServer
let scene: Awaited<ReturnType<typeof openStudio>>
let page: Page
beforeAll(async () => {
  if (noBrowser) return
  browser = await startBrowser()
  server = await createStudioServer({ hasWarehouse: !noDuckDB })
  await server.sluice.configuration.change('shop', [
    { action: 'create', kind: 'source', id: 'app', body: { name: 'App', writeKey: 'app-key', trackingPlan } },
    { action: 'create', kind: 'connection', id: 'c1', body: { source: 'app', destination: 'hook' } },
  ])
  const properties = [{ count: 1 }, { count: 'many' }]
  const events = properties.map((each) => ({ type: 'track', event: 'Opened', userId: 'u1', properties: each }))
  await server.sluice.ingest('app-key', events)
  await server.send([{ type: 'track', event: 'Bought', userId: 'u1', properties: { total: 3 } }])
  await server.sluice.settled()
  scene = await openStudio(browser, server)
  page = scene.page
})
afterAll(async () => {
  await scene?.close()
  await browser?.close()
  await server?.close()
})

const trackingPlan = {
  onViolation: 'mark',
  unplanned: 'pass',
  events: [
    {
      type: 'track',
      event: 'Opened',
      schema: { properties: { properties: { type: 'object', properties: { count: { type: 'number' } } } } },
    },
  ],
}
const openAt = async (path: string): Promise<void> => {
  await page.goto(`${server.origin}/studio/${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}
const planNow = () => server.sluice.configuration.find('shop', 'source', 'app')?.body['trackingPlan']
async function openModel(event: string): Promise<void> {
  const models = await server.sluice.catalogue.models('shop')
  await openAt(`catalogue/${models.find(({ eventIdentifier }) => eventIdentifier === event)?.eventId}`)
}

describe.skipIf(noBrowser)('the catalogue', () => {
  it('draws the events of each day, and changes what the plan does after it has said what that means', async () => {
    await openModel('Opened')
    await page.getByText('since it was first seen, 2 today').waitFor()
    await page.getByRole('img', { name: /^Events Opened a day/ }).waitFor()
    await page.getByRole('group', { name: 'What does not fit' }).getByRole('button', { name: 'Drop' }).click()
    const dialog = page.locator('dialog[open]')
    await dialog.getByText('at least 1 events did not fit').waitFor()
    expect(planNow()).toMatchObject({ onViolation: 'mark' })
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Change the plan of App' }).click()
    await page.getByText('From the next batch on: Events that do not fit are dropped.').waitFor()
    expect(planNow()).toEqual({ ...trackingPlan, onViolation: 'drop' })
  })

  it('puts a type of a key into the plan, which leaves the rest of it as it is', async () => {
    await openModel('Opened')
    await page.getByRole('button', { name: 'Accept text for properties.count' }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Accept text for properties.count' }).click()
    await eventually(() => Object(planNow())['events'][0].schema.properties.properties.properties).toEqual({
      count: { type: ['number', 'string'] },
    })
    expect(planNow()).toMatchObject({ onViolation: 'drop', unplanned: 'pass' })
  })

  it('lists the code that reads a key of the event', async () => {
    const code = 'export function transformEvent(event) { return event.properties.total > 1 ? event : null }'
    const made = await server.sluice.transformations.create('shop', 'transformation', { name: 'only large', code })
    expect(made.ok).toBe(true)
    await openModel('Bought')
    await page.getByRole('tab', { name: /Used by/ }).click()
    await page.getByText('uses properties.total').waitFor()
    expect(await violations(page)).toEqual([])
    await openModel('Opened')
    await page.getByRole('tab', { name: /Used by/ }).click()
    await page.getByText('Nothing names its keys').waitFor()
  })
})

describe.skipIf(noBrowser || noDuckDB)('the warehouse', () => {
  it('runs SQL from an editor, with types and time, and saves it under a name', async () => {
    await server.sluice.settled()
    await openAt('warehouse')
    await page.getByRole('button', { name: 'Load now' }).click()
    await page.getByText('Everything that was accepted so far is loaded.').waitFor()
    await page.getByRole('navigation', { name: 'Tables' }).getByText('1 rows').first().waitFor()
    const editor = page.getByLabel('SQL, which can only read')
    const write = async (sql: string): Promise<void> => {
      await editor.click()
      await page.keyboard.press('Control+A')
      await page.keyboard.press('Delete')
      await page.keyboard.insertText(sql)
    }
    await write('select count(*) as orders, 1.5 as share from bought')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('columnheader', { name: 'orders bigint' }).waitFor()
    await page.getByRole('columnheader', { name: 'share decimal(2,1)' }).waitFor()
    await page.getByRole('button', { name: 'Saved queries' }).click()
    await page.getByLabel('Save the present SQL under a new name').fill('<b>Orders</b>')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: '<b>Orders</b>' }).waitFor()
    await write('select 1')
    await page.getByRole('button', { name: 'Saved queries' }).click()
    await page.getByRole('button', { name: 'Open <b>Orders</b>' }).click()
    await eventually(() => editor.textContent()).toContain('1.5 as share')
    await page.getByRole('button', { name: 'Saved queries' }).click()
    await page.locator('dialog[open]').getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete <b>Orders</b>' }).click()
    await eventually(() => server.sluice.configuration.list('shop', 'query')).toEqual([])
    expect(scene.complaints).toEqual([])
  })
})

describe.skipIf(noBrowser)('privacy', () => {
  const addresses: string[] = []
  beforeEach(() => page.on('request', (request) => addresses.push(request.url())))
  const choose = (content: string) =>
    page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  const regulated = async (): Promise<readonly string[]> => {
    const { regulations } = await server.sluice.regulations.list('shop', { after: 0, limit: 10_000 })
    return regulations.map(({ attributes }) => attributes['userId'] ?? '')
  }

  it('reads a list before anything is sent, and sends all people of it in as few calls as the server takes', async () => {
    await openAt('privacy')
    await page.getByRole('button', { name: 'Import a list' }).click()
    await choose('userId,email\nlisted-1,a@x.test\nlisted-1,b@x.test\nlisted-2\n')
    await page.getByText('Line 4: it has 1 value, the header has 2').waitFor()
    await page.getByText('1 line repeats a person before them').waitFor()
    const send = page.getByRole('button', { name: 'Suppress 1 person' })
    expect(await send.isDisabled()).toBe(true)
    expect(await violations(page)).toEqual([])
    expect(await regulated()).toEqual([])
    const ids = Array.from({ length: 5_001 }, (_, n) => `listed-${n}`)
    await choose(ids.join('\n'))
    await page.getByRole('button', { name: 'Suppress 5,001 people' }).click()
    await page.locator('.toasts').getByText('In force for 5,001 people.').waitFor()
    expect((await regulated()).toSorted()).toEqual(ids.toSorted())
    expect(addresses.filter((each) => each.includes('listed'))).toEqual([])
    expect(addresses.filter((each) => each.endsWith('/v2/regulations'))).toHaveLength(2)
  })

  it('is opened from the palette with the cursor in the field, wherever one is', async () => {
    for (const path of ['flow', 'privacy']) {
      await openAt(path)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('find a person')
      await page.keyboard.press('Enter')
      await eventually(() => page.evaluate<string>('document.activeElement?.placeholder ?? ""')).toMatch(/^User id/)
      expect(page.url()).toBe(`${server.origin}/studio/privacy`)
    }
  })
})
