import type { CountDelta, DeadLetter, DeferredEvent, EventReceipt, HistoryRow, NewLogBatch } from '@sluice/pipeline'
import type { DeletionJob, Regulation } from '@sluice/regulation'
import type { VersionDelta } from '@sluice/schema'

/** Records for the suites; a test sets only the members it is about. */
export const sampleBatch = (more: Partial<NewLogBatch> = {}): NewLogBatch => ({
  workspaceId: 'w1',
  sourceId: 's1',
  writeKey: 'k1',
  receivedAt: 1_767_225_600_000,
  destinationIds: ['d1', 'd2'],
  events: [{ type: 'track', event: 'Bought', messageId: 'm1' }],
  ...more,
})

export const sampleCount = (more: Partial<CountDelta> = {}): CountDelta => ({
  workspaceId: 'w1',
  sourceId: 's1',
  destinationId: '',
  kind: 'accepted',
  reason: '',
  count: 1,
  ...more,
})

export const sampleHistory = (more: Partial<HistoryRow> = {}): HistoryRow => ({
  workspaceId: 'w1',
  sourceId: '',
  destinationId: 'd1',
  kind: 'answered',
  reason: '200',
  count: 1,
  ...more,
})

export const sampleReceipt = (more: Partial<EventReceipt> = {}): EventReceipt => ({
  workspaceId: 'w1',
  messageId: 'm1',
  sourceId: 's1',
  destinationId: 'd1',
  outcome: 'delivered',
  stage: 'deliver',
  outputs: 1,
  at: 1_767_225_600_000,
  ...more,
})

export const sampleRegulation = (more: Partial<Regulation> = {}): Regulation => ({
  id: '01900000-0000-7000-8000-000000000001',
  workspaceId: 'w1',
  canceled: false,
  regulationType: 'suppress',
  attributes: { userId: 'u1', email: 'u1@example.test' },
  sourceIds: ['s1'],
  destinationIds: [],
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

export const sampleVersion = (more: Partial<VersionDelta> = {}): VersionDelta => ({
  writeKey: 'k1',
  eventType: 'track',
  eventIdentifier: 'Bought',
  schemaHash: 'hash-a',
  schema: { event: 'string', type: 'string' },
  count: 1,
  firstSeen: 1_000,
  lastSeen: 1_000,
  ...more,
})

const sampleSource = {
  workspaceId: 'w1',
  sourceId: 's1',
  writeKey: 'k1',
  receivedAt: 1_767_225_600_000,
  event: { type: 'track', event: 'Bought', messageId: 'm1', userId: 'u1' },
}

export const sampleDeferred = (more: Partial<DeferredEvent> = {}): DeferredEvent => ({
  id: '01900000-0000-7000-8000-000000000002',
  workspaceId: 'w1',
  destinationId: 'd1',
  source: sampleSource,
  outputs: [{ event: sampleSource.event, done: [0] }],
  userKeys: ['u1'],
  delivered: 1,
  attempts: 3,
  firstTriedAt: 1_767_225_600_000,
  dueAt: 1_767_225_610_000,
  ...more,
})

export const sampleDeadLetter = (more: Partial<DeadLetter> = {}): DeadLetter => ({
  id: '01900000-0000-7000-8000-000000000003',
  workspaceId: 'w1',
  destinationId: 'd1',
  at: 1_767_225_600_000,
  stage: 'deliver',
  error: {
    code: 'deliver.refused',
    message: 'api.test refused the request. It answered 400.',
    detail: { status: 400 },
  },
  source: sampleSource,
  outputs: [{ event: sampleSource.event, done: [] }],
  userKeys: ['u1'],
  ...more,
})

export const sampleJob = (more: Partial<DeletionJob> = {}): DeletionJob => ({
  id: '01900000-0000-7000-8000-000000000004',
  workspaceId: 'w1',
  regulationId: '01900000-0000-7000-8000-000000000001',
  destinationId: 'd1',
  attributes: { userId: 'u1', email: 'u1@example.test' },
  status: 'pending',
  attempts: 0,
  dueAt: 10,
  updatedAt: 10,
  ...more,
})
