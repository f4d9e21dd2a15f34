import { InvariantError, type StageError } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { ReplyBuilder } from './reply-builder.ts'

const error: StageError = { code: 'transform.threw', message: 'Error: no' }
const answer = (index: number, ...bytes: number[]) => {
  return { indexes: [index], isList: false, bytes: new Uint8Array(bytes), weight: bytes.length }
}

describe('the reply of a batch', () => {
  it('holds the answers one after the other, and where each begins and ends', () => {
    const builder = new ReplyBuilder()
    builder.add(answer(1, 7, 8), false)
    builder.add(answer(0, 9), true)
    expect(builder.build({ spentMs: 3, hostCalls: 1 })).toEqual({
      bytes: new Uint8Array([7, 8, 9]),
      parts: [
        { indexes: [1], isList: false, start: 0, end: 2, isFull: false, weight: 2 },
        { indexes: [0], isList: false, start: 2, end: 3, isFull: true, weight: 1 },
      ],
      failures: [],
      again: [],
      spentMs: 3,
      hostCalls: 1,
    })
  })

  it('lists failures and events to run again in the order in which they were found', () => {
    const builder = new ReplyBuilder()
    builder.fail(2, error)
    builder.again(3)
    builder.again(1)
    const { failures, again } = builder.build({ spentMs: 0, hostCalls: 0 })
    expect({ failures, again }).toEqual({ failures: [{ index: 2, error }], again: [3, 1] })
  })

  it('has no failure without an error', () => {
    expect(() => new ReplyBuilder().fail(0, undefined)).toThrow(InvariantError)
  })
})
