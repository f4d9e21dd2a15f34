import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createSluice, type Sluice, toNodeListener } from 'sluice'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { documented } from '../support/http/documented.ts'
import { type PageServer, servePages } from '../support/pages/sdk-pages.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { shop } from '../support/scenes/shop.ts'
import { type Call, clients } from './clients.ts'
import { replayedClients } from './replay-requests.ts'

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
function callsOf(client: string): readonly Call[] {
  return Array.from({ length: rounds }, (_, round): readonly Call[] => {
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

/** Members of messages that name the event, and times, which get another form. */
const noContent = ['type', 'timestamp', 'originalTimestamp', 'sentAt']
const times = ['originalTimestamp', 'sentAt', 'receivedAt', 'timestamp']

const changedIn = (given: object, arrived: Message): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) =>
    noContent.includes(name) || isDeepStrictEqual(arrived[name], value) ? [] : name,
  )

/** Names the members of messages that arrived otherwise, or not, and the times that are no times. */
function differences(client: string, messages: readonly Message[]): readonly string[] {
  const arrived = arrivedOf(client)
  const found = messages.flatMap((message) => {
    const { type } = message
    const event = arrived.find((each) => each['type'] === type && each['userId'] === message['userId'])
    if (event === undefined) return [`${type} lost`]
    const context = (event['context'] ?? {}) as Message
    const { context: given, ...rest } = message
    const changed = [
      ...changedIn(rest, { traits: context['traits'], ...event }),
      ...changedIn(given ?? {}, context).map((name) => `context.${name}`),
    ].map((name) => `${type}.${name}`)
    if (context['ip'] !== '127.0.0.1') changed.push(`${type}.context.ip`)
    const ownTime = message['originalTimestamp'] ?? message['timestamp']
    if (ownTime !== undefined && Date.parse(String(ownTime)) !== Date.parse(String(event['originalTimestamp'])))
      changed.push(`${type}.originalTimestamp`)
    const wrongTimes = times.filter((name) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(event[name])))
    return [...changed, ...wrongTimes.map((name) => `${type}.${name}`)]
  })
  return [...new Set(found)]
}

it('every SDK for programs loses, repeats and changes nothing; the page of clients says so', async () => {
  const runs = [...clients, ...replayedClients].map((client) => {
    const name = `${client.name} ${client.version}`
    const calls = callsOf(name)
    const given = (): readonly Message[] => calls.map(([type, message]) => ({ ...message, type }))
    return { client, name, calls, messages: client.messages?.(calls) ?? given() }
  })
  // One after another: what an SDK takes for lost it sends again while others send.
  const failed = new Set<string>()
  for (const { client, name, calls } of runs)
    await client.send(server.origin, 'web-key', calls).catch(() => failed.add(name))
  const sent = runs.reduce((sum, { messages }) => sum + messages.length, 0)
  if (failed.size === 0) await eventually(() => receiver.received.length).toBeGreaterThanOrEqual(sent)
  await sluice.settled()
  const rows = runs.map(({ client, name, messages }) => {
    const changed = [...(failed.has(name) ? ['answer taken for an error'] : []), ...differences(name, messages)]
    const { version, replayed } = client
    const by =
      replayed === undefined ? [`\`${client.name}\``, version, 'run'] : [client.name, version, `replayed (${replayed})`]
    return `| ${[...by, messages.length, arrivedOf(name).length, changed.join(', ') || 'none'].join(' | ')} |`
  })
  for (const [index, { messages }] of runs.entries())
    expect.soft(rows[index]).toContain(`| ${messages.length} | ${messages.length} | none |`)
  await expect(pageOf(rows)).toMatchFileSnapshot(page)
})

const pageOf = (rows: readonly string[]): string => `# Clients

SDKs for programs: one of each major version, and two where the requests changed within one. Each sends ${rounds * 6} events (17
of each call that it has) to a server, which delivers them to one destination. Received are the events that arrive there,
and differences the members that arrive otherwise than they were sent. \`test/clients\` makes this page, and fails when a
row loses, repeats or changes an event.

SDKs of npm are run. Requests of those in other languages are replayed as data: headers, encoding and text as the SDK
writes them, and each batch again as often as the SDK sends it for the answer that it gets. They were recorded from the
SDK, or written after its source: [how each came to be](../../test/clients/requests/README.md).

| client | version | how | sent | received | differences |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

The browser SDKs \`@rudderstack/analytics-js\` 3 and \`@segment/analytics-next\` 1 run in Chromium in \`test/sdk\`: call by call, in
batches, when the page ends, and while the server refuses. What each of them needs is in [Send events from
browsers](guides/browsers.md).
`
