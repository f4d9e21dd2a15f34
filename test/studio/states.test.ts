import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { openSharedStudio, type SharedStudio } from './shared-studio.ts'
import { noBrowser } from './studio-browser.ts'
import { violations } from './studio-scene.ts'
import { chooseColours, openView, type StudioView, studioViews } from './studio-views.ts'

const views = Object.keys(studioViews) as readonly StudioView[]

/** Text that a browser would run if it took it for HTML. */
const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

let studio: SharedStudio | undefined
let server: SharedStudio['server']
let scene: SharedStudio['scene']
let page: SharedStudio['page']
let alerts = 0
beforeAll(async () => {
  if (noBrowser) return
  studio = await openSharedStudio()
  ;({ server, scene, page } = studio)
  page.on('dialog', (dialog) => {
    alerts += 1
    return dialog.dismiss()
  })
})
afterAll(() => studio?.close())

/** Looks at every view, in both themes. */
async function eachView(look: (view: string) => Promise<void>): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await chooseColours(page, theme)
    for (const view of views) {
      await openView(page, view)
      await look(view)
    }
  }
}
const settled = () => eventually(() => page.locator('main [aria-busy]').count()).toBe(0)

describe.skipIf(noBrowser)('each view of the studio, in both themes', () => {
  it('is accessible while there is nothing to show', async () => {
    await eachView(async (view) => {
      await settled()
      expect(await violations(page), view).toEqual([])
    })
    expect(scene.complaints).toEqual([])
  })

  it('is accessible while it loads, and when it cannot', async () => {
    const waiting: Route[] = []
    const isData = (url: URL): boolean => !url.pathname.startsWith('/studio')
    await page.route(isData, (route) => void waiting.push(route))
    await eachView(async (view) => expect(await violations(page), `${view}, loading`).toEqual([]))
    await page.unroute(isData)
    for (const route of waiting) await route.abort().catch(() => {})
    await page.route(isData, (route) => route.fulfill({ status: 503, json: { message: 'the store is away' } }))
    await eachView(async (view) => {
      await settled()
      expect(await violations(page), `${view}, failing`).toEqual([])
    })
    await page.unroute(isData)
  })

  it('shows hostile text of every record as text', async () => {
    const { sluice } = server
    const ok = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await page.evaluate<{ status: number; text: string }>(
        `fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'content-type': 'application/json', 'x-sluice-studio': '1' }, body: ${JSON.stringify(JSON.stringify(body))} }).then(async (r) => ({ status: r.status, text: await r.text() }))`,
      )
      expect([path, answer.status < 300, answer.text]).toEqual([path, true, answer.text])
      return answer.text.startsWith('{') ? JSON.parse(answer.text) : {}
    }
    const transformation = await ok('/transformations', {
      name: `t ${hostile}`,
      description: hostile,
      code: `// ${hostile}\nexport function transformEvent(event) { log(event.note); return event }`,
    })
    await ok('/v2/sources', { name: `s ${hostile}`, type: 'JavaScript' })
    const { destination } = (await ok('/v2/destinations', {
      name: `d ${hostile}`,
      type: 'WEBHOOK',
      config: { webhookUrl: server.receiver.url, headers: [{ from: 'x-note', to: 'refuse' }] },
    })) as { destination: { id: string } }
    await sluice.regulations.create('shop', { regulationType: 'suppress', users: [{ userId: hostile }] })
    await server.send([
      { type: 'track', event: hostile, userId: `u ${hostile}`, messageId: 'hostile-1', note: hostile },
      { type: 'track', event: 'refuse', userId: 'u1', messageId: `m ${hostile}`, properties: { [hostile]: hostile } },
      { type: 'identify', userId: 'u1', traits: { [`k ${hostile}`]: hostile } },
    ])
    await sluice.settled()
    await eachView(settled)
    for (const path of [
      `transformations/${String(transformation['id'])}`,
      `destinations/${destination.id}`,
      'live/hostile-1',
      `live/${encodeURIComponent(`m ${hostile}`)}`,
      `privacy?user=${encodeURIComponent(hostile)}`,
      'failed/list',
    ]) {
      await page.goto(`${server.origin}/studio/${path}`)
      await settled()
    }
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect({ alerts, complaints: scene.complaints.filter((text) => !text.includes('503')) }).toEqual({
      alerts: 0,
      complaints: [],
    })
  })
})
