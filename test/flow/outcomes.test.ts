import { createSeededRandom, type Event } from '@sluice/core'
import { createRecordingTransport, reply } from '@sluice/delivery'
import type { OutcomesAnswer } from '@sluice/http'
import { createMemoryStore, openSqliteStore } from '@sluice/storage'
import fc from 'fast-check'
import { createSluice, type Sluice, type WorkspaceDefinition } from 'sluice'
import { describe, expect, it } from 'vitest'
import { createHastyClock } from '../support/faults/hasty-clock.ts'
import { sized } from '../support/long.ts'

const dayMs = 86_400_000
const code = `
export function transformEvent(event) {
  if (event.properties?.ask === 'drop') return null
  if (event.properties?.ask === 'throw') throw new Error('as the event says')
  return event
}`
const hook = (id: string) => ({ id, type: 'WEBHOOK', settings: { webhookUrl: `http://${id}.test/` } }) as const
const denied = { eventFilteringOption: 'blacklistedEvents', blacklistedEvents: [{ eventName: 'Left out' }] } as const
const workspace: WorkspaceDefinition = {
  id: 'w',
  sources: [
    {
      id: 'web',
      writeKey: 'web-key',
      trackingPlan: {
        onViolation: 'drop',
        unplanned: 'pass',
        events: [{ type: 'track', event: 'Planned', schema: { required: ['userId'] } }],
      },
    },
    { id: 'app', writeKey: 'app-key' },
  ],
  destinations: [
    hook('plain'),
    { ...hook('coded'), transformation: { code } },
    { ...hook('off'), enabled: false },
    { ...hook('listed'), settings: { ...hook('listed').settings, ...denied } },
    hook('lonely'),
  ],
  connections: [
    ...['plain', 'coded', 'off', 'listed'].map((destination) => ({ source: 'web', destination })),
    { source: 'app', destination: 'coded' },
  ],
}
const withoutCoded: WorkspaceDefinition = {
  ...workspace,
  destinations: workspace.destinations.filter(({ id }) => id !== 'coded'),
  connections: workspace.connections.filter(({ destination }) => destination !== 'coded'),
}

const anEvent = fc.record(
  {
    type: fc.constantFrom('track', 'track', 'track', 'page', 'unheard-of', 7),
    userId: fc.constantFrom('u1', 'u2', 'later', undefined),
    anonymousId: fc.constant('a1'),
    messageId: fc.constantFrom('m1', 'm2', undefined, undefined),
    event: fc.constantFrom('Seen', 'Left out', 'Planned', undefined),
    integrations: fc.constantFrom({ All: true }, { All: true }, { All: false }),
    properties: fc.record({ ask: fc.constantFrom('drop', 'throw', 'nothing'), refuse: fc.boolean() }),
  },
  { requiredKeys: ['properties', 'type', 'anonymousId'] },
)
const calls = fc.array(
  fc.record({
    writeKey: fc.constantFrom('web-key', 'app-key'),
    events: fc.array(anEvent, { minLength: 1, maxLength: 6 }),
    isDirect: fc.boolean(),
    // What happens before the call.
    before: fc.constantFrom('nothing', 'nothing', 'take away', 'put back', 'suppress', 'next day', 'replay'),
  }),
  { minLength: 1, maxLength: 5 },
)

const stores = {
  memory: createMemoryStore,
  SQLite: (parts: Parameters<typeof createMemoryStore>[0]) => openSqliteStore({ path: ':memory:', ...parts }),
}

async function setUp(open: (typeof stores)[keyof typeof stores]) {
  const random = createSeededRandom(1)
  const clock = createHastyClock()
  const sluice = await createSluice({
    workspace,
    transport: createRecordingTransport((request) =>
      reply(JSON.stringify(request).includes('"refuse":true') ? 400 : 200),
    ),
    store: await open({ clock, random }),
    clock,
    sandbox: { mode: 'in-process' },
    random,
    deduplication: { windowMs: dayMs },
    admin: { user: 'a', password: 'b' },
  })
  return { sluice, clock }
}

