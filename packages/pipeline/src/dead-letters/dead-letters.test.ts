import { createManualClock } from '@sluice/core'
import { afterEach, describe, expect, it } from 'vitest'
import type { DeadLetter, DeadLetterStore, DeadLetterUsage } from '../ports/stores/dead-letter-store.ts'
import { createEventMasks } from '../reports/event-masks.ts'
import { createDeadLetters, type DeadLetters } from './dead-letters.ts'

const minuteMs = 60_000
const running: DeadLetters[] = []
afterEach(async () => {
  for (const deadLetters of running.splice(0)) await deadLetters.close()
})

const letterOf = (n: number, destinationId = 'crm'): DeadLetter => ({
  id: String(n).padStart(5, '0'),
  workspaceId: 'w',
  destinationId,
  at: n,
  stage: 'deliver',
  error: { code: 'deliver.refused', message: 'no' },
  source: { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: {} },
  userKeys: [],
})

/** A store with these letters, and an engine that takes every letter it is given. */
function scene(letters: readonly DeadLetter[] = []) {
  const clock = createManualClock()
  const calls: string[] = []
  const full: DeadLetterUsage[] = []
  const errors: unknown[] = []
  const state = { share: 0, isDown: false }
  const usage = async () => {
    if (state.isDown) throw new Error('the disk is gone')
    return { letters: letters.length, bytes: 0, share: state.share }
  }
  const store: DeadLetterStore = {
    limits: { lettersMax: 1_000, bytesMax: 2, ageMsMax: 3 },
    list: async (_, { destinationId, after = '', limit }) =>
      letters
        .filter((each) => each.id > after && (destinationId ?? each.destinationId) === each.destinationId)
        .slice(0, limit),
    ids: async (_, { destinationId }, limit) =>
      letters.flatMap((each) => (each.destinationId === destinationId ? each.id : [])).slice(0, limit),
    groups: async () => [],
    slots: async () => [],
    find: async (_, id) => letters.find((each) => each.id === id),
    ofMessage: async () => [],
    replay: async () => [],
    remove: async (_, ids) => {
      calls.push(`remove ${ids.length}`)
      return ids.length
    },
    forgetUsers: async () => 0,
    usage,
    forgetOld: async () => void calls.push('forget old'),
  }
  const replay = async (_: string, ids: readonly string[]) => {
    calls.push(`replay ${ids.length}`)
    return ids.length
  }
  const deadLetters = createDeadLetters({
    store,
    engine: {
      inTurn: async (_source, work) => work(),
      replays: { letters: replay },
      reports: { unsuppressed: async (_, records) => records },
    },
    masks: createEventMasks(() => []),
    clock,
    onFull: (each) => full.push(each),
    onError: (error) => errors.push(error),
  })
  running.push(deadLetters)
  const flushed = () => new Promise(setImmediate)
  return { deadLetters, clock, calls, full, errors, state, flushed }
}
const many = Array.from({ length: 450 }, (_, n) => letterOf(n))

describe('dead letters', () => {
  it('are replayed and removed two hundred at a time, all of a destination', async () => {
    const { deadLetters, calls } = scene([...many, letterOf(999, 'mail')])
    expect(await deadLetters.replay('w', { destinationId: 'crm' })).toBe(450)
    expect(await deadLetters.remove('w', { destinationId: 'mail' })).toBe(1)
    expect(calls).toEqual(['forget old', 'replay 200', 'replay 200', 'replay 50', 'remove 1'])
  })

  it('are replayed by id, and nothing is done for none', async () => {
    const { deadLetters, calls } = scene(many)
    expect(await deadLetters.replay('w', { ids: ['00001', '00002'] })).toBe(2)
    expect(await deadLetters.replay('w', { ids: [] })).toBe(0)
    expect(await deadLetters.remove('w', { destinationId: 'nothing failed here' })).toBe(0)
    expect(calls).toEqual(['forget old', 'replay 2'])
  })

  it('of a time are replayed step by step, from the first moment on and before the last', async () => {
    const { deadLetters } = scene(many)
    const query = { destinationId: 'crm', since: 199, until: 401, dryRun: false }
    const matched: number[] = []
    let after: string | undefined
    do {
      const step = await deadLetters.replaySince('w', { ...query, after })
      matched.push(step.matched)
      after = step.next
    } while (after !== undefined)
    expect(matched).toEqual([1, 200, 1])
  })

  it('are only counted in a dry run', async () => {
    const { deadLetters, calls } = scene(many.slice(0, 3))
    const query = { destinationId: 'crm', since: 0, until: 2, dryRun: true }
    expect([await deadLetters.replaySince('w', query), calls]).toEqual([{ matched: 2 }, ['forget old']])
  })

  it('raise the alarm once at 80 % of a limit, and again after they were below', async () => {
    const { clock, full, state, flushed } = scene()
    for (const share of [0.79, 0.8, 0.9, 0.7, 1]) {
      state.share = share
      await flushed()
      clock.advance(minuteMs)
    }
    await flushed()
    expect(full.map(({ share }) => share)).toEqual([0.8, 1])
  })

  it('are still watched after the store failed', async () => {
    const { clock, errors, calls, full, state, flushed } = scene()
    state.isDown = true
    await flushed()
    clock.advance(minuteMs)
    await flushed()
    Object.assign(state, { isDown: false, share: 1 })
    clock.advance(minuteMs)
    await flushed()
    expect([errors.length, full.length, calls.length]).toEqual([2, 1, 3])
  })
})
