import { createManualClock } from '@sluice/core'
import { query } from '@sluice/destinations/kit'
import { createSuppressStage, type SuppressionIndex, SuppressionUnavailableError } from '@sluice/regulation'
import { describe, expect, it } from 'vitest'
import type { SourcedRequest } from './destination-path.ts'
import { createSuppressionRecheck } from './suppression-recheck.ts'

/** An index that knows who is gone once it is ready. */
function indexOf(state: { isReady: boolean }): SuppressionIndex {
  return {
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
    close: async () => {},
  }
}

/** User code has given the request another user than its event had. */
const requestOf = (userId: string): SourcedRequest => ({
  event: {},
  requests: [query({ method: 'GET', endpoint: 'http://x.test/' })],
  userKey: 'written by user code',
  messageId: 'm',
  source: { workspaceId: 'w', sourceId: 's', writeKey: 'k', event: { type: 'track', event: 'E', userId } },
})
const live = new AbortController().signal

describe('the recheck of suppression', () => {
  it('stops the requests of suppressed users, by the event they came from, and no others', async () => {
    const recheck = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf({ isReady: true })),
      clock: createManualClock(),
    })
    expect(await recheck([requestOf('gone'), requestOf('u1')], live)).toEqual(['suppressed', undefined])
  })

  it('waits while suppression cannot be checked, reports it, and answers as soon as it can', async () => {
    const state = { isReady: false }
    const clock = createManualClock()
    const told: unknown[] = []
    const recheck = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf(state)),
      clock,
      onError: (error) => told.push(error),
    })
    let answered = false
    const answer = recheck([requestOf('gone')], live)?.finally(() => {
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
    const recheck = createSuppressionRecheck({
      suppress: createSuppressStage(indexOf({ isReady: false })),
      clock: createManualClock(),
      onError: (error) => told.push(error),
    })
    const answer = recheck([requestOf('u1')], stop.signal)
    await expect.poll(() => told.length).toBe(1)
    stop.abort(new Error('stopping'))
    await expect(answer).rejects.toThrow('stopping')
  })
})
