import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountKind, NamedCount } from '../../ports/stores/counter-store.ts'
import { outcomeReason, parseReason } from './outcome-reason.ts'
import { type DestinationOutcomes, toOutcomes } from './outcomes.ts'

const row = (
  destinationId: string,
  kind: CountKind,
  count: number,
  name = 'track Bought',
  reason = '',
): NamedCount => ({
  workspaceId: 'w',
  sourceId: 's',
  destinationId,
  kind,
  reason,
  count,
  named: { day: '2026-11-28', name },
})
const totalOf = ({ delivered, waiting, notReached }: DestinationOutcomes) =>
  delivered + waiting + notReached.reduce((sum, { events }) => sum + events, 0)

describe('outcomes', () => {
  it('say for each destination how many events did not reach it, and why', () => {
    const counts = [
      row('', 'accepted', 10),
      row('', 'accepted', 2, 'page'),
      row('crm', 'accepted', 8),
      row('crm', 'delivered', 3),
      row('crm', 'dropped', 1, 'track Bought', 'plan'),
      row('crm', 'dropped', 1, 'track Bought', 'transformation  v1'),
      row('crm', 'failed', 1, 'track Bought', 'transformation transform.threw v1'),
      row('crm', 'failed', 1, 'track Bought', 'failed deliver.refused'),
    ]
    const { accepted, names, destinations } = toOutcomes(counts, {
      name: 'track Bought',
      destinationIds: ['mail', 'crm'],
    })
    expect([accepted, names]).toEqual([
      10,
      [
        { name: 'track Bought', accepted: 10 },
        { name: 'page', accepted: 2 },
      ],
    ])
    expect(destinations).toEqual([
      {
        destinationId: 'crm',
        accepted: 10,
        replayed: 0,
        delivered: 3,
        notReached: [
          { why: 'notConnected', events: 2 },
          { why: 'plan', events: 1 },
          { why: 'transformation', outcome: 'dropped', versionId: 'v1', events: 1 },
          { why: 'transformation', outcome: 'failed', versionId: 'v1', code: 'transform.threw', events: 1 },
          { why: 'failed', code: 'deliver.refused', events: 1 },
        ],
        waiting: 1,
      },
      {
        destinationId: 'mail',
        accepted: 10,
        replayed: 0,
        delivered: 0,
        notReached: [{ why: 'notConnected', events: 10 }],
        waiting: 0,
      },
    ])
  })

  it('count an event that was suppressed without its name as not allowed, once nothing waits', () => {
    const accepted = [row('', 'accepted', 3), row('crm', 'accepted', 3), row('crm', 'delivered', 2)]
    const of = (counts: readonly NamedCount[]) =>
      toOutcomes(counts, { name: 'track Bought', destinationIds: [] }).destinations[0]
    expect(of(accepted)).toMatchObject({ waiting: 1, notReached: [] })
    expect(of([...accepted, row('crm', 'dropped', 1, '', 'permission')])).toMatchObject({
      waiting: 0,
      notReached: [{ why: 'permission', events: 1 }],
    })
  })

  it('add up for every name and destination, whatever was counted', () => {
    const ended = fc.constantFrom<readonly [CountKind, string]>(
      ['delivered', ''],
      ['dropped', 'plan'],
      ['dropped', 'transformation  v1'],
      ['failed', 'failed deliver.refused'],
    )
    const name = fc.constantFrom('track A', 'track B', 'page')
    const event = fc.record({ name, at: fc.subarray(['crm', 'mail']), ended, isOpen: fc.boolean(), again: fc.nat(2) })
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const counts = events.flatMap(({ name, at, ended: [kind, reason], isOpen, again }) => [
          row('', 'accepted', 1, name),
          ...at.flatMap((id) => [
            row(id, 'accepted', 1, name),
            ...(again > 0 ? [row(id, 'replayed', again, name)] : []),
            ...(isOpen && again === 0 ? [] : [row(id, kind, 1 + again - Number(isOpen), name, reason)]),
          ]),
        ])
        for (const chosen of [undefined, 'track A', 'track B', 'page']) {
          const outcomes = toOutcomes(counts, { name: chosen, destinationIds: ['crm', 'mail', 'none'] })
          const own = events.filter((each) => chosen === undefined || each.name === chosen)
          expect(outcomes.accepted).toBe(own.length)
          for (const at of outcomes.destinations) {
            expect(totalOf(at)).toBe(own.length + at.replayed)
            const there = own.filter(({ at: ids }) => ids.includes(at.destinationId))
            expect(at.waiting).toBe(there.filter(({ isOpen }) => isOpen).length)
          }
        }
      }),
    )
  })
})

describe('the reason of an outcome', () => {
  const failed = { code: 'deliver.refused', message: 'secret' } as const
  const cases = [
    ['connect', 'destination is disabled', { why: 'disabled' }],
    ['permission', 'consent denied', { why: 'permission' }],
    ['tracking-plan', 'violates the tracking plan', { why: 'plan' }],
    ['destination-transform', 'message type not supported', { why: 'unsupported' }],
    ['destination-transform', 'event on the deny list', { why: 'settings' }],
    ['destination-transform', 'event not on the allow list', { why: 'settings' }],
    ['destination-transform', 'consent denied', { why: 'permission' }],
    ['destination-transform', 'nothing to send', { why: 'mapping' }],
    ['my own', 'user u1 is odd', { why: 'stage' }],
    ['user-transform', 'returned nothing', { why: 'transformation', outcome: 'dropped', versionId: 'v 2' }],
  ] as const
  for (const [stage, reason, want] of cases)
    it(`of "${reason}" in ${stage} is ${want.why}`, () => {
      expect(parseReason(outcomeReason({ outcome: 'dropped', stage, reason }, 'v 2'), 'dropped')).toEqual(want)
    })

  it('of a failure has its code, and nothing of its text', () => {
    const text = outcomeReason({ outcome: 'failed', stage: 'deliver', error: failed }, 'v2')
    expect(text).not.toContain('secret')
    expect(parseReason(text, 'failed')).toEqual({ why: 'failed', code: 'deliver.refused' })
  })
})
