import { drop, type Event, pass, type SourcedEvent } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { createSuppressStage } from './suppress-stage.ts'
import { createSuppressionIndex } from './suppression-index.ts'

const from = (event: Event): SourcedEvent => ({ workspaceId: 'w1', sourceId: 's1', writeKey: 'k1', event })

describe('suppress stage', () => {
  const index = createSuppressionIndex()
  index.put({
    id: 'r1',
    workspaceId: 'w1',
    canceled: false,
    regulationType: 'suppress',
    attributes: { userId: 'u1' },
    sourceIds: [],
    destinationIds: [],
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  const cases = [
    { name: 'drops an event of a regulated user', item: from({ type: 'track', userId: 'u1' }), passes: false },
    { name: 'passes an event of somebody else', item: from({ type: 'track', userId: 'u2' }), passes: true },
    { name: 'passes an event that carries no userId', item: from({ type: 'track', anonymousId: 'u1' }), passes: true },
  ]
  for (const { name, item, passes } of cases) {
    it(name, async () => {
      const outcomes = await createSuppressStage(index).run([item], new AbortController().signal)
      expect(outcomes).toEqual([passes ? pass(item) : drop('suppressed')])
    })
  }
})
