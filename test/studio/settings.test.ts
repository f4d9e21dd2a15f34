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
  studio = await openSharedStudio('Destinations')
  ;({ server, scene, page, keyboard } = studio)
  page.setDefaultTimeout(8_000)
})
afterAll(() => studio?.close())

const secret = 'kept-secret'
const focused = (): Promise<string> =>
  page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`)
const stored = (id: string) =>
  server.sluice.configuration.list('shop', 'destination').find((entry) => entry.id === id)?.body['settings']
const rowsOf = async (member: string): Promise<readonly string[]> => {
  const cells = await page.getByLabel(new RegExp(`^Headers \\d+, ${member}$`)).all()
  return Promise.all(cells.map((cell) => cell.inputValue()))
}

describe.skipIf(noBrowser)('settings of a destination', () => {
  let id: string

  it('are lists of rows, which are added by keys', async () => {
    await page.goto(`${server.origin}/studio/destinations/new?type=WEBHOOK`)
    await keyboard.write('Name', 'Own hook')
    await page.getByLabel('Address required').fill(server.receiver.url)
    await keyboard.press('Add one to Headers')
    await eventually(focused).toBe('Headers 1, From')
    await page.keyboard.type('X-Team')
    await page.getByLabel('Headers 1, To').fill('growth')
    await keyboard.press('Add one to Headers')
    await eventually(focused).toBe('Headers 2, From')
    await page.keyboard.type('X-Key')
    await page.getByLabel('Headers 2, To').fill(secret)
    expect(await violations(page)).toEqual([])
    await keyboard.press('Add')
    await page.getByRole('heading', { name: 'Own hook', level: 1 }).waitFor()
    id = page.url().split('/').at(-1) ?? ''
    expect(stored(id)).toMatchObject({ headers: [{ from: 'X-Team' }, { from: 'X-Key' }] })
  })

  it('never show a secret again, and say that the server has it', async () => {
    await page.goto(`${server.origin}/studio/destinations/${id}?tab=settings`)
    await eventually(() => rowsOf('From')).toEqual(['X-Team', 'X-Key'])
    expect(await rowsOf('To')).toEqual(['', ''])
    expect(await page.getByLabel('Headers 2, To').getAttribute('placeholder')).toBe('••••••')
    expect(await page.content()).not.toContain(secret)
  })

  it('are moved by keys, with the focus on what was moved', async () => {
    await page.getByLabel('Headers 2, From').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await eventually(() => rowsOf('From')).toEqual(['X-Key', 'X-Team'])
    expect(await focused()).toBe('Headers 1, From')
    await keyboard.press('Move Headers 1 down')
    await eventually(() => rowsOf('From')).toEqual(['X-Team', 'X-Key'])
    // It is the last one now, so that it can only move up.
    expect(await focused()).toBe('Move Headers 2 up')
    await keyboard.press('Remove Headers 1')
    await eventually(() => rowsOf('From')).toEqual(['X-Key'])
    expect(await focused()).toBe('Headers 1, From')
    await keyboard.press('Undo')
    await eventually(() => rowsOf('From')).toEqual(['X-Team', 'X-Key'])
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  })

  it('say what they would send for recorded events before they are saved, and keep the secrets', async () => {
    const connection = { method: 'POST', body: { sourceId: 'web', destinationId: id, enabled: true } } as const
    await page.evaluate(
      ({ method, body }) =>
        fetch('/v2/connections', {
          method,
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', 'x-sluice-studio': '1' },
        }),
      connection,
    )
    const headers = { authorization: `Basic ${btoa('web-key:')}`, 'content-type': 'application/json' }
    for (const event of ['Seen', 'Bought'])
      await fetch(`${server.origin}/v1/track`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ userId: 'u1', event }),
      })
    await page.getByLabel('Method', { exact: true }).selectOption('PUT')
    await keyboard.press('Remove Headers 1')
    await keyboard.press('Save')
    const dialog = page.getByRole('dialog', { name: 'Save the settings of Own hook?' })
    await dialog.getByText('On the last 2 recorded events, personal data masked').waitFor()
    const shown = (await dialog.textContent()) ?? ''
    expect(shown).toContain('Changed: Method, Headers.')
    expect(shown).toMatch(/2 events \(.*\): headers\["x-team"\] text → absent/)
    expect(shown).toMatch(/2 events \(.*\): method text → another text/)
    // The secret of the row that stayed is the same on both sides.
    expect(shown).not.toContain('x-key')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save it' }).click()
    await page.getByText('Saved, and in use from the next batch on.').waitFor()
    expect(stored(id)).toMatchObject({ webhookMethod: 'PUT', headers: [{ from: 'X-Key' }] })
    await server.send([{ type: 'track', event: 'Seen', userId: 'u1' }])
    await eventually(() => server.receiver.received.findLast(({ method }) => method === 'PUT')?.headers['x-key']).toBe(
      secret,
    )
  })

  it('name the row that the server refuses', async () => {
    await page.getByLabel('Headers 1, From').fill('X-Renamed')
    await keyboard.press('Save')
    const dialog = page.getByRole('dialog', { name: 'Save the settings of Own hook?' })
    await dialog.getByText(/What it would change is not known: .*headers\[0\]\.to/).waitFor()
    await dialog.getByRole('button', { name: 'Save it' }).click()
    await page.getByText(/^In row 1, to: allowed is the secret itself/).waitFor()
    expect(scene.complaints.filter((each) => !each.includes('the server responded with a status of'))).toEqual([])
  })
})
