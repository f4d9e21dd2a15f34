import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom, systemClock } from '@sluice/core'
import type { RegulationStore } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { noChromium, startChromium } from '../support/pages/chromium.ts'
import { type PageServer, servePages } from '../support/pages/sdk-pages.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { codeBlocks } from '../support/texts/code-blocks.ts'
import { type Arrived, byCall, calls, callsOfSegment, order, said, wanted, wantedOfSegment } from './calls.ts'

const guide = readFileSync(join(import.meta.dirname, '../../packages/docs/guides/browsers.md'), 'utf8')
/** Where the SDKs are in a page without modules, by the scope of their packages. */
const globals: Readonly<Record<string, string>> = { rudderstack: 'rudderanalytics', segment: 'AnalyticsNext' }

let browser: Browser
beforeAll(async () => {
  if (!noChromium) browser = await startChromium()
})
afterAll(() => browser?.close())

let context: BrowserContext
let receiver: Receiver
let sluice: Sluice
/** Serves pages and Sluice at one origin. */
let server: PageServer
/** Serves pages at another origin. */
let elsewhere: PageServer
/** Addresses that pages called, as far as the browser reports them: not those of beacons. */
let addresses: string[]
/** Events that pages sent, as far as the browser reports them, by message id. */
let sent: Map<string, object>
/** Methods and paths of Sluice that were called, in order. */
let called: string[]
/** Regulations that cannot be read: until they can, Sluice answers 503. */
let isBroken: boolean

async function start(): Promise<void> {
  const store = createMemoryStore({ clock: systemClock, random: createSeededRandom(1) })
  const regulations: RegulationStore = {
    ...store.regulations,
    changes: async (after, limit) => {
      if (isBroken) throw new Error('disk error')
      return store.regulations.changes(after, limit)
    },
  }
  sluice = await createSluice({
    workspace: shop(receiver.url, { sources: [{ id: 'web', name: 'Shop', writeKey: 'web-key' }] }),
    allowAddresses: ['localhost'],
    sandbox: { mode: 'in-process' },
    store: { ...store, regulations },
    onError: () => {},
  })
  const listener = toNodeListener(sluice)
  server = await servePages((request, response) => {
    called.push(`${request.method} ${request.url?.split('?')[0]}`)
    return listener(request, response)
  })
}

beforeEach(async () => {
  if (noChromium) return
  isBroken = false
  called = []
  addresses = []
  sent = new Map()
  receiver = await startReceiver()
  elsewhere = await servePages()
  context = await browser.newContext()
  context.on('request', (request) => {
    addresses.push(request.url())
    if (request.method() === 'POST') noteSent(request.postData())
  })
})
afterEach(async () => {
  if (noChromium) return
  await context.close()
  await server.close()
  await elsewhere.close()
  await sluice.stop()
  await receiver.close()
})

/** Notes the events of a body. Another attempt has other times and counts of attempts. */
function noteSent(body: string | null): void {
  if (body === null) return
  const parsed = JSON.parse(body) as { readonly batch?: readonly Arrived[] } & Arrived
  for (const { writeKey: _, sentAt: __, _metadata: ___, ...event } of parsed.batch ?? [parsed])
    sent.set(event.messageId, event)
}

/** Events that arrived at the destination, in order. */
const arrived = (): readonly Arrived[] => receiver.received.map(({ body }) => JSON.parse(body) as Arrived)

/** Waits until the destination has as many events, and returns them. */
async function arrivals(count: number): Promise<readonly Arrived[]> {
  await eventually(() => arrived().length).toBeGreaterThanOrEqual(count)
  await sluice.settled()
  expect(new Set(arrived().map(({ messageId }) => messageId)).size).toBe(arrived().length)
  return arrived()
}

