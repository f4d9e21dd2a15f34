import { describe, expect, it } from 'vitest'
import { ReceivedAllowance } from './received-allowance.ts'

const limits = { bytesMax: 1_000, bytesPerSecond: 10 }

describe('what a peer may send', () => {
  it('is limited at once, and grows back with time', () => {
    const allowance = new ReceivedAllowance(limits, 0)
    expect([allowance.takes(1_000, 0, 0), allowance.takes(1, 0, 0)]).toEqual([true, false])
    expect(allowance.takes(10, 0, 2_000)).toBe(true)
  })

  it('grows with what it was sent, so that a busy connection is never cut', () => {
    const allowance = new ReceivedAllowance(limits, 0)
    for (let sent = 500; sent < 1_000_000; sent += 500) expect(allowance.takes(1_000, sent, 0)).toBe(true)
  })

  it('is never more than the limit, however long the connection was idle', () => {
    const allowance = new ReceivedAllowance(limits, 0)
    expect(allowance.takes(1_001, 0, 1_000_000_000)).toBe(false)
  })
})
