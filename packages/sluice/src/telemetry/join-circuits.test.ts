import { expect, it } from 'vitest'
import { joinCircuits } from './join-circuits.ts'

it('shows a destination as failing when it fails in one of several processes, and since when it failed first', () => {
  expect(
    joinCircuits([
      [
        { destinationId: 'b', state: 'closed', failingSince: 5 },
        { destinationId: 'a', state: 'closed' },
      ],
      [
        { destinationId: 'b', state: 'open', failingSince: 7, nextTryAt: 9 },
        { destinationId: 'c', state: 'paused', pausedAt: 1 },
      ],
    ]),
  ).toEqual([
    { destinationId: 'a', state: 'closed' },
    { destinationId: 'b', state: 'open', failingSince: 5, nextTryAt: 9 },
    { destinationId: 'c', state: 'paused', pausedAt: 1 },
  ])
})
