import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, parseSettings } from '../../kit/index.ts'
import { googleAdwordsOfflineConversions as definition } from './google-adwords-offline-conversions.ts'

const { settings: given = {}, answers = {} } = definition.examples[0] ?? {}
const pair = (from: string, to: string) => ({ from, to })

/** Returns the number of conversions in each request. */
function sizes(type: 'click' | 'store', events: readonly JsonObject[]): readonly number[] {
  const parsed = parseSettings(definition, {
    ...given,
    eventsToOfflineConversionsTypeMapping: [pair('Order Completed', type), pair('Store Visited', type)],
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const context = { now: 0, answers: new Map(Object.entries(answers)) }
  const entries = events.map((event) => ({
    event: { type: 'track', userId: 'u1', timestamp: '2024-01-02T03:04:05.000Z', ...event },
    userKey: 'u1',
    context,
  }))
  const { batches } = batchEvents(definition, entries, parsed.settings)
  return batches.map(({ indexes }) => indexes.length)
}

describe('batches of Google Ads Offline Conversions', () => {
  it('hold conversions of several names, because each has its own conversion action', () => {
    const properties = { gclid: 'g1', total: 9 }
    const events = [
      { event: 'Order Completed', properties },
      { event: 'Store Visited', properties },
    ]
    expect(sizes('click', events)).toEqual([2])
    expect(sizes('store', events)).toEqual([2])
  })

  it('hold store sales of one loyalty fraction, which is one of the job', () => {
    const sale = (loyaltyFraction: string) => ({ event: 'Store Visited', properties: { total: 9, loyaltyFraction } })
    expect(sizes('store', [sale('1'), sale('0.5'), sale('1')])).toEqual([2, 1])
  })
})