async function outcomesOf(sluice: Sluice, query: Record<string, string>): Promise<OutcomesAnswer> {
  const authorization = `Basic ${Buffer.from('a:b').toString('base64')}`
  const url = `http://x/v2/outcomes?${new URLSearchParams(query)}`
  const response = await sluice.fetch(new Request(url, { headers: { authorization } }))
  expect(response.status).toBe(200)
  return (await response.json()) as OutcomesAnswer
}

function requireSums({ destinations, accepted }: OutcomesAnswer): void {
  for (const at of destinations) {
    const missed = at.notReached.reduce((sum, { events }) => sum + events, 0)
    expect(at.accepted).toBe(accepted)
    expect(at.delivered + missed + at.waiting).toBe(at.accepted + at.replayed)
    for (const each of [at.delivered, at.waiting, ...at.notReached.map(({ events }) => events)])
      expect(each).toBeGreaterThanOrEqual(0)
  }
}

/** Compares the outcomes of all days with the counters. */
async function requireCounted(sluice: Sluice, days: readonly string[]): Promise<void> {
  for (const source of await sluice.stats()) {
    const perDay = await Promise.all(days.map((day) => outcomesOf(sluice, { source: source.sourceId, day })))
    const sumOf = (amount: (day: OutcomesAnswer) => number) => perDay.reduce((sum, day) => sum + amount(day), 0)
    expect([sumOf(({ accepted }) => accepted), sumOf(({ suppressed }) => suppressed)]).toEqual([
      source.accepted,
      source.suppressed,
    ])
    for (const at of source.destinations) {
      const total = (of: 'delivered' | 'replayed' | 'waiting') =>
        sumOf(({ destinations }) => destinations.find((each) => each.destinationId === at.destinationId)?.[of] ?? 0)
      expect([total('delivered'), total('replayed'), total('waiting')]).toEqual([at.delivered, at.replayed, at.pending])
    }
    for (const day of perDay) {
      requireSums(day)
      expect(day.names.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(day.accepted)
      for (const { type, event, accepted } of day.names) {
        const named = await outcomesOf(sluice, { source: source.sourceId, day: day.day, type, event })
        requireSums(named)
        expect(named.accepted).toBe(accepted)
        for (const { waiting } of named.destinations) expect(waiting).toBe(0)
      }
    }
  }
}

describe('the outcomes of a day', () => {
  for (const [name, open] of Object.entries(stores))
    it(`add up to what was accepted, by name and destination, and agree with the counters: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(calls, async (sent) => {
          const { sluice, clock } = await setUp(open)
          const begun = clock.now()
          for (const { writeKey, events, isDirect, before } of sent) {
            if (before === 'take away') await sluice.updateWorkspace(withoutCoded)
            if (before === 'put back') await sluice.updateWorkspace(workspace)
            if (before === 'next day') await clock.sleep(dayMs)
            if (before === 'suppress')
              await sluice.regulations.create('w', { regulationType: 'suppress', users: [{ userId: 'later' }] })
            if (before === 'replay') {
              await sluice.settled()
              await sluice.deadLetters.replay('w', { destinationId: 'plain' })
            }
            const given = events as readonly Event[]
            if (isDirect) await sluice.process(writeKey, given)
            else await sluice.ingest(writeKey, given, { onInvalid: 'refuse-event' })
          }
          await sluice.updateWorkspace(workspace)
          const received = sent.reduce((sum, { events }) => sum + events.length, 0)
          // Batches without a log are counted a little later.
          const isComplete = async () => {
            const stats = await sluice.stats()
            const isPending = stats.some(({ destinations }) => destinations.some(({ pending }) => pending > 0))
            return !isPending && stats.reduce((sum, source) => sum + source.received, 0) === received
          }
          while (!(await isComplete())) await new Promise((resolve) => setTimeout(resolve, 1))
          const days = Array.from({ length: Math.ceil((clock.now() - begun) / dayMs) + 1 }, (_, n) =>
            new Date(begun + n * dayMs).toISOString().slice(0, 10),
          ).filter((day) => day <= new Date(clock.now()).toISOString().slice(0, 10))
          await requireCounted(sluice, days)
          await sluice.stop()
        }),
        { numRuns: sized(8, 40) },
      )
    })
})
