import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { verdictOfBatch } from './verdict-of-batch.ts'

interface MultiStatus {
  setSuccessResponseAtIndex(index: number, response: object): void
  setErrorResponseAtIndex(index: number, response: object): void
}
const { MultiStatusResponse } = createRequire(import.meta.url)('@segment/actions-core') as {
  readonly MultiStatusResponse: new () => MultiStatus
}

const sent = { sent: {}, body: {} }

function statusesOf(entries: Readonly<Record<number, number>>): MultiStatus {
  const response = new MultiStatusResponse()
  for (const [index, status] of Object.entries(entries)) {
    if (status < 400) response.setSuccessResponseAtIndex(Number(index), { ...sent, status })
    else response.setErrorResponseAtIndex(Number(index), { status, errormessage: `refused ${index}` })
  }
  return response
}

describe('the verdict on a batch', () => {
  it('has one verdict for each event, and as a whole the first that is not delivered', () => {
    const verdict = verdictOfBatch(statusesOf({ 0: 200, 1: 400, 2: 503, 3: 429 }), 4, false)
    expect(verdict.items?.map(({ outcome }) => outcome)).toEqual(['delivered', 'aborted', 'retry', 'throttled'])
    expect(verdict).toMatchObject({ outcome: 'aborted', status: 400, message: 'refused 1' })
  })

  it('is delivered when every event is', () => {
    expect(verdictOfBatch(statusesOf({ 0: 200, 1: 201 }), 2, false)).toMatchObject({
      outcome: 'delivered',
      items: [{ status: 200 }, { status: 201 }],
    })
  })

  it('fails the events that the action reported no status for', () => {
    const verdict = verdictOfBatch(statusesOf({ 0: 200, 2: 200 }), 4, false)
    expect(verdict.items?.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['delivered', 200],
      ['aborted', 500],
      ['delivered', 200],
      ['aborted', 500],
    ])
    expect(verdict.items?.[1]?.message).toBe('The action reported no status for this event.')
  })

  it('has no verdicts for events that are not in the batch', () => {
    expect(verdictOfBatch(statusesOf({ 0: 200, 1: 200, 2: 400 }), 2, false)).toMatchObject({ outcome: 'delivered' })
    expect(verdictOfBatch(statusesOf({ 0: 200, 1: 200, 2: 400 }), 2, false).items).toHaveLength(2)
  })

  it('asks for new tokens when an event was refused for its credentials', () => {
    expect(verdictOfBatch(statusesOf({ 0: 401 }), 1, true).items?.[0]?.outcome).toBe('refresh')
  })

  it('is that of a response, for all events together', () => {
    expect(verdictOfBatch({ status: 200 }, 2, false)).toEqual({ outcome: 'delivered', status: 200, message: '' })
    expect(verdictOfBatch({ status: 500 }, 2, false)).toMatchObject({ outcome: 'retry', status: 500 })
  })

  it('is delivered for anything else, since the action threw nothing', () => {
    for (const result of [undefined, null, 'done', 5, [], {}, { status: '500' }])
      expect(verdictOfBatch(result, 2, false)).toEqual({ outcome: 'delivered', status: 200, message: '' })
  })

  it('fails only the events whose status cannot be read', () => {
    const fail = (): never => {
      throw new Error('not you')
    }
    const entries = [
      { value: () => ({ status: 200 }) },
      null,
      {},
      { value: 5 },
      { value: () => undefined },
      { value: () => 200 },
      { value: fail },
      { value: () => Object.defineProperty({}, 'status', { get: fail }) },
      { value: () => ({ status: 400, errormessage: Object.create(null) }) },
    ]
    const { items } = verdictOfBatch({ getAllResponses: () => entries }, entries.length, false)
    const unreadable = {
      outcome: 'aborted',
      status: 500,
      message: 'The action reported a status for this event that cannot be read.',
    }
    expect(items).toEqual([
      { outcome: 'delivered', status: 200, message: '' },
      ...Array.from({ length: entries.length - 1 }, () => unreadable),
    ])
  })

  it('fails every event when there are no statuses at all', () => {
    for (const none of [undefined, null, []])
      expect(verdictOfBatch({ getAllResponses: () => none }, 2, false).items).toMatchObject([
        { outcome: 'aborted', status: 500 },
        { outcome: 'aborted', status: 500 },
      ])
  })
})
