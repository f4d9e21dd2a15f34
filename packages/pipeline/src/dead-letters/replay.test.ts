import { createManualClock, createSeededRandom } from '@sluice/core'
import { expect, it } from 'vitest'
import type { DeadLetter } from '../ports/stores/dead-letter-store.ts'
import { replayOf } from './replay.ts'

const letter: DeadLetter = {
  id: 'letter',
  workspaceId: 'w',
  destinationId: 'crm',
  at: 5,
  stage: 'deliver',
  error: { code: 'deliver.refused', message: 'no' },
  source: { workspaceId: 'w', sourceId: 'web', writeKey: 'k', event: { type: 'track', messageId: 'm' } },
  userKeys: ['u1'],
}
const means = { clock: createManualClock(1_000), random: createSeededRandom(1) }

it('a replayed event is due now, starts its time limit again, and waits behind others of its user', () => {
  const { id, deferred } = replayOf(letter, means)
  expect(id).toBe('letter')
  expect(deferred).toMatchObject({ firstTriedAt: 1_000, dueAt: 1_000, attempts: 0, delivered: 0, userKeys: ['u1'] })
  expect(deferred.id).not.toBe('letter')
  expect(deferred.outputs).toBe(undefined)
})

it('a replay sends only what was not delivered', () => {
  const outputs = [{ event: { type: 'track' }, done: [0] }]
  expect(replayOf({ ...letter, outputs }, means).deferred.outputs).toEqual(outputs)
  expect(replayOf({ ...letter, outputs: [] }, means).deferred.outputs).toEqual([])
})

it('a replay is counted at the source and destination of its event', () => {
  expect(replayOf(letter, means).counts).toEqual([
    { workspaceId: 'w', sourceId: 'web', destinationId: 'crm', kind: 'replayed', reason: '', count: 1 },
    expect.objectContaining({ destinationId: 'crm', kind: 'replayed', count: 1, named: expect.anything() }),
  ])
})
