import { setMaxListeners } from 'node:events'
import { createManualClock, createSeededRandom, drop, fail, pass, type SourcedEvent, type Stage } from '@sluice/core'
import { json, type MappedEvent } from '@sluice/destinations/kit'
import { suppressedReason } from '@sluice/regulation'
import { createObserveStage } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import type { DestinationPath } from '../flow/destination-path.ts'
import type { Flow } from '../flow/flow.ts'
import type { CountDelta } from '../ports/stores/counter-store.ts'
import { DirectProcessing } from './direct-processing.ts'

const live = new AbortController().signal
const clock = createManualClock()
const random = createSeededRandom(1)

const item = (name: string): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', event: name, userId: 'u', messageId: name },
})

const map: Stage<SourcedEvent, MappedEvent> = {
  name: 'destination-transform',
  run: async (batch) =>
    batch.map(({ event }) =>
      pass({
        event,
        requests: [json({ method: 'POST', endpoint: 'http://d.test/', body: {} })],
        userKey: 'u',
        messageId: String(event.messageId),
      }),
    ),
}

const send: DestinationPath['send'] = async (batch, { settled }) => {
  for (const [index, { messageId }] of batch.entries())
    settled(
      index,
      messageId === 'refused'
        ? fail({ code: 'deliver.refused', message: 'no' })
        : pass({ kind: 'delivered', status: 200, attempts: 1 }),
    )
}

/** What happens to an event before the log, by its name. */
const before: Stage<SourcedEvent> = {
  name: 'own',
  run: async (batch) =>
    batch.map((each) => {
      if (each.event['event'] === 'unwanted') return drop('not wanted')
      if (each.event['event'] === 'wrong') return fail({ code: 'stage.failed', message: 'no price' })
      return pass(each)
    }),
}

function setUp(...destinationIds: readonly string[]) {
  const flow: Flow = {
    suppress: {
      name: 'suppress',
      mayStop: () => true,
      position: 0,
      run: async (batch) => batch.map((each) => (each.event['event'] === 'gone' ? drop(suppressedReason) : pass(each))),
    },
    beforeLog: [before],
    observe: createObserveStage({ clock, random }),
    destinations: destinationIds.map((destinationId) => ({ destinationId, before: [], map, send })),
  }
  const counts: CountDelta[] = []
  const store = {
    counters: {
      add: async (deltas: readonly CountDelta[]) => {
        counts.push(...deltas)
      },
    },
    schema: { merge: async () => {}, mergeValues: async () => {} },
    regulations: { writings: { add: async () => {} } },
  }
  const direct = new DirectProcessing({ workspaceId: 'w', store, clock, random, onError: () => {} })
  const run = (names: readonly string[], to = destinationIds, signal = live) =>
    direct.run(flow, names.map(item), to, () => [], signal)
  return { direct, flow, counts, run }
}

describe('a batch without a log', () => {
  it('says for each event, in order, what became of it at each destination, failures included', async () => {
    const { run } = setUp('d1', 'd2')
    const delivered = (destinationId: string) => ({ destinationId, outcome: 'delivered', stage: 'deliver', outputs: 1 })
    const failed = (destinationId: string) => {
      return { destinationId, outcome: 'failed', stage: 'deliver', outputs: 0, reason: 'no', code: 'deliver.refused' }
    }
    expect(await run(['a', 'refused'])).toEqual([
      [delivered('d1'), delivered('d2')],
      [failed('d1'), failed('d2')],
    ])
  })

  it('goes only to the destinations of its source', async () => {
    const { run } = setUp('d1', 'd2')
    expect(await run(['a'], ['d2'])).toMatchObject([[{ destinationId: 'd2', outcome: 'delivered' }]])
    expect(await run(['a'], [])).toEqual([[]])
  })

  it('says of an event that a stage before the log ended that it ended there, for every destination', async () => {
    const { run } = setUp('d1', 'd2')
    const dropped = { stage: 'own', outputs: 0, outcome: 'dropped', reason: 'not wanted' }
    const failed = { stage: 'own', outputs: 0, outcome: 'failed', reason: 'no price', code: 'stage.failed' }
    expect(await run(['unwanted', 'wrong'])).toEqual([
      [
        { destinationId: 'd1', ...dropped },
        { destinationId: 'd2', ...dropped },
      ],
      [
        { destinationId: 'd1', ...failed },
        { destinationId: 'd2', ...failed },
      ],
    ])
  })

  it('does not mention a suppressed event', async () => {
    const { run } = setUp('d1')
    expect(await run(['gone', 'a'])).toMatchObject([[], [{ outcome: 'delivered' }]])
  })

  it('is counted once it has ended, and stored when the pipeline stops', async () => {
    const { direct, counts, run } = setUp('d1')
    await run(['a', 'b', 'refused'])
    await direct.stop()
    const sums = counts.flatMap(({ destinationId, kind, count, named }) =>
      named === undefined ? [[destinationId, kind, count]] : [],
    )
    expect(sums.sort()).toEqual([
      ['d1', 'delivered', 2],
      ['d1', 'failed', 1],
      ['d1', 'outputs', 2],
    ])
  })

  it('is refused when a thousand batches wait: the caller sees that there is no room', async () => {
    const { direct, run } = setUp('d1')
    const stopped = new AbortController()
    setMaxListeners(0, stopped.signal)
    // The first of them runs.
    const runs = Array.from({ length: 1_000 }, () => run(['a'], ['d1'], stopped.signal))
    expect(direct.isFull).toBe(false)
    runs.push(run(['a'], ['d1'], stopped.signal))
    expect(direct.isFull).toBe(true)
    stopped.abort(new Error('stopped'))
    const ends = await Promise.allSettled(runs)
    expect(ends.every(({ status }) => status === 'rejected')).toBe(true)
    expect(direct.isFull).toBe(false)
  })
})
