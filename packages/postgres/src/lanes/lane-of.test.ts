import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { laneCount, laneOf } from './lane-of.ts'

describe('the lane of an event', () => {
  it('is that of its user, whatever else is in the event', () => {
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.string()), (userId, more) => {
        expect(laneOf({ ...more, userId: `u${userId}` })).toBe(laneOf({ userId: `u${userId}` }))
      }),
    )
  })

  it('never changes, because stored events are found by it', () => {
    expect(['user 1', 'user 2', 'ü', ''].map((userId) => laneOf({ userId }))).toEqual(known)
  })

  it('is spread evenly over users whose ids are numbered', () => {
    const users = new Array<number>(laneCount).fill(0)
    for (let n = 0; n < 32_000; n += 1) {
      const lane = laneOf({ userId: `user-${n}` })
      users[lane] = (users[lane] ?? 0) + 1
    }
    for (const each of users) expect(Math.abs(each - 1_000)).toBeLessThan(200)
  })
})

const known = [22, 31, 16, 25]
