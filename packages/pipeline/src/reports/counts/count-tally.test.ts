import { expect, it } from 'vitest'
import { CountTally } from './count-tally.ts'

it('adds up what is counted under the same names, and keeps the rest apart', () => {
  const tally = new CountTally('w')
  tally.add('web', '', 'received', '', 2)
  tally.add('web', 'crm', 'dropped', 'not wanted', 1)
  tally.add('web', '', 'received', '', 3)
  tally.add('web', 'crm', 'dropped', 'other', 1)
  tally.add('web', 'mail', 'dropped', 'other', 1)
  expect(tally.deltas()).toEqual([
    { workspaceId: 'w', sourceId: 'web', destinationId: '', kind: 'received', reason: '', count: 5 },
    { workspaceId: 'w', sourceId: 'web', destinationId: 'crm', kind: 'dropped', reason: 'not wanted', count: 1 },
    { workspaceId: 'w', sourceId: 'web', destinationId: 'crm', kind: 'dropped', reason: 'other', count: 1 },
    { workspaceId: 'w', sourceId: 'web', destinationId: 'mail', kind: 'dropped', reason: 'other', count: 1 },
  ])
})

it('keeps no counter of nothing', () => {
  const tally = new CountTally('w')
  tally.add('web', '', 'suppressed', '2026-01-01', 0)
  expect(tally.deltas()).toEqual([])
})

it('takes no two names for one, whatever characters they have', () => {
  const tally = new CountTally('w')
  tally.add('a","b', '', 'received', '', 1)
  tally.add('a', 'b', 'received', '', 1)
  expect(tally.deltas()).toHaveLength(2)
})
