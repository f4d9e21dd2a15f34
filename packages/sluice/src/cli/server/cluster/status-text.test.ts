import type { NodeStatus } from '@sluice/postgres'
import { expect, it } from 'vitest'
import { statusText } from './status-text.ts'

const node: NodeStatus = {
  id: '5f0c1d2e-0000-4000-8000-000000000001',
  beatAgeMs: 340,
  leaseMs: 5_000,
  isMember: true,
  isDraining: false,
  lanes: [0, 1],
  applied: 4,
  definition: 'abc',
  hasOlderDefinition: false,
}
const { beatAgeMs: _, ...silent } = node

it('says of each process how it is, whether lanes have no owner, and what is behind, without control characters', () => {
  const text = statusText({
    nodes: [
      node,
      { ...node, id: '61aa0000-1', isDraining: true, lanes: [] },
      { ...node, id: '72bb0000-2', isMember: false, lanes: [] },
      { ...silent, id: '83cc0000-3', silentMs: 2_540, applied: 3, definition: 'abd', hasOlderDefinition: true },
    ],
    changes: 4,
    lanesWithoutOwner: [7, 9],
    destinations: [{ workspaceId: 'shop', destinationId: 'hook\u001b[31m', pending: 20, waiting: 3 }],
    log: { partitions: 3, bytes: 1_572_864 },
    oldestTransactionSeconds: 75.4,
    losses: [
      {
        noticedAt: 0,
        from: 7,
        to: 20,
        batches: 3,
        events: 9,
        changes: 1,
        isExact: true,
        confirmed: { by: 'anna', at: 1_000 },
      },
      { noticedAt: 2_000, batches: 0, events: 0, changes: 2, isExact: false },
    ],
  })
  expect(text.split('\n')).toEqual([
    'process   state      last beat  lanes  changes applied',
    '5f0c1d2e  serving        0.3 s      2            4 / 4',
    '61aa0000  draining       0.3 s      0            4 / 4',
    '72bb0000  starting       0.3 s      0            4 / 4',
    '83cc0000  silent    over 2.5 s      2            3 / 4',
    'Lanes that no process holds: 7, 9',
    'The processes have different definitions of workspaces, and 83cc0000 an older file: new events go where the newest says. Give all the same file, and restart those with an older one or send SIGHUP to them.',
    'Log: 3 partitions, 1.5 MB.',
    'A transaction has been open in the database for 75 s: until it ends, no space is used again. Find it in pg_stat_activity.',
    'Lost before 1970-01-01T00:00:00.000Z: 9 events in 3 batches (positions 7 to 20), 1 changes of regulations, code and configuration; confirmed by anna at 1970-01-01T00:00:01.000Z.',
    'Lost before 1970-01-01T00:00:02.000Z: at least 0 events in 0 batches, 2 changes of regulations, code and configuration; not confirmed: sluice cluster confirm-loss.',
    '',
    'workspace  destination  events behind  waiting for a retry',
    'shop       hook\ufffd[31m               20                    3',
  ])
})

it('says that no process is running', () => {
  const text = statusText({
    nodes: [],
    changes: 0,
    lanesWithoutOwner: [],
    destinations: [],
    log: { partitions: 3, bytes: 0 },
    oldestTransactionSeconds: 59,
    losses: [],
  })
  expect(text).toBe('No process is running.\nEvery lane has an owner.\nLog: 3 partitions, 0.0 MB.')
})
