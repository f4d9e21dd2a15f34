import { drop, fail, type Outcome, pass, type SourcedEvent, type Stage } from '@sluice/core'
import { type SuppressStage, suppressedReason } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import { admitBatch } from './admit-batch.ts'
import { suppressLogged } from './flow.ts'

const live = new AbortController().signal
const item = (messageId: string, more: object = {}): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', messageId, ...more },
})
const suppress: SuppressStage = {
  name: 'suppress',
  mayStop: () => true,
  position: 0,
  run: async (batch) => batch.map((each) => (each.event['userId'] === 'gone' ? drop(suppressedReason) : pass(each))),
}
const stageOf = (name: string, outcome: (item: SourcedEvent) => Outcome<SourcedEvent>): Stage<SourcedEvent> => ({
  name,
  run: async (batch) => batch.map(outcome),
})
const admit = (batch: readonly SourcedEvent[], ...beforeLog: readonly Stage<SourcedEvent>[]) =>
  admitBatch({ suppress, beforeLog }, batch, live)

describe('what is accepted of a batch', () => {
  it('is what is not suppressed, with its place in the batch', async () => {
    const { events, suppressed, endings } = await admit([item('a', { userId: 'gone' }), item('b')])
    expect([events, suppressed, endings]).toEqual([[{ origin: 1, item: item('b') }], 1, []])
  })

  it('is what the stages before the log leave of it, in their order', async () => {
    const first = stageOf('first', (each) =>
      each.event.messageId === 'b' ? drop('a bot') : pass({ ...each, event: { ...each.event, seen: 'first' } }),
    )
    const second = stageOf('second', (each) =>
      pass({ ...each, event: { ...each.event, seen: `${each.event['seen']}, second` } }),
    )
    const { events, endings } = await admit([item('a'), item('b'), item('c')], first, second)
    expect(events.map(({ origin, item: { event } }) => [origin, event['seen']])).toEqual([
      [0, 'first, second'],
      [2, 'first, second'],
    ])
    expect(endings).toEqual([{ origin: 1, stage: 'first', outcome: drop('a bot') }])
  })

  it('has no event that a stage failed', async () => {
    const outcome = fail({ code: 'transform.threw', message: 'no' })
    const { events, endings } = await admit(
      [item('a')],
      stageOf('own', () => outcome),
    )
    expect([events, endings]).toEqual([[], [{ origin: 0, stage: 'own', outcome }]])
  })

  it('keeps its message id, its workspace and its source, whatever a stage returns', async () => {
    const stage = stageOf('own', () =>
      pass({ ...item('other'), workspaceId: 'other', sourceId: 'other', writeKey: 'x' }),
    )
    const { events } = await admit([item('a')], stage)
    expect(events).toEqual([{ origin: 0, item: item('a') }])
  })

  it('shows no stage a suppressed event', async () => {
    const seen: unknown[] = []
    const stage = stageOf('own', (each) => {
      seen.push(each.event.messageId)
      return pass(each)
    })
    await admit([item('a', { userId: 'gone' }), item('b')], stage)
    expect(seen).toEqual(['b'])
  })

  const broken: readonly { name: string; run: Stage<SourcedEvent>['run']; says: string }[] = [
    { name: 'throws', run: () => Promise.reject(new Error('bug')), says: 'bug' },
    { name: 'makes two events of one', run: async () => [pass(item('a'), item('b'))], says: 'only one event for each' },
    { name: 'makes none of one', run: async () => [{ kind: 'pass', items: [] }], says: 'only one event for each' },
    { name: 'answers for another number of events', run: async () => [], says: '0 outcomes for 1 inputs' },
  ]
  for (const { name, run, says } of broken)
    it(`is nothing when a stage before the log ${name}`, async () => {
      await expect(admit([item('a')], { name: 'own', run })).rejects.toThrow(says)
    })
})

it('of a logged batch, neither suppressed nor erased events go on', async () => {
  const erased = { ...item('x'), event: {} }
  const passed = await suppressLogged({ suppress }, [erased, item('a', { userId: 'gone' }), item('b')], live)
  expect(passed).toEqual([{ origin: 2, item: item('b') }])
})
