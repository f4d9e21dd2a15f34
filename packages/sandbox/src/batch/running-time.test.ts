import { describe, expect, it } from 'vitest'
import type { RunClock } from '../clock/run-clock.ts'
import { waitingForHost } from './on-enter.ts'
import { RunningTime } from './running-time.ts'

const live = new AbortController().signal

let nowMs = 0
const now = (): number => nowMs
/** A clock that only work moves on. */
const clock: RunClock = { now, start: now, settle: () => {}, tick: () => {} }

function work(milliseconds: number): void {
  nowMs += milliseconds
}

describe('the running time of a batch', () => {
  it('is what code took, without what the batch waited for the host', async () => {
    const time = new RunningTime(1_000, live, () => {}, clock)
    time.measured(0, () => work(5))
    const { spentMs } = time
    await time.wait(async () => work(20))
    time.measured(1, () => work(7))
    expect([spentMs, time.spentMs, time.leftMs]).toEqual([5, 12, 988])
  })

  it('is announced before code runs, with the event it belongs to', async () => {
    const seen: (number | string)[] = []
    const time = new RunningTime(1_000, live, (whose) => seen.push(whose), clock)
    const answer = time.measured(7, () => seen.push('code'))
    await time.wait(async () => {
      seen.push('host')
    })
    expect(answer).toBe(2)
    expect(seen).toEqual([7, 'code', waitingForHost, 'host'])
  })

  it('makes a turn of the event loop due after more than 10 ms, until there was one', async () => {
    const time = new RunningTime(1_000, live, () => {}, clock)
    expect(time.isTurnDue).toBe(false)
    time.measured(0, () => work(11))
    expect(time.isTurnDue).toBe(true)
    let hadTurn = false
    setImmediate(() => {
      hadTurn = true
    })
    await time.turn()
    expect(hadTurn).toBe(true)
    expect(time.isTurnDue).toBe(false)
    time.measured(0, () => work(11))
    await time.wait(async () => {})
    expect(time.isTurnDue).toBe(false)
  })

  it('ends with the batch: after a turn or a wait, the reason of an abort is thrown', async () => {
    const stopped = new AbortController()
    const time = new RunningTime(1_000, stopped.signal, () => {}, clock)
    stopped.abort(new Error('stopped'))
    await expect(time.turn()).rejects.toThrow('stopped')
    await expect(time.wait(async () => {})).rejects.toThrow('stopped')
  })
})
