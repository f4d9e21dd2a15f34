import { createManualClock, createSeededRandom, drop, type Event, pass, type Workspace } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import type { LogBatch } from '../ports/event-log.ts'
import type { Store } from '../ports/store.ts'
import type { CountDelta } from '../ports/stores/counter-store.ts'
import { type LogReplayQuery, replayLog } from './log-replay.ts'

const workspace: Workspace = {
  id: 'w',
  name: 'w',
  sources: [],
  destinations: [],
  connections: [{ sourceId: 'web', destinationId: 'crm' }],
  accessTokens: [],
}
const batchOf = (position: number, events: readonly Event[], more: Partial<LogBatch> = {}): LogBatch => ({
  position,
  workspaceId: 'w',
  sourceId: 'web',
  writeKey: 'k',
  receivedAt: position * 10,
  destinationIds: ['crm'],
  events,
  ...more,
})
const eventOf = (messageId: string, userId = 'u1'): Event => ({ type: 'track', messageId, userId })
const eventsOf = (count: number) => Array.from({ length: count }, (_, i) => eventOf(`m${i}`))

function scene(batches: readonly LogBatch[], { room = 10_000, cursor = 1_000_000 } = {}) {
  const added: DeferredEvent[] = []
  const counts: CountDelta[] = []
  const store: { log: Pick<Store['log'], 'read'>; retries: Pick<Store['retries'], 'add'> } = {
    log: { read: async (_, after, limit) => batches.filter(({ position }) => position > after).slice(0, limit) },
    retries: {
      add: async (_, events, deltas) => {
        added.push(...events)
        counts.push(...deltas)
      },
    },
  }
  const announced: DeferredEvent[] = []
  const replay = (query: Partial<LogReplayQuery> = {}) =>
    replayLog(
      { destinationId: 'crm', since: 0, until: 1_000_000_000, after: 0, dryRun: false, ...query },
      {
        store: store as Pick<Store, 'log' | 'retries'>,
        clock: createManualClock(7),
        random: createSeededRandom(1),
        workspace,
        flow: {
          suppress: {
            name: 'suppress',
            mayStop: () => true,
            position: 0,
            run: async (items) =>
              items.map((item) => (item.event['userId'] === 'gone' ? drop('suppressed') : pass(item))),
          },
        },
        cursor,
        room,
        deferred: (events) => announced.push(...events),
      },
    )
  const ids = () => added.map(({ source }) => source.event.messageId)
  return { replay, added, counts, announced, ids }
}

describe('a replay of the log', () => {
  it('sends the events of connected sources within the time, without suppressed and erased ones', async () => {
    const { replay, ids, counts, announced } = scene([
      batchOf(1, [eventOf('too early')]),
      batchOf(2, [eventOf('a'), eventOf('suppressed', 'gone'), {}]),
      batchOf(3, [eventOf('of another source')], { sourceId: 'app' }),
      batchOf(4, [eventOf('b')]),
      batchOf(5, [eventOf('too late')]),
    ])
    expect(await replay({ since: 20, until: 50 })).toEqual({ matched: 2 })
    expect([ids(), announced.length]).toEqual([['a', 'b'], 2])
    expect(counts.filter(({ named }) => named === undefined)).toEqual([
      { workspaceId: 'w', sourceId: 'web', destinationId: 'crm', kind: 'replayed', reason: '', count: 2 },
    ])
  })

  it('makes each event due now, from the first stage on, in the order of its user', async () => {
    const { replay, added } = scene([batchOf(1, [eventOf('a')])])
    await replay()
    expect(added[0]).toMatchObject({ dueAt: 7, firstTriedAt: 7, attempts: 0, source: { receivedAt: 10 } })
    expect(added[0]).not.toHaveProperty('outputs')
    expect(added[0]?.userKeys).toHaveLength(1)
  })

  it('sends nothing that the destination has not reached yet: that is on its way anyway', async () => {
    const { replay, ids } = scene([batchOf(1, [eventOf('a')]), batchOf(2, [eventOf('b')])], { cursor: 1 })
    expect([await replay(), ids()]).toEqual([{ matched: 1 }, ['a']])
  })

  it('counts only, and everything, in a dry run', async () => {
    const { replay, added } = scene([batchOf(1, eventsOf(3))], { room: 0 })
    expect([await replay({ dryRun: true }), added]).toEqual([{ matched: 3 }, []])
  })

  it('sends about a thousand events a step, and continues where the step before ended', async () => {
    const { replay, added } = scene([batchOf(1, eventsOf(600)), batchOf(2, eventsOf(400)), batchOf(3, eventsOf(1))])
    const first = await replay()
    expect(first).toEqual({ matched: 1_000, next: 2 })
    expect(await replay({ after: first.next ?? 0 })).toEqual({ matched: 1 })
    expect(added).toHaveLength(1_001)
  })

  it('sends no more than there is room for, but a batch that alone is larger goes through', async () => {
    const two = scene([batchOf(1, eventsOf(3)), batchOf(2, eventsOf(3))], { room: 5 })
    expect(await two.replay()).toEqual({ matched: 3, next: 1 })
    const large = scene([batchOf(1, eventsOf(30))], { room: 5 })
    expect(await large.replay()).toEqual({ matched: 30 })
  })

  it('says that the destination is busy when there is no room at all, and sends nothing', async () => {
    const { replay, added } = scene([batchOf(1, eventsOf(3))], { room: 0 })
    expect([await replay(), added]).toEqual([{ matched: 0, next: 0, isBusy: true }, []])
  })

  it('reads a limited part of the log in a step, also when nothing matches', async () => {
    const { replay } = scene(
      Array.from({ length: 2_100 }, (_, i) => batchOf(i + 1, [eventOf('x')], { sourceId: 'app' })),
    )
    const { matched, next } = await replay()
    expect([matched, next]).toEqual([0, 2_000])
    expect(await replay({ after: 2_000 })).toEqual({ matched: 0 })
  })
})
