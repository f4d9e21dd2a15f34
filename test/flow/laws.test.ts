import { createSeededRandom, type Event, systemClock } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import { type DeliveryRequest, webhook } from '@sluice/destinations'
import { createMemoryStore } from '@sluice/storage'
import { runOffline } from '@sluice/testing'
import fc from 'fast-check'
import { createSluice, type Sluice, type WorkspaceDefinition } from 'sluice'
import { describe, expect, it } from 'vitest'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { sized } from '../support/long.ts'

/** Drops, fans out or fails, as the event requests. */
const code = `
export function transformEvent(event) {
  switch (event.properties?.ask) {
    case 'drop': return null
    case 'two': return [event, { ...event, copy: true }]
    case 'throw': throw new Error('asked to')
    case 'number': return 42
  }
  return { ...event, touched: true }
}`

const workspace: WorkspaceDefinition = {
  id: 'laws',
  sources: [
    { id: 's1', writeKey: 'k1' },
    { id: 's2', writeKey: 'k2' },
  ],
  destinations: [
    { id: 'plain', type: 'WEBHOOK', settings: { webhookUrl: 'http://plain.test/' } },
    { id: 'coded', type: 'WEBHOOK', settings: { webhookUrl: 'http://coded.test/' }, transformation: { code } },
    { id: 'off', type: 'WEBHOOK', enabled: false, settings: { webhookUrl: 'http://off.test/' } },
    { id: 'lonely', type: 'WEBHOOK', settings: { webhookUrl: 'http://lonely.test/' } },
  ],
  connections: [
    { source: 's1', destination: 'plain' },
    { source: 's1', destination: 'coded' },
    { source: 's1', destination: 'off' },
    { source: 's2', destination: 'coded' },
  ],
}

const withoutCoded: WorkspaceDefinition = {
  ...workspace,
  destinations: workspace.destinations.filter(({ id }) => id !== 'coded'),
  connections: workspace.connections.filter(({ destination }) => destination !== 'coded'),
}

/** `settled` waits only for existing destinations; events owed to a removed one end by themselves. */
async function untilNothingIsPending(sluice: Sluice): Promise<void> {
  await sluice.settled()
  const isPending = async () =>
    (await sluice.stats()).some(({ destinations }) => destinations.some((each) => each.pending > 0))
  while (await isPending()) await new Promise((resolve) => setTimeout(resolve, 1))
}

const anEvent = fc.record(
  {
    type: fc.constantFrom('track', 'identify', 'page', 'unheard-of', 7, undefined),
    userId: fc.constantFrom('u1', 'u2', 'secret-user', '', undefined),
    anonymousId: fc.constantFrom('a1', undefined),
    event: fc.constantFrom('Seen', 'Bought', undefined),
    properties: fc.record({ ask: fc.constantFrom('drop', 'two', 'throw', 'number', 'nothing'), refuse: fc.boolean() }),
  },
  { requiredKeys: ['properties'] },
)
const calls = fc.array(
  fc.record({
    writeKey: fc.constantFrom('k1', 'k2'),
    events: fc.array(fc.oneof({ weight: 9, arbitrary: anEvent }, { weight: 1, arbitrary: fc.constant([]) }), {
      minLength: 1,
      maxLength: 6,
    }),
    partly: fc.boolean(),
    // What happens to the destination with user code before the call.
    change: fc.constantFrom('none', 'none', 'take away', 'put back'),
  }),
  { minLength: 1, maxLength: 5 },
)

// Each run starts a sandbox, which in a thread takes longer than the rest of the run.
const sandbox = { mode: sized<'in-process' | 'worker'>('in-process', 'worker') }

/** A destination that refuses the events that request it. */
function transport() {
  return createRecordingTransport((request) => reply(isRefused(request) ? 400 : 200))
}

function isRefused(request: DeliveryRequest): boolean {
  return JSON.stringify(request).includes('"refuse":true')
}

