import { createSeededRandom, type Event } from '@sluice/core'
import { createRecordingTransport } from '@sluice/delivery'
import fc from 'fast-check'
import { createSluice, type WorkspaceDefinition } from 'sluice'
import { describe, expect, it } from 'vitest'

type Answer = 'mark' | 'quarantine' | 'drop'

/** A shop with a plan: of orders, it demands that the total is a number. */
const workspace = (
  onViolation: Answer,
  unplanned: Answer,
  type: 'number' | 'string' = 'number',
): WorkspaceDefinition => ({
  id: 'shop',
  sources: [
    {
      id: 'web',
      writeKey: 'k',
      trackingPlan: {
        onViolation,
        unplanned,
        events: [
          {
            type: 'track',
            event: 'Bought',
            schema: { properties: { properties: { properties: { total: { type } } } } },
          },
        ],
      },
    },
  ],
  destinations: [
    { id: 'one', type: 'WEBHOOK', settings: { webhookUrl: 'http://one.test/' } },
    { id: 'two', type: 'WEBHOOK', settings: { webhookUrl: 'http://two.test/' } },
  ],
  connections: [
    { source: 'web', destination: 'one' },
    { source: 'web', destination: 'two' },
  ],
})
const event = fc
  .record({ event: fc.constantFrom('Bought', 'Seen'), total: fc.constantFrom<string | number>(1, '1') })
  .map(({ event: name, total }): Event => ({ type: 'track', event: name, userId: 'u', properties: { total } }) as Event)
const answers = fc.constantFrom<Answer>('mark', 'quarantine', 'drop')
const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)
const setUp = async (definition: WorkspaceDefinition) => {
  const recorded = createRecordingTransport()
  const sluice = await createSluice({
    workspace: definition,
    transport: recorded,
    sandbox: { mode: 'in-process' },
    random: createSeededRandom(1),
  })
  return { sluice, recorded }
}

describe('quarantine of tracking plans', () => {
  it('keeps what violates the plan as a dead letter of each destination, with the place and the rule', async () => {
    const { sluice, recorded } = await setUp(workspace('quarantine', 'quarantine'))
    await sluice.ingest('k', [
      { type: 'track', event: 'Bought', userId: 'u', messageId: 'm1', properties: { total: 'ann@shop.test' } },
      { type: 'track', event: 'Seen', userId: 'u', messageId: 'm2' },
      { type: 'track', event: 'Bought', userId: 'u', messageId: 'm3', properties: { total: 1 } },
    ])
    await sluice.settled()
    const letters = await sluice.deadLetters.list('shop', { limit: 9, destinationId: 'one' })
    expect(letters).toMatchObject([
      { error: { code: 'plan.violated', message: 'violates the tracking plan: properties.total (type)' } },
      { error: { code: 'plan.violated', message: 'not in the tracking plan (unplanned)' } },
    ])
    expect(recorded.requests).toHaveLength(2)
    await sluice.stop()
  })

  it('has exactly one outcome for every event, and delivers after the plan is repaired and the dead letters are replayed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 20 }),
        answers,
        answers,
        async (events, onViolation, unplanned) => {
          const { sluice, recorded } = await setUp(workspace(onViolation, unplanned))
          expect((await sluice.ingest('k', events)).ok).toBe(true)
          await sluice.settled()
          const violating = events.filter(
            (each) => each['event'] === 'Bought' && typeof totalOf(each) === 'string',
          ).length
          const others = events.filter((each) => each['event'] === 'Seen').length
          const kept = (onViolation === 'quarantine' ? violating : 0) + (unplanned === 'quarantine' ? others : 0)
          const gone = (onViolation === 'drop' ? violating : 0) + (unplanned === 'drop' ? others : 0)
          for (const { accepted, delivered, dropped, failed, pending } of (await sluice.stats())[0]?.destinations ??
            []) {
            expect({ pending, delivered, dropped: sum(dropped), failed: sum(failed) }).toEqual({
              pending: 0,
              delivered: events.length - kept - gone,
              dropped: gone,
              failed: kept,
            })
            expect(accepted).toBe(events.length)
          }
          // As long as nothing is repaired, replayed events fail again.
          await sluice.deadLetters.replay('shop', { destinationId: 'one' })
          await sluice.settled()
          expect(await sluice.deadLetters.list('shop', { limit: 99, destinationId: 'one' })).toHaveLength(kept)
          await sluice.updateWorkspace(workspace('mark', 'mark', 'string'))
          for (const destinationId of ['one', 'two']) await sluice.deadLetters.replay('shop', { destinationId })
          await sluice.settled()
          expect(await sluice.deadLetters.list('shop', { limit: 99 })).toEqual([])
          expect(recorded.requests).toHaveLength(2 * (events.length - gone))
          await sluice.stop()
        },
      ),
      { numRuns: 15 },
    )
  })
})

function totalOf({ properties }: Event): unknown {
  return typeof properties === 'object' && properties !== null && 'total' in properties
    ? properties['total']
    : undefined
}
