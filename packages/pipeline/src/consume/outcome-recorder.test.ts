import { createManualClock, createSeededRandom, type SourcedEvent, type StageError } from '@sluice/core'
import type { Deferral } from '@sluice/delivery'
import { describe, expect, it } from 'vitest'
import type { DestinationPath } from '../flow/destination-path.ts'
import { ResultBuilder } from '../flow/destination-result.ts'
import type { DeferredEvent } from '../ports/deferred-event.ts'
import { OutcomeRecorder } from './outcome-recorder.ts'

const clock = createManualClock()
const source: SourcedEvent = {
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', event: 'E', userId: 'u', messageId: 'm' },
}
const path = { destinationId: 'd' } as DestinationPath
const refused: StageError = { code: 'deliver.refused', message: 'no' }
const unmapped: StageError = { code: 'transform.threw', message: 'no such field' }
const output = (name: string) => ({ type: 'track', event: name, userId: 'u', messageId: 'm' })
const deferralOf = (name: string, more: Partial<Deferral> = {}): Deferral => ({
  kind: 'deferred',
  event: output(name),
  userKey: 'u',
  retryAfterMs: 0,
  attempts: 3,
  firstTriedAt: 7,
  done: [],
  ...more,
})

/** What became of the outputs of one event, in words. */
type End = 'delivered' | 'deferred' | 'refused' | 'unmapped' | 'dropped' | 'suppressed'

function settled(...ends: readonly End[]) {
  const builder = new ResultBuilder(0)
  for (const [n, end] of ends.entries()) {
    const event = output(`${end} ${n}`)
    if (end === 'delivered') builder.delivered({ kind: 'delivered', status: 200, attempts: 1 })
    else if (end === 'deferred') builder.delivered(deferralOf(`${end} ${n}`))
    else if (end === 'refused')
      builder.ended({ stage: 'deliver', outcome: { kind: 'fail', error: refused } }, { event })
    else if (end === 'unmapped')
      builder.ended({ stage: 'destination-transform', outcome: { kind: 'fail', error: unmapped } }, { event })
    else {
      const reason = end === 'suppressed' ? 'suppressed' : 'not supported'
      builder.ended({ stage: 'destination-transform', outcome: { kind: 'drop', reason } }, { event })
    }
  }
  return builder.build('deliver')
}

function record(ends: readonly End[], before?: DeferredEvent) {
  const random = createSeededRandom(1)
  const backoff = { baseMs: 1_000, capMs: 8_000 }
  const recorder = new OutcomeRecorder({ workspaceId: 'w', destinationId: 'd', clock, random, backoff })
  recorder.add(source, path, settled(...ends), before)
  return recorder.records()
}

const waiting = (more: Partial<DeferredEvent> = {}): DeferredEvent => ({
  id: 'waiting',
  workspaceId: 'w',
  destinationId: 'd',
  source,
  outputs: [{ event: output('deferred 0'), done: [] }],
  userKeys: ['u'],
  delivered: 0,
  attempts: 3,
  dueAt: 0,
  ...more,
})

/** The counts but those of outputs and of suppressed days: what the event ended as. */
const endsOf = ({ counts }: ReturnType<typeof record>) =>
  counts.flatMap(({ kind, reason, count, named }) =>
    kind === 'outputs' || kind === 'suppressed' || named !== undefined
      ? []
      : [`${kind} ${reason} ${count}`.replace('  ', ' ')],
  )

