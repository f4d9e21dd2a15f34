import { createManualClock, type SourcedEvent } from '@sluice/core'
import { query } from '@sluice/destinations/kit'
import { createSuppressStage, type SuppressionIndex, SuppressionUnavailableError } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import type { SourcedRequest } from '../destination-path.ts'
import { createSuppressionRecheck } from './suppression-recheck.ts'

/** An index that knows who is gone once it is ready. */
function indexOf(state: { isReady: boolean }): SuppressionIndex {
  return {
    hasFurtherKeys: true,
    mayMatch: ({ userId }) => !state.isReady || userId === 'gone',
    check: async (questions) => {
      if (!state.isReady) throw new SuppressionUnavailableError('not loaded')
      return questions.map(({ userId }) => userId === 'gone')
    },
    catchUp: async () => {},
    get isReady() {
      return state.isReady
    },
    size: 1,
    position: 1,
    reload: async () => {},
    idle: async () => {},
    close: async () => {},
  }
}

const eventOf = (userId: string): SourcedEvent => ({
  workspaceId: 'w',
  sourceId: 's',
  writeKey: 'k',
  event: { type: 'track', event: 'E', userId },
})
/** @param output what user code made of the event; left out, no code ran. */
const requestOf = (userId: string, output?: SourcedEvent): SourcedRequest => {
  const source = eventOf(userId)
  const requests = [query({ method: 'GET', endpoint: 'http://x.test/' })]
  return { event: {}, requests, userKey: 'written by user code', messageId: 'm', source, output: output ?? source }
}
const live = new AbortController().signal

describe('the recheck of suppression', () => {
  it('stops the requests of suppressed users, by the event they came from, and no others', async () => {
    const { reasonsToDrop } = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf({ isReady: true })),
      clock: createManualClock(),
    })
    expect(await reasonsToDrop([requestOf('gone'), requestOf('u1')], live)).toEqual(['suppressed', undefined])
  })

  it('stops a request whose output has a suppressed user, or may have been made of an event of one', async () => {
    const { reasonsToDrop } = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf({ isReady: true })),
      clock: createManualClock(),
    })
    const otherOrigins = [{ sourceId: 's', identifiers: ['u2', 'gone'] }]
    const requests = [
      requestOf('gone', eventOf('u1')),
      requestOf('u1', eventOf('gone')),
      requestOf('u1', { ...eventOf('u1'), otherOrigins }),
      requestOf('u1', eventOf('u2')),
    ]
    expect(await reasonsToDrop(requests, live)).toEqual(['suppressed', 'suppressed', 'suppressed', undefined])
    expect(reasonsToDrop([requestOf('u1', eventOf('u2'))], live)).toBeUndefined()
  })

  it('waits while suppression cannot be checked, reports it, and answers as soon as it can', async () => {
    const state = { isReady: false }
    const clock = createManualClock()
    const told: unknown[] = []
    const { reasonsToDrop } = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf(state)),
      clock,
      onError: (error) => told.push(error),
    })
    let answered = false
    const answer = reasonsToDrop([requestOf('gone')], live)?.finally(() => {
      answered = true
    })
    await expect.poll(() => told.length).toBe(1)
    clock.advance(100)
    await expect.poll(() => told.length).toBe(2)
    expect([answered, String(told[0])]).toEqual([false, expect.stringContaining('not loaded')])
    state.isReady = true
    clock.advance(200)
    expect(await answer).toEqual(['suppressed'])
  })

  it('gives up the wait when the signal aborts', async () => {
    const stop = new AbortController()
    const told: unknown[] = []
    const { reasonsToDrop } = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf({ isReady: false })),
      clock: createManualClock(),
      onError: (error) => told.push(error),
    })
    const answer = reasonsToDrop([requestOf('u1')], stop.signal)
    await expect.poll(() => told.length).toBe(1)
    stop.abort(new Error('stopping'))
    await expect(answer).rejects.toThrow('stopping')
  })

  it('holds back, at the last look, only what a regulation that came since the check may stop', () => {
    const state = { isReady: true }
    const index = { ...indexOf(state), position: 1 }
    const { recheckBeforeWrite } = createSuppressionRecheck({
      suppress: createSuppressStage(index),
      clock: createManualClock(),
    })
    const mayLeave = recheckBeforeWrite()
    // The check itself allowed it: two users may share a fingerprint.
    expect(mayLeave([requestOf('gone')])).toBe(true)
    index.position = 2
    expect([mayLeave([requestOf('gone')]), mayLeave([requestOf('u1')])]).toEqual([false, true])
    expect(recheckBeforeWrite()([requestOf('gone')])).toBe(true)
  })
})
