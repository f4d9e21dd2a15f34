import { describe, expect, it } from 'vitest'
import { waitingForHost } from './on-enter.ts'
import { RunningTime } from './running-time.ts'

const live = new AbortController().signal

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

describe('the running time of a batch', () => {
  it('is what code took, without what the batch waited for the host', async () => {
    const time = new RunningTime(1_000, live, () => {})
    time.measured(0, () => work(5))
    const { spentMs } = time
    await time.wait(() => new Promise((resolve) => setTimeout(resolve, 20)))
    time.measured(1, () => work(5))
    expect(spentMs).toBeGreaterThanOrEqual(5)
    expect(time.spentMs).toBeGreaterThanOrEqual(spentMs + 5)
    expect(time.spentMs + time.leftMs).toBeCloseTo(1_000)
  })

  it('is announced before code runs, with the event it belongs to', async () => {
    const seen: (number | string)[] = []
    const time = new RunningTime(1_000, live, (whose) => seen.push(whose))
    const answer = time.measured(7, () => seen.push('code'))
    await time.wait(async () => {
      seen.push('host')
    })
    expect(answer).toBe(2)
    expect(seen).toEqual([7, 'code', waitingForHost, 'host'])
  })

  it('makes a turn of the event loop due after more than 10 ms, until there was one', async () => {
    const time = new RunningTime(1_000, live, () => {})
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
    const time = new RunningTime(1_000, stopped.signal, () => {})
    stopped.abort(new Error('stopped'))
    await expect(time.turn()).rejects.toThrow('stopped')
    await expect(time.wait(async () => {})).rejects.toThrow('stopped')
  })
})