async function openPage(url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/** Loads RudderStack's SDK with its settings from Sluice. */
const rudder = (options: object = {}): string => `
  const sdk = window.sdk = new rudderanalytics.RudderAnalytics()
  sdk.load('web-key', '${server.origin}', ${JSON.stringify({
    configUrl: server.origin,
    logLevel: 'NONE',
    ...options,
  })})
`
/** Loads Segment's SDK with its settings from Sluice. */
const segment = (integration: object = {}): string => `
  const sdk = window.sdk = AnalyticsNext.AnalyticsBrowser.load(
    { writeKey: 'web-key', cdnURL: '${server.origin}' },
    ${JSON.stringify({ integrations: { 'Segment.io': integration } })},
  )
`
const batches = { queueOptions: { batch: { enabled: true, maxItems: 100, flushInterval: 200 } } }
const laterBeacons = { useBeacon: true, beaconQueueOptions: { maxItems: 100, flushQueueInterval: 600_000 } }
const inBatches = (timeout: number) => ({ deliveryStrategy: { strategy: 'batching', config: { size: 100, timeout } } })

/** The paths of Sluice that were called, each once, without preflights. */
const paths = (): readonly string[] => [
  ...new Set(called.filter((line) => !line.startsWith('OPTIONS') && !line.includes('favicon'))),
]

describe.skipIf(noChromium)('SDKs in a browser lose no event', () => {
  afterEach(() => {
    // Neither RudderStack nor Segment hears of the events.
    const own = [server.origin, elsewhere.origin]
    for (const event of arrived()) expect(event).toMatchObject(sent.get(event.messageId) ?? {})
    expect(addresses.filter((address) => !own.includes(new URL(address).origin))).toEqual([])
  })

  for (const where of ['of the same origin', 'of another origin'] as const) {
    const pages = () => (where === 'of the same origin' ? server : elsewhere).origin

    it(`RudderStack's SDK, in a page ${where}, call by call and in batches`, async () => {
      await start()
      const page = await openPage(`${pages()}/rudder.html`)
      await page.evaluate(`{${rudder()}${calls}}`)
      expect(said(byCall(await arrivals(5)))).toEqual(wanted)
      expect(paths().toSorted()).toEqual(
        ['GET /sourceConfig/', ...order.slice(0, -1).map((type) => `POST /v1/${type}`)].toSorted(),
      )

      const other = await openPage(`${pages()}/rudder.html`)
      await other.evaluate(`{${rudder(batches)}${calls}}`)
      expect(said((await arrivals(10)).slice(5))).toEqual(wanted)
      expect(paths()).toContain('POST /v1/batch')
      expect(sent.size).toBe(10)
    })

    it(`Segment's SDK, in a page ${where}, call by call and in batches`, async () => {
      await start()
      const page = await openPage(`${pages()}/segment.html`)
      await page.evaluate(`{${segment()}${callsOfSegment}}`)
      const events = await arrivals(6)
      expect(said(byCall(events))).toEqual(wantedOfSegment)
      for (const event of events) expect(event).not.toHaveProperty('writeKey')

      const other = await openPage(`${pages()}/segment.html`)
      await other.evaluate(`{${segment(inBatches(200))}${callsOfSegment}}`)
      expect(said((await arrivals(12)).slice(6))).toEqual(wantedOfSegment)
      expect(paths().toSorted()).toEqual([
        'GET /v1/projects/web-key/settings',
        ...['a', 'b', 'g', 'i', 'p', 's', 't'].map((letter) => `POST /v1/${letter}`),
      ])
      expect(sent.size).toBe(12)
    })
  }

  it('when the page ends: RudderStack by beacon, Segment by a request that outlives the page', async () => {
    await start()
    const one = await openPage(`${elsewhere.origin}/rudder.html`)
    await one.evaluate(`new Promise((ready) => {${rudder(laterBeacons)}${calls}; sdk.ready(ready)})`)
    expect(arrived()).toEqual([])
    await one.goto(`${elsewhere.origin}/empty.html`)
    expect(said(await arrivals(5))).toEqual(wanted)
    expect(paths()).toContain('POST /beacon/v1/batch')

    const two = await openPage(`${elsewhere.origin}/segment.html`)
    await two.evaluate(
      `(async () => {${segment(inBatches(600_000))}await sdk; ${callsOfSegment}; await sdk.track('Last')})()`,
    )
    expect(arrived()).toHaveLength(5)
    await two.close({ runBeforeUnload: true })
    expect(said((await arrivals(12)).slice(5))).toEqual([
      ...wantedOfSegment,
      { type: 'track', userId: 'u1', event: 'Last' },
    ])
  })

  it('as the guide shows them', async () => {
    await start()
    const [ofRudder = '', ofSegment = ''] = codeBlocks(guide, 'js').map((block) =>
      block
        .replace(/^import (\{ \w+ \}) from '@(\w+)\/.*$/m, (_, names, scope) => `const ${names} = ${globals[scope]}`)
        .replaceAll('https://events.example.com', server.origin)
        .replaceAll('events.example.com', new URL(server.origin).host)
        .replace('WRITE_KEY', 'web-key'),
    )
    await (await openPage(`${elsewhere.origin}/rudder.html`)).evaluate(`{${ofRudder}}`)
    const [, ordered] = await arrivals(2)
    expect(ordered).toMatchObject({ type: 'track', event: 'Order Completed', properties: { total: 42 } })
    await (await openPage(`${elsewhere.origin}/segment.html`)).evaluate(`{${ofSegment}}`)
    expect((await arrivals(4)).slice(2)).toEqual([
      expect.objectContaining({ type: 'identify', userId: 'user-1', traits: { plan: 'pro' } }),
      expect.objectContaining({ type: 'track', userId: 'user-1', properties: { total: 42 } }),
    ])
  })

  it('while Sluice answers 503: they send again', async () => {
    isBroken = true
    await start()
    const one = await openPage(`${elsewhere.origin}/rudder.html`)
    await one.evaluate(`{${rudder(batches)}${calls}}`)
    const two = await openPage(`${elsewhere.origin}/segment.html`)
    await two.evaluate(`{${segment()}${callsOfSegment}}`)
    const refused = (path: string) => called.filter((line) => line === `POST ${path}`).length
    await eventually(() => Math.min(refused('/v1/batch'), refused('/v1/t'))).toBeGreaterThan(0)
    expect(arrived()).toEqual([])
    isBroken = false
    const events = await arrivals(11)
    const ofRudder = events.filter(({ channel }) => channel === 'web')
    expect(said(ofRudder)).toEqual(wanted)
    const ofSegment = events.filter(({ channel }) => channel !== 'web')
    expect(said(byCall(ofSegment))).toEqual(wantedOfSegment)
  })
})