describe('the accounts of a line', () => {
  const endings: readonly (readonly [readonly End[], string, readonly (readonly string[] | 'whole')[]])[] = [
    [['delivered'], 'delivered 1', []],
    [['delivered', 'delivered'], 'delivered 1', []],
    [['delivered', 'dropped'], 'delivered 1', []],
    [['dropped', 'dropped'], 'dropped not supported 1', []],
    [['suppressed'], 'dropped suppressed 1', []],
    [['delivered', 'suppressed'], 'delivered 1', []],
    [['refused'], 'failed deliver.refused 1', [['refused 0']]],
    [['unmapped'], 'failed transform.threw 1', ['whole']],
    [['unmapped', 'unmapped'], 'failed transform.threw 1', ['whole']],
    [['delivered', 'unmapped'], 'failed transform.threw 1', [['unmapped 1']]],
    [['refused', 'unmapped'], 'failed deliver.refused 1', [['refused 0'], ['unmapped 1']]],
    [['dropped', 'refused', 'delivered'], 'failed deliver.refused 1', [['refused 1']]],
    [['refused', 'refused'], 'failed deliver.refused 1', [['refused 0'], ['refused 1']]],
  ]
  for (const [ends, counted, letters] of endings)
    it(`count ${ends.join(' + ')} as ${counted}, with ${letters.length} dead letters`, () => {
      const records = record(ends)
      expect(endsOf(records)).toEqual([counted])
      expect(records.deferred).toEqual([])
      expect(records.deadLetters.map(({ outputs }) => outputs?.map(({ event }) => event['event']) ?? 'whole')).toEqual(
        letters,
      )
      expect(records.receipts).toHaveLength(ends.every((end) => end === 'suppressed') ? 0 : 1)
    })

  const mixtures: readonly (readonly [readonly End[], number, readonly string[]])[] = [
    [['deferred'], 0, []],
    [['delivered', 'deferred'], 1, []],
    [['deferred', 'dropped'], 0, []],
    [['deferred', 'refused'], 0, ['refused 1']],
    [['unmapped', 'deferred'], 0, ['unmapped 0']],
    [['deferred', 'suppressed'], 0, []],
  ]
  for (const [ends, delivered, letters] of mixtures)
    it(`count ${ends.join(' + ')} as nothing yet, and keep the part that failed`, () => {
      const records = record(ends)
      expect(endsOf(records)).toEqual([])
      expect(records.receipts).toEqual([])
      expect(records.deferred).toMatchObject([{ delivered, outputs: [{ done: [] }], userKeys: ['u'], firstTriedAt: 7 }])
      expect(records.deadLetters.map(({ outputs }) => outputs?.[0]?.event['event'])).toEqual(letters)
      expect(records.deferred[0]?.failure !== undefined).toBe(letters.length > 0)
    })

  const later: readonly (readonly [string, readonly End[], Partial<DeferredEvent>, string])[] = [
    ['delivered at last', ['delivered'], {}, 'delivered 1'],
    [
      'whose other part had failed',
      ['delivered'],
      { failure: { stage: 'deliver', error: refused } },
      'failed deliver.refused 1',
    ],
    ['whose other part had been delivered', ['dropped'], { delivered: 1 }, 'delivered 1'],
    ['suppressed while it waited', ['suppressed'], {}, 'dropped suppressed 1'],
    ['refused at last', ['refused'], { delivered: 2 }, 'failed deliver.refused 1'],
  ]
  for (const [name, ends, more, counted] of later)
    it(`count an event ${name} as ${counted}`, () => {
      expect(endsOf(record(ends, waiting(more)))).toEqual([counted])
    })

  it('keep what is left of an event, and not the whole event, when its mapping fails while it waits', () => {
    const { deadLetters } = record(['unmapped'], waiting({ delivered: 1 }))
    expect(deadLetters.map(({ outputs }) => outputs?.map(({ event }) => event['event']))).toEqual([['unmapped 0']])
  })

  it('let an event wait longer each time, and one that only waits behind another not at all', () => {
    const waitMs = (attempts: number) => {
      const builder = new ResultBuilder(0)
      builder.delivered(deferralOf('x', { attempts, cause: refused, retryAfterMs: attempts === 9 ? 60_000 : 0 }))
      const random = createSeededRandom(1)
      const recorder = new OutcomeRecorder({
        workspaceId: 'w',
        destinationId: 'd',
        clock,
        random,
        backoff: { baseMs: 1_000, capMs: 8_000 },
      })
      recorder.add(source, path, builder.build('deliver'))
      return (recorder.records().deferred[0]?.dueAt ?? 0) - clock.now()
    }
    expect(waitMs(3)).toBeGreaterThanOrEqual(500)
    expect(waitMs(3)).toBeLessThan(1_000)
    expect(waitMs(4)).toBeGreaterThanOrEqual(1_000)
    expect(waitMs(8)).toBeLessThanOrEqual(8_000)
    expect(waitMs(9)).toBe(60_000)
    expect(record(['deferred']).deferred[0]?.dueAt).toBe(clock.now())
  })
})
