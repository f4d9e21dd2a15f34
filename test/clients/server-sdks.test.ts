import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { documented } from '../support/http/documented.ts'
import { type PageServer, servePages } from '../support/pages/sdk-pages.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { type CallName, clients } from './clients.ts'

const page = join(import.meta.dirname, '../../packages/docs/clients.md')
/** Times that each client makes the six calls. */
const rounds = 17

type Message = Readonly<Record<string, unknown>>

let receiver: Receiver
let sluice: Sluice
let server: PageServer

beforeAll(async () => {
  receiver = await startReceiver()
  sluice = await createSluice({ workspace: shop(receiver.url), allowAddresses: ['localhost'] })
  server = await servePages(toNodeListener(await documented(sluice)))
})
afterAll(async () => {
  await server.close()
  await sluice.stop()
  await receiver.close()
})

/** What an application calls, with an id by which the event is found at the destination. */
function callsOf(client: string): readonly (readonly [CallName, Message])[] {
  return Array.from({ length: rounds }, (_, round): readonly (readonly [CallName, Message])[] => {
    const userId = `${client} ${round}`
    return [
      ['identify', { userId, traits: { plan: 'pro', visits: 3, 'e-mail': 'a@b.test' } }],
      [
        'track',
        { userId, event: 'Order Completed', properties: { total: 42.5, products: [{ sku: 'a' }], gift: null } },
      ],
      ['page', { userId, name: 'Home', properties: { path: '/' } }],
      ['screen', { userId, name: 'Start', properties: { tab: 1 } }],
      ['group', { userId, groupId: 'g1', traits: { name: 'Company' } }],
      ['alias', { userId, previousId: 'before' }],
    ]
  }).flat()
}

const arrivedOf = (client: string): readonly Message[] =>
  receiver.received
    .map(({ body }): Message => JSON.parse(body))
    .filter(({ userId }) => String(userId).startsWith(`${client} `))

/** Names the members of calls that arrived otherwise, or not, and the times that are no times. */
function differences(client: string): readonly string[] {
  const arrived = arrivedOf(client)
  const found = callsOf(client).flatMap(([type, message]) => {
    const event = arrived.find((each) => each['type'] === type && each['userId'] === message['userId'])
    if (event === undefined) return [`${type} lost`]
    const { traits } = (event['context'] ?? {}) as { traits?: unknown }
    const changed = Object.entries(message).flatMap(([name, value]) =>
      isDeepStrictEqual(event[name] ?? (name === 'traits' ? traits : undefined), value) ? [] : `${type}.${name}`,
    )
    const times = ['originalTimestamp', 'sentAt', 'receivedAt', 'timestamp'].filter(
      (name) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(event[name])),
    )
    return [...changed, ...times.map((name) => `${type}.${name}`)]
  })
  return [...new Set(found)]
}

it('every SDK for programs loses, repeats and changes nothing; the page of clients says so', async () => {
  const names = clients.map(({ name, version }) => `${name} ${version}`)
  // One after another: what an SDK takes for lost it sends again while others send.
  for (const [index, { send }] of clients.entries()) await send(server.origin, 'web-key', callsOf(names[index] ?? ''))
  const sent = rounds * 6
  await eventually(() => receiver.received.length).toBeGreaterThanOrEqual(sent * clients.length)
  await sluice.settled()
  const rows = clients.map(({ name, version }, index) => {
    const client = names[index] ?? ''
    const changed = differences(client)
    return `| \`${name}\` | ${version} | ${sent} | ${arrivedOf(client).length} | ${changed.length === 0 ? 'none' : changed.join(', ')} |`
  })
  for (const row of rows) expect(row).toContain(`| ${sent} | ${sent} | none |`)
  await expect(pageOf(rows)).toMatchFileSnapshot(page)
})

const pageOf = (rows: readonly string[]): string => `# Clients

SDKs for programs, as they are on npm, one of each major version (\`analytics-node\` from 2 on). Each sends ${rounds * 6} events to a
server, which delivers them to one destination. Received are the events that arrive there, and differences the members that arrive
otherwise than the application gave them. \`test/clients\` makes this page: it runs the SDKs, and fails when a row loses, repeats or changes an event.

| client | version | sent | received | differences |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

The browser SDKs \`@rudderstack/analytics-js\` 3 and \`@segment/analytics-next\` 1 run in Chromium in \`test/sdk\`: call by call, in
batches, when the page ends, and while the server refuses. What each of them needs is in [Send events from
browsers](guides/browsers.md).
`