async function setUp() {
  const recorded = transport()
  const random = createSeededRandom(1)
  const store = createMemoryStore({ clock: systemClock, random })
  const sluice = await createSluice({
    workspace,
    transport: recorded,
    store,
    sandbox,
    random,
    admin: { user: 'a', password: 'b' },
  })
  return { sluice, recorded, store }
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)

describe('the laws', () => {
  it('conservation: every event has exactly one outcome per connected destination, and all sums agree', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (sent) => {
        const { sluice, recorded } = await setUp()
        let received = 0
        for (const { writeKey, events, partly, change } of sent) {
          if (change !== 'none') await sluice.updateWorkspace(change === 'put back' ? workspace : withoutCoded)
          await sluice.ingest(writeKey, events, { onInvalid: partly ? 'refuse-event' : 'refuse-call' })
          received += events.length
          for (const { destinations } of await sluice.stats())
            for (const { pending } of destinations) expect(pending).toBeGreaterThanOrEqual(0)
        }
        await untilNothingIsPending(sluice)
        const stats = await sluice.stats()
        expect(stats.reduce((total, source) => total + source.received, 0)).toBe(received)
        let outputs = 0
        for (const source of stats) {
          expect(source.received).toBe(sum(source.rejected) + source.suppressed + source.accepted)
          const connected = workspace.connections.filter((each) => each.source === source.sourceId)
          const always = connected.map(({ destination }) => destination).filter((id) => id !== 'coded')
          const owing = source.accepted > 0 ? always.sort() : []
          const seen = source.destinations.map(({ destinationId }) => destinationId)
          expect(seen.filter((id) => id !== 'coded')).toEqual(owing)
          for (const { accepted, delivered, dropped, failed, pending, ...rest } of source.destinations) {
            expect(pending).toBe(0)
            if (rest.destinationId === 'coded') expect(accepted).toBeLessThanOrEqual(source.accepted)
            else expect(accepted).toBe(source.accepted)
            expect(accepted).toBe(delivered + sum(dropped) + sum(failed))
            outputs += rest.outputs
          }
        }
        expect(recorded.requests.filter((request) => !isRefused(request))).toHaveLength(outputs)
        await sluice.stop()
      }),
      { numRuns: sized(15, 25) },
    )
  })

  it('no trace: a suppressed event appears only in one counter', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (sent) => {
        const { sluice, recorded, store } = await setUp()
        await sluice.regulations.create('laws', { regulationType: 'suppress', users: [{ userId: 'secret-user' }] })
        const texts: string[] = []
        for (const [i, { writeKey, events }] of sent.entries()) {
          const marked = events.map((event) =>
            'userId' in event && event.userId === 'secret-user'
              ? { ...event, messageId: `canary-${i}`, canary: 'canary' }
              : event,
          )
          const result = await sluice.ingest(writeKey, marked, { onInvalid: 'refuse-event' })
          if (result.ok) expect(result.messageIds).toHaveLength(events.length - result.rejected.length)
          expect(await sluice.receipts(`canary-${i}`)).toEqual([])
        }
        await sluice.settled()
        const authorization = `Basic ${Buffer.from('a:b').toString('base64')}`
        const models = await sluice.fetch(new Request('http://x/schemas/event-models', { headers: { authorization } }))
        texts.push(await models.text(), JSON.stringify(recorded.requests), JSON.stringify(await sluice.stats()))
        texts.push(JSON.stringify(await store.log.read('laws', 0, 1_000)))
        for (const text of texts) {
          expect(text).not.toContain('canary')
          expect(text).not.toContain('secret-user')
        }
        const suppressed = sent
          .flatMap(({ events }) => events)
          .filter((event) => 'userId' in event && event.userId === 'secret-user')
        expect((await sluice.stats()).reduce((total, source) => total + source.suppressed, 0)).toBe(suppressed.length)
        await sluice.stop()
      }),
      { numRuns: sized(15, 25) },
    )
  })

  it('no late trace: once a regulation is answered, no further event of its user is sent, whatever waits for what', async () => {
    const statuses = fc.array(fc.constantFrom(200, 200, 503, 400), { maxLength: 30 })
    const users = fc.array(fc.constantFrom('u1', 'secret-user', 'secret-user'), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(users, { minLength: 1, maxLength: 4 }),
        statuses,
        fc.nat(20),
        async (sent, plan, when) => {
          const turn = () => new Promise((resolve) => setImmediate(resolve))
          const replies = [...plan]
          const begun: unknown[] = []
          let answered = false
          const sluice = await createSluice({
            workspace,
            sandbox,
            // Retries wait, but not long.
            clock: createHastyClock(),
            transport: {
              async send({ body }) {
                if (answered) begun.push(body.JSON['userId'])
                await turn()
                return reply(replies.shift() ?? 200)
              },
            },
          })
          const events = sent.map((ids) => ids.map((userId) => ({ type: 'track', event: 'E', userId })))
          const ingested = Promise.all(events.map((each) => sluice.ingest('k1', each)))
          for (let turns = 0; turns < when; turns += 1) await turn()
          await sluice.regulations.create('laws', { regulationType: 'suppress', users: [{ userId: 'secret-user' }] })
          answered = true
          await ingested
          await sluice.settled()
          expect(begun).not.toContain('secret-user')
          for (const { destinations } of await sluice.stats())
            for (const { accepted, delivered, dropped, failed } of destinations)
              expect(accepted).toBe(delivered + sum(dropped) + sum(failed))
          await sluice.stop()
        },
      ),
      { numRuns: sized(15, 25) },
    )
  })

  it('one path: offline, the same events produce the same requests and the same failures as in production', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anEvent, { minLength: 1, maxLength: 12 }), async (events) => {
        const { sluice, recorded } = await setUp()
        await sluice.ingest('k2', events, { onInvalid: 'refuse-event' })
        await sluice.settled()
        const produced = recorded.requests
        const accepted = produced.length > 0 || (await sluice.stats()).some((source) => source.accepted > 0)
        // Input of the offline run: the events as ingestion completed them.
        const completed = accepted ? await completedEvents(events) : []
        const settings = { webhookUrl: 'http://coded.test/', webhookMethod: 'POST', headers: [] }
        const offline = []
        for await (const outcome of runOffline(completed, {
          transformation: { name: 'coded', code },
          destination: { definition: webhook, settings },
        }))
          offline.push(outcome)
        const volatile = /"(messageId|receivedAt|sentAt|originalTimestamp|timestamp)":"[^"]*"/g
        const plain = (value: unknown): string => JSON.stringify(value).replace(volatile, '')
        expect(
          offline
            .flatMap(({ requests = [] }) => requests)
            .map(plain)
            .sort(),
        ).toEqual(produced.map(plain).sort())
        const failed = (await sluice.stats()).flatMap(({ destinations }) => destinations.map((each) => each.failed))
        const refused = produced.filter(isRefused).length
        const failedOffline = offline.filter(({ outcome }) => outcome === 'failed').length
        if (refused === 0) expect(failed.reduce((total, each) => total + sum(each), 0)).toBe(failedOffline)
        await sluice.stop()
      }),
      { numRuns: sized(12, 20) },
    )
  })
})

/** The events as the log holds them. */
async function completedEvents(events: readonly unknown[]): Promise<readonly Event[]> {
  const store = createMemoryStore({ clock: systemClock, random: createSeededRandom(1) })
  const sluice = await createSluice({
    workspace,
    transport: transport(),
    store,
    sandbox,
    random: createSeededRandom(1),
  })
  await sluice.ingest('k2', events, { onInvalid: 'refuse-event' })
  const batches = await store.log.read('laws', 0, 10)
  await sluice.stop()
  return batches.flatMap((batch) => batch.events)
}
