import { createManualClock } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { untilDone } from './until-done.ts'

/** Work that fails so many times, on a clock that counts the waits. */
function scene(failures: number) {
  const clock = createManualClock(0)
  const waits: number[] = []
  const errors: unknown[] = []
  const stopping = new AbortController()
  let tries = 0
  const work = async () => {
    tries += 1
    if (tries <= failures) throw new Error(`failure ${tries}`)
    return `done after ${tries}`
  }
  const passing = { now: clock.now, sleep: async (milliseconds: number) => void waits.push(milliseconds) }
  const options = { clock: passing, signal: stopping.signal, onError: (error: unknown) => errors.push(error) }
  return { work, options, waits, errors, stopping, tries: () => tries }
}

describe('work that must be done', () => {
  it('is done once when it succeeds', async () => {
    const { work, options, waits, errors } = scene(0)
    expect([await untilDone(work, options), waits, errors]).toEqual(['done after 1', [], []])
  })

  it('is repeated with growing waits of at most half a minute, and each failure is reported', async () => {
    const { work, options, waits, errors } = scene(12)
    expect(await untilDone(work, options)).toBe('done after 13')
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000, 30_000])
    expect(errors.map(String).at(-1)).toBe('Error: failure 12')
  })

  it('is given up only when its signal aborts', async () => {
    const { work, options, stopping, tries } = scene(Number.POSITIVE_INFINITY)
    const sleep = async () => {
      if (tries() === 3) stopping.abort(new Error('stopping'))
    }
    const doing = untilDone(work, { ...options, clock: { ...options.clock, sleep } })
    await expect(doing).rejects.toThrow('stopping')
    expect(tries()).toBe(3)
  })

  it('does not report the reason of the stop as a failure', async () => {
    const { options, stopping, errors } = scene(0)
    const reason = new Error('stopping')
    stopping.abort(reason)
    await expect(untilDone(() => Promise.reject(reason), options)).rejects.toBe(reason)
    expect(errors).toEqual([])
  })
})
